-- Callbacks to a URL that came with a message. Their queues, one for each credential and origin, stand among the webhooks, with the
-- origin in the URL's place, so that outbox, attempts and replays are the same.
ALTER TABLE webhook ADD COLUMN credential_id INTEGER;
CREATE UNIQUE INDEX webhook_queue ON webhook (credential_id, url) WHERE credential_id IS NOT NULL;

-- `mask`: what is wanted, by the protocol. `sealed`: the URL, which may carry tokens, and what is filled into it.
CREATE TABLE message_callback (
  message_id INTEGER PRIMARY KEY,
  webhook_id INTEGER NOT NULL,
  protocol TEXT NOT NULL,
  mask INTEGER NOT NULL,
  sealed BLOB NOT NULL
) STRICT;
