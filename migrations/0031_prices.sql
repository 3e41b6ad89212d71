-- Price lists by number prefix, the accounts that are charged by one, the routes whose costs one tells, and the money: a ledger
-- that only grows, and what was charged by where it went.
CREATE TABLE price_list (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE price_line (
  list_id INTEGER NOT NULL REFERENCES price_list (id),
  -- The first digits of an E.164 number, without the plus; empty for every number.
  prefix TEXT NOT NULL,
  valid_from INTEGER NOT NULL,
  -- Of a part, in the currency's smallest unit.
  amount INTEGER NOT NULL CHECK (amount >= 0),
  PRIMARY KEY (list_id, prefix, valid_from)
) STRICT, WITHOUT ROWID;

-- An account that is not here sends free of charge.
CREATE TABLE account_billing (
  account_id INTEGER PRIMARY KEY REFERENCES account (id),
  mode TEXT NOT NULL CHECK (mode IN ('postpaid', 'prepaid')),
  list_id INTEGER NOT NULL REFERENCES price_list (id)
) STRICT;

CREATE TABLE route_cost (
  route_id INTEGER PRIMARY KEY REFERENCES route (id),
  list_id INTEGER NOT NULL REFERENCES price_list (id)
) STRICT;

-- The last line of an account is its balance. The messages of a commit make one line: what they reserve at acceptance, what of it is
-- captured when they are handed over, and what is released because they never were.
CREATE TABLE ledger (
  account_id INTEGER NOT NULL,
  -- Never earlier than that of the line before.
  at INTEGER NOT NULL,
  number INTEGER NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('messages', 'topup', 'correction')),
  -- Of a top-up or a correction.
  amount INTEGER NOT NULL,
  reserved INTEGER NOT NULL,
  captured INTEGER NOT NULL,
  released INTEGER NOT NULL,
  -- After the line: top-ups and corrections less captures, and what is reserved of it.
  settled_after INTEGER NOT NULL,
  reserved_after INTEGER NOT NULL,
  -- Of a top-up or a correction.
  note TEXT,
  actor TEXT,
  PRIMARY KEY (account_id, at, number)
) STRICT, WITHOUT ROWID;
CREATE INDEX ledger_entered ON ledger (account_id, at) WHERE kind <> 'messages';

-- What was captured, and what it cost, by quarter of an hour of the hand-over.
CREATE TABLE charge (
  account_id INTEGER NOT NULL,
  slot_at INTEGER NOT NULL,
  sender_id INTEGER NOT NULL,
  route_id INTEGER NOT NULL,
  network INTEGER NOT NULL,
  messages INTEGER NOT NULL,
  parts INTEGER NOT NULL,
  price INTEGER NOT NULL,
  cost INTEGER NOT NULL,
  PRIMARY KEY (account_id, slot_at, sender_id, route_id, network)
) STRICT, WITHOUT ROWID;
