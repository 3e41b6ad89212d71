-- The first page's chart of the last hour, over a restart. A minute in which the service did not run has no row.
CREATE TABLE outcome_minute (
  -- Its start, in epoch milliseconds.
  at INTEGER PRIMARY KEY,
  delivered INTEGER NOT NULL,
  -- Below zero where more receipts came for earlier minutes than messages were handed over.
  sent INTEGER NOT NULL,
  cancelled INTEGER NOT NULL,
  failed INTEGER NOT NULL
) STRICT;
