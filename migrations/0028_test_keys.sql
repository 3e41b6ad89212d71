-- Messages of a test key take only the simulator and count nowhere.
ALTER TABLE api_key ADD COLUMN is_test INTEGER NOT NULL DEFAULT 0 CHECK (is_test IN (0, 1));
