-- Idempotency-Keys lie in lots: each holds the keys of consecutive requests, sorted, in blocks of a page that are written once, one
-- after the other. So a key costs as many pages however many are stored. What `request_index` holds stays there until its requests
-- are gone; nothing is added to it.
CREATE TABLE key_lot (
  id INTEGER PRIMARY KEY,
  -- Of its requests.
  first_id INTEGER NOT NULL,
  last_id INTEGER NOT NULL,
  key_count INTEGER NOT NULL,
  -- The first fingerprint of each block. Null before the lot is whole, and once it is to be removed.
  starts BLOB
) STRICT;
CREATE TABLE key_block (
  -- Its lot, and its number there.
  id INTEGER PRIMARY KEY,
  -- Fingerprints of 8 octets, then as many of 4: the ids of their requests, counted from the lot's first.
  keys BLOB NOT NULL
) STRICT;
