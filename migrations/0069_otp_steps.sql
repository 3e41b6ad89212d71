-- The further ways that a one-time password is tried by while nothing confirms that it arrived.
-- Which steps follow the first message; account 0: of every account without any of its own; pattern '': whatever the text.
CREATE TABLE otp_plan (
  account_id INTEGER NOT NULL,
  pattern TEXT NOT NULL,
  -- JSON: [{"by": "sms", "waitSeconds": 20}, …]
  steps TEXT NOT NULL,
  PRIMARY KEY (account_id, pattern)
) STRICT, WITHOUT ROWID;

-- A challenge with steps, by its first message. A challenge without any has no row.
CREATE TABLE otp_sequence (
  message_id INTEGER PRIMARY KEY REFERENCES otp_send (message_id) ON DELETE CASCADE,
  account_id INTEGER NOT NULL,
  -- The steps of that time.
  steps TEXT NOT NULL,
  -- How many of them began or were passed over.
  begun INTEGER NOT NULL DEFAULT 0,
  -- When the next begins; null once none will.
  due_at INTEGER,
  -- The text with its code, as it is sealed in the message; null once no step will need it.
  sealed BLOB,
  -- Why none will, and since when.
  outcome TEXT,
  ended_at INTEGER
) STRICT;
CREATE INDEX otp_sequence_due ON otp_sequence (due_at) WHERE due_at IS NOT NULL;

-- The message of each step that began.
CREATE TABLE otp_step (
  message_id INTEGER PRIMARY KEY,
  first_message_id INTEGER NOT NULL REFERENCES otp_sequence (message_id) ON DELETE CASCADE,
  -- Its place among the steps, from 0.
  position INTEGER NOT NULL,
  began_at INTEGER NOT NULL,
  UNIQUE (first_message_id, position)
) STRICT;
