-- What stays of a message that is deleted before the Idempotency-Key of its request ends: its Send result, and nothing of
-- recipient and text. `has_failed` counts for credentials whose keys are free again after a failure.
CREATE TABLE message_stub (
  message_id INTEGER PRIMARY KEY,
  tracking_code TEXT NOT NULL,
  encoding TEXT NOT NULL,
  character_count INTEGER NOT NULL,
  part_count INTEGER NOT NULL,
  submitted_at INTEGER NOT NULL,
  send_at INTEGER,
  has_failed INTEGER NOT NULL
) STRICT;
