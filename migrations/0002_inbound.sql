-- Lines, and what comes in from phones: parts that wait for each other, repeats that are known, and whole messages.
-- Times are epoch milliseconds. `opened_at` and `expires_at` are counted by a clock that does not jump while Peyk runs.

-- The numbers that receive, each for one account.
CREATE TABLE line (
  number TEXT PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES account (id),
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE inbound (
  id INTEGER PRIMARY KEY,
  tracking_code TEXT NOT NULL UNIQUE,
  route_id INTEGER NOT NULL,
  -- Null until a line gives the receiver to an account: only then is the message available.
  account_id INTEGER,
  -- The place in the account's order of becoming available, which is also the order of commits: what cursors count by.
  position INTEGER,
  sender TEXT NOT NULL,
  receiver TEXT NOT NULL,
  text TEXT NOT NULL,
  -- What came that is no text.
  octets BLOB,
  part_count INTEGER NOT NULL,
  -- Fewer than part_count where the rest did not come in time.
  parts_received INTEGER NOT NULL,
  received_at INTEGER NOT NULL,
  available_at INTEGER,
  CHECK ((account_id IS NULL) = (position IS NULL) AND (account_id IS NULL) = (available_at IS NULL))
) STRICT;
CREATE UNIQUE INDEX inbound_position ON inbound (account_id, position) WHERE account_id IS NOT NULL;
CREATE INDEX inbound_unmapped ON inbound (receiver, id) WHERE account_id IS NULL;

-- The last position that an account's messages have reached. It outlives them: a position is never given twice.
CREATE TABLE inbound_counter (
  account_id INTEGER PRIMARY KEY,
  last INTEGER NOT NULL
) STRICT;

-- A long message of which parts are missing.
CREATE TABLE inbound_assembly (
  id INTEGER PRIMARY KEY,
  -- The code that its message will have.
  tracking_code TEXT NOT NULL,
  route_id INTEGER NOT NULL,
  sender TEXT NOT NULL,
  receiver TEXT NOT NULL,
  reference INTEGER NOT NULL,
  part_count INTEGER NOT NULL,
  received_at INTEGER NOT NULL,
  opened_at INTEGER NOT NULL
) STRICT;
CREATE INDEX inbound_assembly_key ON inbound_assembly (route_id, sender, receiver, reference, part_count);
CREATE INDEX inbound_assembly_opened ON inbound_assembly (opened_at);

CREATE TABLE inbound_part (
  assembly_id INTEGER NOT NULL,
  number INTEGER NOT NULL,
  -- UTF-16 (little-endian) for a text: half of a surrogate pair, whose other half is in the next part, survives in it.
  content BLOB NOT NULL,
  is_binary INTEGER NOT NULL CHECK (is_binary IN (0, 1)),
  PRIMARY KEY (assembly_id, number)
) STRICT, WITHOUT ROWID;

-- Fingerprints of parts that were taken: a carrier sends one again when it missed the acknowledgement.
CREATE TABLE inbound_seen (
  fingerprint BLOB PRIMARY KEY,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX inbound_seen_expiry ON inbound_seen (expires_at);
