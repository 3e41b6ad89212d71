-- Webhooks, the events that they hear of, one delivery per event and webhook, and every attempt at it.

CREATE TABLE webhook (
  id INTEGER PRIMARY KEY,
  -- The id that its account knows it by: a UUID.
  public_id TEXT NOT NULL UNIQUE,
  account_id INTEGER NOT NULL REFERENCES account (id),
  url TEXT NOT NULL,
  -- Event kinds, separated by spaces.
  events TEXT NOT NULL,
  active INTEGER NOT NULL DEFAULT 1 CHECK (active IN (0, 1)),
  sealed_secret BLOB NOT NULL,
  -- Deliveries up to this id ended when the webhook was switched off, also where their rows do not say so yet; 0 once they all do.
  stopped_through INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  removed_at INTEGER
) STRICT;
CREATE INDEX webhook_account ON webhook (account_id);

CREATE TABLE event (
  id INTEGER PRIMARY KEY,
  -- The id in header and envelope: a UUID that grows with time, so that its index grows at one end.
  public_id TEXT NOT NULL UNIQUE,
  account_id INTEGER NOT NULL,
  kind TEXT NOT NULL,
  -- The tracking code that it speaks of, and the status that was reached; a test event has no subject.
  subject TEXT,
  step TEXT NOT NULL,
  -- The envelope, exactly as it is signed and sent.
  body TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX event_once ON event (subject, kind, step) WHERE subject IS NOT NULL;

CREATE TABLE delivery (
  id INTEGER PRIMARY KEY,
  webhook_id INTEGER NOT NULL,
  event_id INTEGER NOT NULL,
  -- waiting: due at due_at. held: behind an earlier event of the same subject. The rest is final.
  state TEXT NOT NULL CHECK (state IN ('waiting', 'held', 'delivered', 'failed', 'stopped')),
  due_at INTEGER,
  attempts INTEGER NOT NULL DEFAULT 0,
  -- Attempts that were made before the last replay: the schedule counts from there.
  attempts_before INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  ended_at INTEGER,
  CHECK ((state = 'waiting') = (due_at IS NOT NULL))
) STRICT;
-- An event reaches a webhook by one delivery, whatever happens.
CREATE UNIQUE INDEX delivery_once ON delivery (webhook_id, event_id);
CREATE INDEX delivery_due ON delivery (webhook_id, due_at, id) WHERE due_at IS NOT NULL;

CREATE TABLE attempt (
  delivery_id INTEGER NOT NULL,
  number INTEGER NOT NULL,
  at INTEGER NOT NULL,
  -- Null where the receiver took the callback.
  failure TEXT,
  detail TEXT NOT NULL,
  status INTEGER,
  address TEXT,
  duration_ms INTEGER NOT NULL,
  -- The first bytes of the answer.
  excerpt BLOB NOT NULL,
  PRIMARY KEY (delivery_id, number)
) STRICT, WITHOUT ROWID;
