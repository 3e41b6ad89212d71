-- Receivers of alerts that were set in the console: a channel without a row follows the settings file.
CREATE TABLE alert_receiver (
  channel TEXT PRIMARY KEY,
  -- JSON; null: the channel is off, whatever the file says.
  settings TEXT,
  sealed_secret BLOB
) STRICT;
