-- Numbers that must not get messages. Only the first table is ever large: a row takes about 20 octets.

CREATE TABLE suppression (
  -- 0: the list that counts for every account.
  account_id INTEGER NOT NULL,
  -- E.164 without its plus.
  recipient INTEGER NOT NULL,
  addition_id INTEGER NOT NULL,
  PRIMARY KEY (account_id, recipient)
) STRICT, WITHOUT ROWID;

-- How numbers came onto a list, and when: one row for a whole import.
CREATE TABLE suppression_addition (
  id INTEGER PRIMARY KEY,
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
CREATE INDEX suppression_addition_pending ON suppression_addition (id) WHERE is_pending = 1;

-- Which messages of the account the lists stop.
ALTER TABLE account ADD COLUMN suppression_scope TEXT NOT NULL DEFAULT 'bulk'
  CHECK (suppression_scope IN ('bulk', 'all_but_otp', 'all'));
