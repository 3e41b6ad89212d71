-- Figures: how many messages and parts there are in each quarter of an hour of acceptance (UTC), by where they came from, where
-- they went and what became of them. A message is counted in one row at a time, and moves to another with each change.
CREATE TABLE rollup (
  slot_at INTEGER NOT NULL,
  account_id INTEGER NOT NULL,
  sender_id INTEGER NOT NULL,
  -- 0 before the message was handed to a route.
  route_id INTEGER NOT NULL,
  class INTEGER NOT NULL,
  network INTEGER NOT NULL,
  status TEXT NOT NULL,
  -- Empty for a message without an error.
  error_code TEXT NOT NULL,
  -- Class of the time to delivery (src/domain/delivery-time.ts); 0 for what is not delivered.
  delivery_time INTEGER NOT NULL,
  messages INTEGER NOT NULL,
  parts INTEGER NOT NULL,
  PRIMARY KEY (slot_at, account_id, sender_id, route_id, class, network, status, error_code, delivery_time)
) STRICT, WITHOUT ROWID;

-- Messages of before this table are counted in the background: up to `filled_to` they are, from there to `fill_end` they are not
-- yet. Rows without messages are gone from all slots before `trimmed_to`.
CREATE TABLE rollup_state (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  filled_to INTEGER NOT NULL,
  fill_end INTEGER NOT NULL,
  trimmed_to INTEGER NOT NULL
) STRICT;
INSERT INTO rollup_state (only, filled_to, fill_end, trimmed_to)
SELECT 1, 0, coalesce((
  -- Runs that a crash left unpublished are discarded, and their ids come again.
  SELECT id FROM message WHERE NOT EXISTS (
    SELECT 1 FROM staged_run WHERE published_at IS NULL
      AND message.id >= first_message_id AND message.id < first_message_id + message_count)
  ORDER BY id DESC LIMIT 1), 0), 0;
