-- What programs of the console's users identify themselves by. Only the hash of a token is kept.
CREATE TABLE user_token (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES console_user (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  token_hash BLOB NOT NULL UNIQUE,
  -- At most this, and at most what its user has at the time.
  role TEXT NOT NULL,
  expires_at INTEGER NOT NULL,
  -- JSON lists. No address: from everywhere. No operation: all that the role may.
  allow_from TEXT NOT NULL,
  operations TEXT NOT NULL,
  -- Operations that cost or delete, and that it may do without a person's confirmation.
  freed TEXT NOT NULL,
  reads_texts INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  seen_at INTEGER
) STRICT;
CREATE INDEX user_token_user ON user_token (user_id);
