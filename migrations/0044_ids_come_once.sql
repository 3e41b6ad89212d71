-- An id that was told or is held in memory is never given to another row: SQLite gives the highest one again once its row is gone,
-- unless the table counts by itself. Each table is copied as it is. Large ones keep their newest row instead: see
-- src/store/message-remover.ts.

CREATE TABLE next_account (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL,
  status TEXT NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'suspended')),
  default_sender TEXT,
  created_at INTEGER NOT NULL,
  countries TEXT,
  time_zone TEXT,
  suppression_scope TEXT NOT NULL DEFAULT 'bulk' CHECK (suppression_scope IN ('bulk', 'all_but_otp', 'all')),
  quiet_hours TEXT,
  quiet_singles INTEGER CHECK (quiet_singles IN (0, 1)),
  retention_days INTEGER CHECK (retention_days > 0),
  text_days INTEGER CHECK (text_days > 0),
  note TEXT
) STRICT;
INSERT INTO next_account SELECT
  id, name, status, default_sender, created_at, countries, time_zone, suppression_scope, quiet_hours, quiet_singles,
  retention_days, text_days, note
FROM account;
DROP TABLE account;
ALTER TABLE next_account RENAME TO account;

CREATE TABLE next_api_key (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
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
  created_at INTEGER NOT NULL,
  allow_from TEXT,
  is_test INTEGER NOT NULL DEFAULT 0 CHECK (is_test IN (0, 1))
) STRICT;
INSERT INTO next_api_key SELECT
  id, account_id, name, secret_hash, previous_hash, previous_until, requests_per_minute, permissions, expires_at, revoked_at,
  created_at, allow_from, is_test
FROM api_key;
DROP TABLE api_key;
ALTER TABLE next_api_key RENAME TO api_key;
CREATE INDEX api_key_account ON api_key (account_id);

CREATE TABLE next_route (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('simulator', 'smpp', 'http')),
  enabled INTEGER NOT NULL DEFAULT 1 CHECK (enabled IN (0, 1)),
  options TEXT NOT NULL,
  -- Passwords and tokens of the route, sealed with the key file.
  sealed_secrets BLOB,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  removed_at INTEGER,
  draining_since INTEGER
) STRICT;
INSERT INTO next_route SELECT
  id, name, kind, enabled, options, sealed_secrets, created_at, updated_at, removed_at, draining_since
FROM route;
DROP TABLE route;
ALTER TABLE next_route RENAME TO route;
CREATE UNIQUE INDEX route_name ON route (name) WHERE removed_at IS NULL;

CREATE TABLE next_sender (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id INTEGER NOT NULL REFERENCES account (id),
  sender TEXT NOT NULL,
  active INTEGER NOT NULL DEFAULT 1 CHECK (active IN (0, 1)),
  created_at INTEGER NOT NULL,
  removed_at INTEGER,
  plan_id INTEGER REFERENCES plan (id),
  UNIQUE (account_id, sender)
) STRICT;
INSERT INTO next_sender SELECT id, account_id, sender, active, created_at, removed_at, plan_id FROM sender;
DROP TABLE sender;
ALTER TABLE next_sender RENAME TO sender;

CREATE TABLE next_webhook (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  -- The id that its account knows it by: a UUID.
  public_id TEXT NOT NULL UNIQUE,
  account_id INTEGER NOT NULL REFERENCES account (id),
  url TEXT NOT NULL,
  -- Event kinds, separated by spaces.
  events TEXT NOT NULL,
  active INTEGER NOT NULL DEFAULT 1 CHECK (active IN (0, 1)),
  sealed_secret BLOB NOT NULL,
  -- Deliveries up to this id ended when the webhook was switched off, also where their rows do not say so yet; 0 once they all do.
  stopped_through INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  removed_at INTEGER,
  next_sealed_secret BLOB,
  next_secret_from INTEGER,
  is_slow INTEGER NOT NULL DEFAULT 0 CHECK (is_slow IN (0, 1)),
  failing_since INTEGER,
  failed_at INTEGER,
  switched_off_at INTEGER
) STRICT;
INSERT INTO next_webhook SELECT
  id, public_id, account_id, url, events, active, sealed_secret, stopped_through, created_at, updated_at, removed_at,
  next_sealed_secret, next_secret_from, is_slow, failing_since, failed_at, switched_off_at
FROM webhook;
DROP TABLE webhook;
ALTER TABLE next_webhook RENAME TO webhook;
CREATE INDEX webhook_account ON webhook (account_id);

CREATE TABLE next_plan (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL UNIQUE,
  -- Epoch milliseconds.
  created_at INTEGER NOT NULL
) STRICT;
INSERT INTO next_plan SELECT id, name, created_at FROM plan;
DROP TABLE plan;
ALTER TABLE next_plan RENAME TO plan;

CREATE TABLE next_plan_rule (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  plan_id INTEGER NOT NULL REFERENCES plan (id),
  position INTEGER NOT NULL,
  -- What it takes: lists with spaces between, empty for all. ISO codes; ranges such as +98912 or +98912-+98913; ids.
  countries TEXT NOT NULL,
  ranges TEXT NOT NULL,
  networks TEXT NOT NULL,
  classes TEXT NOT NULL,
  accounts TEXT NOT NULL
) STRICT;
INSERT INTO next_plan_rule SELECT id, plan_id, position, countries, ranges, networks, classes, accounts FROM plan_rule;
DROP TABLE plan_rule;
ALTER TABLE next_plan_rule RENAME TO plan_rule;
CREATE INDEX plan_rule_plan ON plan_rule (plan_id, position);

