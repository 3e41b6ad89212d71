-- The newest wall time that was believed, so that a start can tell a clock that jumped ahead while Peyk did not run.

CREATE TABLE wall_clock (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  -- Epoch milliseconds.
  trusted_at INTEGER NOT NULL,
  -- How long the clock has been in doubt, in milliseconds; 0 where it is not.
  doubted_for_ms INTEGER NOT NULL
) STRICT;
