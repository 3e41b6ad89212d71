-- Approved groups with their members, patterns, approvals; runs that are stored slice by slice; one-time passwords.
-- Times are epoch milliseconds.

CREATE TABLE approved_group (
  id INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES account (id),
  code TEXT NOT NULL,
  name TEXT NOT NULL,
  status TEXT NOT NULL DEFAULT 'draft' CHECK (status IN ('draft', 'approved', 'suspended')),
  -- The list that sends, and the one that waits for its approval beside it.
  approved_list_id INTEGER REFERENCES member_list (id),
  draft_list_id INTEGER REFERENCES member_list (id),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  UNIQUE (account_id, code)
) STRICT;
CREATE INDEX approved_group_code ON approved_group (code);

-- A list never changes once it is complete: a change of members is another list. One that no group names is to be removed.
CREATE TABLE member_list (
  id INTEGER PRIMARY KEY,
  group_id INTEGER NOT NULL REFERENCES approved_group (id),
  member_count INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  approved_at INTEGER,
  approved_by TEXT
) STRICT;

CREATE TABLE group_member (
  list_id INTEGER NOT NULL,
  position INTEGER NOT NULL,
  recipient TEXT NOT NULL,
  first_name TEXT,
  last_name TEXT,
  full_name TEXT,
  PRIMARY KEY (list_id, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE pattern (
  id INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES account (id),
  code TEXT NOT NULL,
  name TEXT NOT NULL,
  status TEXT NOT NULL DEFAULT 'draft' CHECK (status IN ('draft', 'approved', 'suspended')),
  text TEXT NOT NULL,
  -- JSON: [{"name", "maxLength"}] in the order of their first use.
  variables TEXT NOT NULL,
  sender TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  approved_at INTEGER,
  approved_by TEXT,
  UNIQUE (account_id, code)
) STRICT;
CREATE INDEX pattern_code ON pattern (code);

-- Who allowed or stopped what, and when. Rows are only ever added.
CREATE TABLE approval (
  id INTEGER PRIMARY KEY,
  subject TEXT NOT NULL CHECK (subject IN ('group', 'pattern')),
  subject_id INTEGER NOT NULL,
  action TEXT NOT NULL CHECK (action IN ('approved', 'suspended')),
  decided_by TEXT NOT NULL,
  decided_at INTEGER NOT NULL,
  -- Members of the list that was approved; null for a pattern.
  member_count INTEGER
) STRICT;
CREATE INDEX approval_subject ON approval (subject, subject_id);

-- Messages of one request that are stored slice by slice: unseen until published_at is set, then given to the queue
-- slice by slice. The row goes when all are in the queue, so that the table is empty most of the time.
CREATE TABLE staged_run (
  id INTEGER PRIMARY KEY,
  first_message_id INTEGER NOT NULL,
  message_count INTEGER NOT NULL,
  published_at INTEGER,
  released_count INTEGER NOT NULL DEFAULT 0
) STRICT;

-- One row per one-time password that was sent. Only a keyed hash of a code is stored, and only of those that Peyk made.
CREATE TABLE otp_send (
  message_id INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL,
  recipient TEXT NOT NULL,
  sent_at INTEGER NOT NULL,
  -- Null for a code that the customer made; so are the columns below.
  challenge_id TEXT UNIQUE,
  code_hash BLOB,
  expires_at INTEGER,
  resend_at INTEGER,
  attempts INTEGER NOT NULL DEFAULT 0,
  verified_at INTEGER,
  replaced_at INTEGER
) STRICT;
CREATE INDEX otp_send_recipient ON otp_send (account_id, recipient, sent_at);
CREATE INDEX otp_send_age ON otp_send (sent_at);

-- What the fraud guard counts, by account, number range and hour. Written only while the guard is on.
CREATE TABLE otp_range (
  account_id INTEGER NOT NULL,
  number_range TEXT NOT NULL,
  hour_start INTEGER NOT NULL,
  sends INTEGER NOT NULL DEFAULT 0,
  challenges INTEGER NOT NULL DEFAULT 0,
  verified INTEGER NOT NULL DEFAULT 0,
  held INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (account_id, number_range, hour_start)
) STRICT, WITHOUT ROWID;
CREATE INDEX otp_range_hour ON otp_range (hour_start);
