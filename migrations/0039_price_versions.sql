-- A price list has one version of its lines that counts: an import writes the next one beside it, and the list changes to it whole.
ALTER TABLE price_list ADD COLUMN version_id INTEGER NOT NULL DEFAULT 0;
UPDATE price_list SET version_id = id;

CREATE TABLE price_version_line (
  -- Of a version that no list has, an import left the lines that did not end: they are removed.
  version_id INTEGER NOT NULL,
  -- The first digits of an E.164 number, without the plus; empty for every number.
  prefix TEXT NOT NULL,
  valid_from INTEGER NOT NULL,
  -- Of a part, in the currency's smallest unit.
  amount INTEGER NOT NULL CHECK (amount >= 0),
  PRIMARY KEY (version_id, prefix, valid_from)
) STRICT, WITHOUT ROWID;
INSERT INTO price_version_line SELECT list_id, prefix, valid_from, amount FROM price_line;
DROP TABLE price_line;
ALTER TABLE price_version_line RENAME TO price_line;
