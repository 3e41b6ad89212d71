-- What drop-in protocols accepted under a key: the Idempotency-Key of their own scope, as a keyed hash.
CREATE TABLE credential_request (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  credential_id INTEGER NOT NULL,
  key_hash BLOB NOT NULL,
  payload_hash BLOB NOT NULL,
  first_message_id INTEGER NOT NULL,
  message_count INTEGER NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX credential_request_key ON credential_request (key_hash);
