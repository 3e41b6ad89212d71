-- What a message was accepted with: its key, the target of routing that it goes by (0: the sender's own list of routes), the
-- network of its number (0: unknown), price and cost in the currency's smallest unit, and whether its key is for tests.
ALTER TABLE message ADD COLUMN api_key_id INTEGER;
ALTER TABLE message ADD COLUMN target_id INTEGER NOT NULL DEFAULT 0;
ALTER TABLE message ADD COLUMN network INTEGER NOT NULL DEFAULT 0;
ALTER TABLE message ADD COLUMN price INTEGER;
ALTER TABLE message ADD COLUMN cost INTEGER;
ALTER TABLE message ADD COLUMN is_test INTEGER NOT NULL DEFAULT 0 CHECK (is_test IN (0, 1));

-- The queue: one lane is a (sender, class, target), served in the order of due time.
DROP INDEX message_queue;
CREATE INDEX message_queue ON message (sender_id, class, target_id, due_at, id) WHERE due_at IS NOT NULL;
