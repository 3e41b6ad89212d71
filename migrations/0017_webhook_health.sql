-- How the receiver of a webhook did lately: whether its last attempt timed out, since when every attempt has failed, when one
-- last did (epoch milliseconds; to the hour), and when the webhook was switched off because of that.
ALTER TABLE webhook ADD COLUMN is_slow INTEGER NOT NULL DEFAULT 0 CHECK (is_slow IN (0, 1));
ALTER TABLE webhook ADD COLUMN failing_since INTEGER;
ALTER TABLE webhook ADD COLUMN failed_at INTEGER;
ALTER TABLE webhook ADD COLUMN switched_off_at INTEGER;
