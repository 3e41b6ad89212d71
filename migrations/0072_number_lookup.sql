-- Whom the networks of numbers are asked of: the sealed file of the service, and how many questions the latest day had (days
-- since the epoch, UTC).
CREATE TABLE number_lookup (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  sealed BLOB NOT NULL,
  day INTEGER NOT NULL,
  asked INTEGER NOT NULL
) STRICT;
