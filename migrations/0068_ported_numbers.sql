-- The table of ported numbers is a file beside the database (src/store/ported-file.ts); this row says which. A message says
-- what named its network: 0 its number range, 1 the table.
CREATE TABLE ported_table (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  sum TEXT NOT NULL,
  numbers INTEGER NOT NULL,
  imported_at INTEGER NOT NULL
) STRICT;
ALTER TABLE message ADD COLUMN network_source INTEGER NOT NULL DEFAULT 0;
