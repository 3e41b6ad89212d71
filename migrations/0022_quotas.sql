-- How many parts an account or an API key may send in a day or a month, and how many it has sent in the present one: counted by
-- the transaction that accepts them, from when the quota was set.
CREATE TABLE quota (
  subject TEXT NOT NULL CHECK (subject IN ('account', 'key')),
  subject_id INTEGER NOT NULL,
  period TEXT NOT NULL CHECK (period IN ('day', 'month')),
  parts_max INTEGER NOT NULL CHECK (parts_max >= 0),
  -- The beginning of the day or month that is counted; another one's parts count for nothing.
  starts_at INTEGER NOT NULL,
  parts_used INTEGER NOT NULL,
  PRIMARY KEY (subject, subject_id, period)
) STRICT, WITHOUT ROWID;
