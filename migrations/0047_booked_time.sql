-- Lines of a ledger follow each other by number, and are booked under a time of their own: a clock that jumped ahead and came back
-- left them, and all that followed, in a month that had not begun. Older lines are booked by their time, as they were.
CREATE TABLE next_ledger (
  account_id INTEGER NOT NULL,
  number INTEGER NOT NULL,
  -- By the clock, which may have been wrong.
  at INTEGER NOT NULL,
  -- Statements follow it. It stands still while the clock is doubted, and goes back only where ledger_step says so.
  booked_at INTEGER NOT NULL,
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
  reference TEXT,
  PRIMARY KEY (account_id, number)
) STRICT, WITHOUT ROWID;
INSERT INTO next_ledger SELECT
  account_id, number, at, at, kind, amount, reserved, captured, released, settled_after, reserved_after, note, actor, reference
FROM ledger ORDER BY account_id, at, number;
DROP TABLE ledger;
ALTER TABLE next_ledger RENAME TO ledger;
CREATE INDEX ledger_entered ON ledger (account_id, booked_at) WHERE kind <> 'messages';
CREATE UNIQUE INDEX ledger_reference ON ledger (account_id, reference) WHERE reference IS NOT NULL;

-- Lines that are booked earlier than the one before: the first one of this release where the clock had been ahead, and where an
-- operator says that a clock is right which is behind.
CREATE TABLE ledger_step (
  account_id INTEGER NOT NULL,
  number INTEGER NOT NULL,
  PRIMARY KEY (account_id, number)
) STRICT, WITHOUT ROWID;

-- The newest time under which something was booked.
ALTER TABLE wall_clock ADD COLUMN booked_at INTEGER;
