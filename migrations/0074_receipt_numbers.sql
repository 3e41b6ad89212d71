-- The last digits of the numbers that a waiting receipt names: a carrier may give its id to another message.
ALTER TABLE orphan_receipt ADD COLUMN number_ends TEXT NOT NULL DEFAULT '';