CREATE TABLE next_member_list (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  group_id INTEGER NOT NULL REFERENCES approved_group (id),
  member_count INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  approved_at INTEGER,
  approved_by TEXT
) STRICT;
INSERT INTO next_member_list SELECT id, group_id, member_count, created_at, approved_at, approved_by FROM member_list;
DROP TABLE member_list;
ALTER TABLE next_member_list RENAME TO member_list;

CREATE TABLE next_staged_run (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  first_message_id INTEGER NOT NULL,
  message_count INTEGER NOT NULL,
  published_at INTEGER,
  released_count INTEGER NOT NULL DEFAULT 0
) STRICT;
INSERT INTO next_staged_run SELECT id, first_message_id, message_count, published_at, released_count FROM staged_run;
DROP TABLE staged_run;
ALTER TABLE next_staged_run RENAME TO staged_run;

CREATE TABLE next_suppression_addition (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id INTEGER NOT NULL,
  source TEXT NOT NULL CHECK (source IN ('operator', 'import', 'keyword')),
  -- The operator's note, the name of the import's file, or the line that the keyword was sent to.
  detail TEXT NOT NULL,
  -- Epoch milliseconds.
  added_at INTEGER NOT NULL,
  -- An import whose file was not read to its end yet: its numbers do not count.
  is_pending INTEGER NOT NULL CHECK (is_pending IN (0, 1)),
  -- The message that confirms the keyword to its sender, and reaches him in spite of the list.
  confirmation_id INTEGER
) STRICT;
INSERT INTO next_suppression_addition SELECT
  id, account_id, source, detail, added_at, is_pending, confirmation_id
FROM suppression_addition;
DROP TABLE suppression_addition;
ALTER TABLE next_suppression_addition RENAME TO suppression_addition;
CREATE INDEX suppression_addition_pending ON suppression_addition (id) WHERE is_pending = 1;

CREATE TABLE next_audit_entry (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  -- Epoch milliseconds.
  at INTEGER NOT NULL,
  -- Who: the system user, as the command line says it.
  actor TEXT NOT NULL,
  -- From where: the operator's socket, or an address.
  origin TEXT NOT NULL,
  -- Such as account.suspend, and the account that it was done to.
  action TEXT NOT NULL,
  target TEXT NOT NULL,
  -- `begun` stays where the service ended, or could not write, before the change was told as done.
  outcome TEXT NOT NULL CHECK (outcome IN ('begun', 'done', 'refused')),
  -- The code of what refused it.
  error TEXT,
  -- JSON, without secrets: the whole state where there was none on the other side, else what differs.
  state_before TEXT,
  state_after TEXT
) STRICT;
INSERT INTO next_audit_entry SELECT
  id, at, actor, origin, action, target, outcome, error, state_before, state_after
FROM audit_entry;
DROP TABLE audit_entry;
ALTER TABLE next_audit_entry RENAME TO audit_entry;

CREATE TABLE next_console_user (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
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
  -- How the user reads the console; NULL follows the browser, and for the zone the settings.
  language TEXT CHECK (language IN ('en', 'fa')),
  theme TEXT NOT NULL DEFAULT 'system' CHECK (theme IN ('system', 'light', 'dark')),
  zone TEXT,
  has_shortcuts INTEGER NOT NULL DEFAULT 1 CHECK (has_shortcuts IN (0, 1)),
  CHECK ((role = 'customer') = (account_id IS NOT NULL))
) STRICT;
INSERT INTO next_console_user SELECT
  id, name, role, account_id, password_hash, sealed_factor, factor_step, disabled_at, created_at, language, theme, zone,
  has_shortcuts
FROM console_user;
DROP TABLE console_user;
ALTER TABLE next_console_user RENAME TO console_user;

CREATE TABLE next_session (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  token_hash BLOB NOT NULL UNIQUE,
  user_id INTEGER NOT NULL REFERENCES console_user (id),
  -- 0 while the second factor is missing.
  is_confirmed INTEGER NOT NULL CHECK (is_confirmed IN (0, 1)),
  address TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  seen_at INTEGER NOT NULL
) STRICT;
INSERT INTO next_session SELECT id, token_hash, user_id, is_confirmed, address, created_at, seen_at FROM session;
DROP TABLE session;
ALTER TABLE next_session RENAME TO session;
CREATE INDEX session_user ON session (user_id);

CREATE TABLE next_inbound_assembly (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
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
INSERT INTO next_inbound_assembly SELECT
  id, tracking_code, route_id, sender, receiver, reference, part_count, received_at, opened_at
FROM inbound_assembly;
DROP TABLE inbound_assembly;
ALTER TABLE next_inbound_assembly RENAME TO inbound_assembly;
CREATE INDEX inbound_assembly_key ON inbound_assembly (route_id, sender, receiver, reference, part_count);
CREATE INDEX inbound_assembly_opened ON inbound_assembly (opened_at);

-- Account 0, which nobody has, counts the ids of inbound messages: a copy of theirs would take minutes where there are millions.
INSERT INTO inbound_counter (account_id, last) SELECT 0, max(id) FROM inbound WHERE true HAVING max(id) IS NOT NULL;
