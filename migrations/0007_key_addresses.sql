-- Addresses and CIDR ranges from which a key is taken, with spaces between. Null: from everywhere.
ALTER TABLE api_key ADD COLUMN allow_from TEXT;
