-- Sends to many that belong together, as runs of messages: texts, numbers and states are those of the messages.
CREATE TABLE campaign (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id INTEGER NOT NULL,
  kind TEXT NOT NULL,
  -- What joins several requests; of an account.
  name TEXT,
  group_code TEXT,
  api_key_id INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  message_count INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX campaign_name ON campaign (account_id, name) WHERE name IS NOT NULL;
CREATE TABLE campaign_run (
  first_message_id INTEGER PRIMARY KEY,
  campaign_id INTEGER NOT NULL,
  message_count INTEGER NOT NULL
) STRICT;
CREATE INDEX campaign_run_campaign ON campaign_run (campaign_id);
