-- Wrong codes of a session that waits for its second factor: after five it ends.
ALTER TABLE session ADD COLUMN wrong_codes INTEGER NOT NULL DEFAULT 0;
