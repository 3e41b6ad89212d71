-- Which alerts stand and which notices are on their way: one document, read at a start, so that a restart tells nothing twice.
CREATE TABLE alert_state (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  state TEXT NOT NULL
) STRICT;
