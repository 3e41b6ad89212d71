-- Under which id a regulator knows a pattern's text. A message by such a pattern has a row, the others have none.
ALTER TABLE pattern ADD COLUMN template_id TEXT;

CREATE TABLE message_template (
  message_id INTEGER PRIMARY KEY,
  pattern_id INTEGER NOT NULL
) STRICT;
