-- Keys of hashes, sealed: derived from the first key file, and kept when that is rotated, so that stored hashes stay comparable.
CREATE TABLE hash_key (
  purpose TEXT PRIMARY KEY,
  sealed BLOB NOT NULL
) STRICT;
