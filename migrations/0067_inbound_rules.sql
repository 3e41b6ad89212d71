-- What is done with texts from phones: of a line's rules, the first that takes a text decides.
CREATE TABLE inbound_rule (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  line TEXT NOT NULL REFERENCES line (number) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  match TEXT NOT NULL,
  -- One on each line.
  words TEXT NOT NULL,
  -- Windows, written as quiet hours are; NULL: always.
  hours TEXT,
  reply TEXT,
  -- Sent in place of everything else outside of the hours; NULL: then the next rules are asked.
  closed_reply TEXT,
  -- Codes of the account's groups.
  joins TEXT,
  leaves TEXT,
  forward_to TEXT,
  mail TEXT,
  credential_id INTEGER,
  uses INTEGER NOT NULL DEFAULT 0,
  used_at INTEGER
) STRICT;
CREATE INDEX inbound_rule_line ON inbound_rule (line, position);

-- What rules have sent lately: one message of each kind for a text, and so many to a number in an hour.
CREATE TABLE inbound_answer (
  tracking_code TEXT NOT NULL,
  kind TEXT NOT NULL,
  account_id INTEGER NOT NULL,
  recipient INTEGER NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (tracking_code, kind)
) STRICT, WITHOUT ROWID;
CREATE INDEX inbound_answer_recipient ON inbound_answer (account_id, kind, recipient, at);
CREATE INDEX inbound_answer_at ON inbound_answer (at);

-- Numbers that rules add to groups and remove from them, until it is done.
CREATE TABLE group_change (
  group_id INTEGER NOT NULL,
  recipient TEXT NOT NULL,
  joins INTEGER NOT NULL,
  PRIMARY KEY (group_id, recipient)
) STRICT, WITHOUT ROWID;

-- Texts that rules mail, until they are sent or given up.
CREATE TABLE inbound_mail (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  tracking_code TEXT NOT NULL,
  account_id INTEGER NOT NULL,
  mail TEXT NOT NULL,
  attempts INTEGER NOT NULL DEFAULT 0,
  due_at INTEGER NOT NULL
) STRICT;
