-- Colleagues at the portal: what each may do. SQLite cannot change an unnamed constraint, so the table is written again.
CREATE TABLE next_console_user (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL UNIQUE,
  role TEXT NOT NULL CHECK (role IN ('owner', 'operator', 'support', 'customer', 'customer-sends', 'customer-reads')),
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
  -- How the user reads the console; NULL follows the browser, and for the zone the settings.
  language TEXT CHECK (language IN ('en', 'fa')),
  theme TEXT NOT NULL DEFAULT 'system' CHECK (theme IN ('system', 'light', 'dark')),
  zone TEXT,
  has_shortcuts INTEGER NOT NULL DEFAULT 1 CHECK (has_shortcuts IN (0, 1)),
  CHECK ((role LIKE 'customer%') = (account_id IS NOT NULL))
) STRICT;
INSERT INTO next_console_user SELECT
  id, name, role, account_id, password_hash, sealed_factor, factor_step, disabled_at, created_at, language, theme, zone,
  has_shortcuts
FROM console_user;
DROP TABLE console_user;
ALTER TABLE next_console_user RENAME TO console_user;
CREATE INDEX console_user_account ON console_user (account_id) WHERE account_id IS NOT NULL;

-- Whom to mail when the account's balance falls below an amount; the address counts once it is confirmed.
CREATE TABLE balance_watch (
  user_id INTEGER PRIMARY KEY REFERENCES console_user (id),
  below INTEGER NOT NULL,
  mail TEXT NOT NULL,
  -- Of the link that confirms the address; NULL once it was used.
  token_hash BLOB UNIQUE,
  expires_at INTEGER,
  -- When it was told that the balance is below; NULL while it is not.
  told_at INTEGER
) STRICT;

-- Senders that customers ask for, and what they were answered.
CREATE TABLE sender_request (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id INTEGER NOT NULL REFERENCES account (id),
  sender TEXT NOT NULL,
  note TEXT NOT NULL,
  asked_by TEXT NOT NULL,
  asked_at INTEGER NOT NULL,
  -- NULL while it waits.
  answer TEXT CHECK (answer IN ('added', 'refused')),
  answer_note TEXT,
  answered_by TEXT,
  answered_at INTEGER,
  CHECK ((answer IS NULL) = (answered_at IS NULL))
) STRICT;
CREATE INDEX sender_request_account ON sender_request (account_id, id);
CREATE INDEX sender_request_waiting ON sender_request (id) WHERE answer IS NULL;
