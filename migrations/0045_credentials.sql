-- What customers sign in with beside their API key: SMPP's system_id and password, and what other protocols want in their place.
-- `options`: JSON of its kind. The hashes are HMACs under a kept key.
CREATE TABLE credential (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  api_key_id INTEGER NOT NULL,
  kind TEXT NOT NULL,
  name TEXT NOT NULL,
  secret_hash BLOB NOT NULL,
  previous_hash BLOB,
  previous_until INTEGER,
  traffic TEXT NOT NULL,
  rate_per_second INTEGER,
  options TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  revoked_at INTEGER
) STRICT;
-- A name is free again once its credential is revoked.
CREATE UNIQUE INDEX credential_name ON credential (kind, name) WHERE revoked_at IS NULL;

-- Each submit_sm that was accepted. `code` is null where the id that it was answered with is the message's tracking code;
-- `message_id` is null until all segments have come. `end_state`: message_state of a segment whose message never came to be.
CREATE TABLE smpp_submit (
  id INTEGER PRIMARY KEY,
  credential_id INTEGER NOT NULL,
  message_id INTEGER,
  code TEXT,
  registered_delivery INTEGER NOT NULL,
  end_state INTEGER,
  repeat_key BLOB,
  payload_hash BLOB,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX smpp_submit_message ON smpp_submit (message_id);
CREATE UNIQUE INDEX smpp_submit_code ON smpp_submit (code) WHERE code IS NOT NULL;
CREATE INDEX smpp_submit_repeat ON smpp_submit (repeat_key) WHERE repeat_key IS NOT NULL;

-- Long messages of customers: some lack segments (`state` 0), some came whole lately (1), so that a repeat finds its id, and some never
-- did (2).
CREATE TABLE smpp_assembly (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  credential_id INTEGER NOT NULL,
  account_id INTEGER NOT NULL,
  api_key_id INTEGER NOT NULL,
  sender TEXT NOT NULL,
  recipient TEXT NOT NULL,
  reference INTEGER NOT NULL,
  part_count INTEGER NOT NULL,
  tracking_code TEXT NOT NULL,
  send_at INTEGER,
  validity_ms INTEGER,
  opened_at INTEGER NOT NULL,
  state INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX smpp_assembly_key ON smpp_assembly (credential_id, recipient, reference);
CREATE INDEX smpp_assembly_opened ON smpp_assembly (opened_at);
-- `parts`, `price`: what was reserved for it at `created_at`. The text goes once the message is whole.
CREATE TABLE smpp_segment (
  assembly_id INTEGER NOT NULL,
  number INTEGER NOT NULL,
  submit_id INTEGER NOT NULL,
  digest BLOB NOT NULL,
  text BLOB,
  parts INTEGER NOT NULL,
  price INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (assembly_id, number)
) STRICT, WITHOUT ROWID;
CREATE INDEX smpp_segment_submit ON smpp_segment (submit_id);

-- What a credential has to be told: the receipt of a submit, or a text from a phone. A row goes when it was acknowledged.
CREATE TABLE credential_delivery (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  credential_id INTEGER NOT NULL,
  submit_id INTEGER,
  inbound_id INTEGER,
  state INTEGER,
  error_code TEXT,
  ended_at INTEGER,
  attempts INTEGER NOT NULL DEFAULT 0,
  due_at INTEGER NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX credential_delivery_due ON credential_delivery (credential_id, due_at, id);

-- The credential that gets what this number receives.
ALTER TABLE line ADD COLUMN credential_id INTEGER;
