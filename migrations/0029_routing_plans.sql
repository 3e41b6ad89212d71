-- Routing plans: ordered rules, each with targets that share its messages by weight. A message keeps the id of its target.

CREATE TABLE plan (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  -- Epoch milliseconds.
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE plan_rule (
  id INTEGER PRIMARY KEY,
  plan_id INTEGER NOT NULL REFERENCES plan (id),
  position INTEGER NOT NULL,
  -- What it takes: lists with spaces between, empty for all. ISO codes; ranges such as +98912 or +98912-+98913; ids.
  countries TEXT NOT NULL,
  ranges TEXT NOT NULL,
  networks TEXT NOT NULL,
  classes TEXT NOT NULL,
  accounts TEXT NOT NULL
) STRICT;
CREATE INDEX plan_rule_plan ON plan_rule (plan_id, position);

CREATE TABLE plan_target (
  -- Stands in messages, so it never comes again.
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  rule_id INTEGER NOT NULL REFERENCES plan_rule (id),
  position INTEGER NOT NULL,
  weight INTEGER NOT NULL
) STRICT;
CREATE INDEX plan_target_rule ON plan_target (rule_id, position);

CREATE TABLE plan_target_route (
  target_id INTEGER NOT NULL REFERENCES plan_target (id),
  position INTEGER NOT NULL,
  route_id INTEGER NOT NULL REFERENCES route (id),
  PRIMARY KEY (target_id, position)
) STRICT, WITHOUT ROWID;

-- The plan that a sender's messages go by; NULL: its own list of routes alone.
ALTER TABLE sender ADD COLUMN plan_id INTEGER REFERENCES plan (id);

-- Networks and number ranges that the operator added to those that Peyk knows (src/domain/iran-networks.ts).
CREATE TABLE network (
  -- From 1000 on. Stands in messages and figures, so it never comes again.
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL UNIQUE COLLATE NOCASE
) STRICT;
INSERT INTO sqlite_sequence (name, seq) VALUES ('network', 999);

-- Numbers of 15 digits, both ends included (src/domain/number-range.ts). Ranges do not overlap.
CREATE TABLE network_range (
  first INTEGER PRIMARY KEY,
  last INTEGER NOT NULL,
  network_id INTEGER NOT NULL
) STRICT;
