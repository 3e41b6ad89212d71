-- Idempotency-Keys are indexed by a hash under this secret, so that nobody can make keys that share a place in the index.
-- It is the database's own: a new key file changes nothing here.
CREATE TABLE request_index_secret (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  secret TEXT NOT NULL
) STRICT;
INSERT INTO request_index_secret (only, secret) VALUES (1, hex(randomblob(32)));

-- Requests up to this id were indexed by the unkeyed hash; they are found by it until they are forgotten.
ALTER TABLE request_index_state ADD COLUMN unkeyed_to INTEGER NOT NULL DEFAULT 0;
UPDATE request_index_state SET unkeyed_to = merged_to;
