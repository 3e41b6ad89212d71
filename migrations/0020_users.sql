-- People who sign in at the console, their sessions, and the links by which they choose a password. Secrets are kept as hashes.

CREATE TABLE console_user (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  role TEXT NOT NULL CHECK (role IN ('owner', 'operator', 'support', 'customer')),
  -- Of a customer alone.
  account_id INTEGER REFERENCES account (id),
  -- argon2id; NULL until a setup link was used.
  password_hash TEXT,
  -- The secret of the second factor, sealed; NULL without one.
  sealed_factor BLOB,
  -- The time step of the last code that was taken: no code counts twice.
  factor_step INTEGER NOT NULL DEFAULT 0,
  disabled_at INTEGER,
  created_at INTEGER NOT NULL,
  CHECK ((role = 'customer') = (account_id IS NOT NULL))
) STRICT;

CREATE TABLE recovery_code (
  user_id INTEGER NOT NULL REFERENCES console_user (id),
  code_hash BLOB NOT NULL,
  PRIMARY KEY (user_id, code_hash)
) STRICT, WITHOUT ROWID;

CREATE TABLE setup_link (
  -- One for each user: a new link ends the one before.
  user_id INTEGER PRIMARY KEY REFERENCES console_user (id),
  token_hash BLOB NOT NULL UNIQUE,
  expires_at INTEGER NOT NULL
) STRICT;

CREATE TABLE session (
  id INTEGER PRIMARY KEY,
  token_hash BLOB NOT NULL UNIQUE,
  user_id INTEGER NOT NULL REFERENCES console_user (id),
  -- 0 while the second factor is missing.
  is_confirmed INTEGER NOT NULL CHECK (is_confirmed IN (0, 1)),
  address TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  seen_at INTEGER NOT NULL
) STRICT;
CREATE INDEX session_user ON session (user_id);
