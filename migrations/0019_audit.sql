-- What operators change, one row a change: written before it is made, completed when it has been.

CREATE TABLE audit_entry (
  id INTEGER PRIMARY KEY,
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
