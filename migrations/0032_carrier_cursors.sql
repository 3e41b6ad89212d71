-- Up to where a route has read what the carrier keeps for it.
CREATE TABLE carrier_cursor (
  route_id INTEGER NOT NULL,
  -- The line that was asked for; empty where the route asks for all at once.
  line TEXT NOT NULL,
  position TEXT NOT NULL,
  PRIMARY KEY (route_id, line)
) STRICT, WITHOUT ROWID;
