-- Recipients that were erased, by a keyed hash of their number: an older copy that is restored is cleaned of them again.
CREATE TABLE erasure (
  recipient_hash BLOB PRIMARY KEY,
  -- Epoch milliseconds.
  erased_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Erased numbers that must not get messages.
CREATE TABLE erased_suppression (
  -- 0: the list that counts for every account.
  account_id INTEGER NOT NULL,
  recipient_hash BLOB NOT NULL,
  source TEXT NOT NULL CHECK (source IN ('operator', 'import', 'keyword')),
  added_at INTEGER NOT NULL,
  PRIMARY KEY (account_id, recipient_hash)
) STRICT, WITHOUT ROWID;
