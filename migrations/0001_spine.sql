-- Accounts, keys, senders, routes; messages with their parts, receipts and timeline.
-- Times are epoch milliseconds. Rows that messages refer to are never deleted, only marked removed.

CREATE TABLE account (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  status TEXT NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'suspended')),
  default_sender TEXT,
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE api_key (
  id INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES account (id),
  name TEXT NOT NULL,
  -- SHA-256 of the whole key; the key itself is shown once and never stored.
  secret_hash BLOB NOT NULL UNIQUE,
  -- The secret before the last rotation, good until its grace time ends.
  previous_hash BLOB UNIQUE,
  previous_until INTEGER,
  requests_per_minute INTEGER,
  permissions TEXT NOT NULL,
  expires_at INTEGER,
  revoked_at INTEGER,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX api_key_account ON api_key (account_id);

CREATE TABLE route (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('simulator', 'smpp', 'http')),
  enabled INTEGER NOT NULL DEFAULT 1 CHECK (enabled IN (0, 1)),
  options TEXT NOT NULL,
  -- Passwords and tokens of the route, sealed with the key file.
  sealed_secrets BLOB,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  removed_at INTEGER
) STRICT;
CREATE UNIQUE INDEX route_name ON route (name) WHERE removed_at IS NULL;

CREATE TABLE sender (
  id INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES account (id),
  sender TEXT NOT NULL,
  active INTEGER NOT NULL DEFAULT 1 CHECK (active IN (0, 1)),
  created_at INTEGER NOT NULL,
  removed_at INTEGER,
  UNIQUE (account_id, sender)
) STRICT;

-- The routes of a sender in order of preference; none means the default simulator.
CREATE TABLE sender_route (
  sender_id INTEGER NOT NULL REFERENCES sender (id),
  position INTEGER NOT NULL,
  route_id INTEGER NOT NULL REFERENCES route (id),
  PRIMARY KEY (sender_id, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE message (
  id INTEGER PRIMARY KEY,
  tracking_code TEXT NOT NULL UNIQUE,
  account_id INTEGER NOT NULL,
  sender_id INTEGER NOT NULL,
  class INTEGER NOT NULL,
  state TEXT NOT NULL,
  -- When the message wants service next; null once a route has it or it is final.
  due_at INTEGER,
  sender TEXT NOT NULL,
  recipient TEXT NOT NULL,
  text TEXT NOT NULL,
  client_reference TEXT,
  encoding TEXT NOT NULL,
  character_count INTEGER NOT NULL,
  part_count INTEGER NOT NULL,
  parts_delivered INTEGER NOT NULL DEFAULT 0,
  attempts INTEGER NOT NULL DEFAULT 0,
  route_id INTEGER,
  error_code TEXT,
  submitted_at INTEGER NOT NULL,
  send_at INTEGER,
  valid_until INTEGER NOT NULL,
  processing_at INTEGER,
  sent_at INTEGER,
  final_at INTEGER,
  updated_at INTEGER NOT NULL
) STRICT;
-- The queue: one lane is a (sender, class), served in the order of due time.
CREATE INDEX message_queue ON message (sender_id, class, due_at, id) WHERE due_at IS NOT NULL;
-- What a crash may leave behind between claim and answer.
CREATE INDEX message_submitting ON message (id) WHERE state = 'submitting';
-- Messages that were handed over once and wait again: their validity cannot be read from the queue's order.
CREATE INDEX message_retrying ON message (valid_until) WHERE state IN ('retry_wait', 'uncertain');

-- One row per part that a route took, under the id which its receipt will name.
CREATE TABLE part (
  message_id INTEGER NOT NULL,
  number INTEGER NOT NULL,
  route_id INTEGER NOT NULL,
  provider_id TEXT,
  receipt TEXT,
  PRIMARY KEY (message_id, number)
) STRICT, WITHOUT ROWID;
CREATE INDEX part_provider_id ON part (route_id, provider_id) WHERE provider_id IS NOT NULL;

-- Receipts that came before the answer to their submit, or that match nothing. One receipt has a row for each spelling of
-- its id, all in a row: this is number `spelling` (from 0) of `spellings`.
CREATE TABLE orphan_receipt (
  id INTEGER PRIMARY KEY,
  spelling INTEGER NOT NULL,
  spellings INTEGER NOT NULL,
  route_id INTEGER NOT NULL,
  provider_id TEXT NOT NULL,
  state TEXT NOT NULL,
  error_code TEXT,
  detail TEXT NOT NULL,
  at INTEGER NOT NULL,
  received_at INTEGER NOT NULL
) STRICT;
CREATE INDEX orphan_receipt_provider_id ON orphan_receipt (route_id, provider_id);

-- What an operator wants to know of a message beyond its own row; written only where something noteworthy happened.
CREATE TABLE timeline (
  id INTEGER PRIMARY KEY,
  message_id INTEGER NOT NULL,
  at INTEGER NOT NULL,
  kind TEXT NOT NULL,
  route_id INTEGER,
  detail TEXT NOT NULL
) STRICT;
CREATE INDEX timeline_message ON timeline (message_id);

-- What a request with an Idempotency-Key stands for: message_count messages from first_message_id on. Rows are only ever
-- appended, in the order of acceptance, and no id comes twice; `request_index` finds them.
CREATE TABLE request (
  id INTEGER PRIMARY KEY,
  first_message_id INTEGER NOT NULL,
  api_key_id INTEGER NOT NULL,
  key TEXT NOT NULL,
  operation TEXT NOT NULL,
  payload_hash BLOB NOT NULL,
  message_count INTEGER NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;

-- Requests by a fingerprint of their key. New ones are merged in sorted thousands: see src/store/key-index.ts.
CREATE TABLE request_index (
  fingerprint INTEGER NOT NULL,
  request_id INTEGER NOT NULL,
  PRIMARY KEY (fingerprint, request_id)
) STRICT, WITHOUT ROWID;

-- Requests up to this id are in the index; later ones are read into memory at start.
CREATE TABLE request_index_state (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  merged_to INTEGER NOT NULL
) STRICT;
INSERT INTO request_index_state (only, merged_to) VALUES (1, 0);
