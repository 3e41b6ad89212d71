-- The installation that this database belongs to; the file peyk.id beside it names the same one.

CREATE TABLE installation (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  -- A UUID, given at the first start.
  id TEXT NOT NULL
) STRICT;
