-- What carriers refuse: how often in each quarter of an hour, by the code that they give. Written with the outcome.
CREATE TABLE refusal (
  slot_at INTEGER NOT NULL,
  route_id INTEGER NOT NULL,
  -- `rejected`, `temporary`, `throttled`, `uncertain` (no answer), or `receipt` (reported as failed later).
  kind TEXT NOT NULL,
  code TEXT NOT NULL,
  messages INTEGER NOT NULL,
  PRIMARY KEY (slot_at, route_id, kind, code)
) STRICT, WITHOUT ROWID;
