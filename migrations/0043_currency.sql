-- What the amounts of prices and ledgers are in: kept with the first of them, for nothing converts them.
CREATE TABLE currency (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  code TEXT NOT NULL
) STRICT;
