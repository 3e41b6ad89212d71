-- Messages of the routes that ask their carrier where a receipt stays out, by when they are looked at next. A message that
-- has its receipt by then loses its row, so that a receipt itself costs nothing here. Other routes have no rows.
CREATE TABLE awaited_receipt (
  route_id INTEGER NOT NULL,
  due_at INTEGER NOT NULL,
  message_id INTEGER NOT NULL,
  -- How often it was asked about.
  asked INTEGER NOT NULL,
  PRIMARY KEY (route_id, due_at, message_id)
) STRICT, WITHOUT ROWID;
