-- The message that the operator sent again as this one.
ALTER TABLE message ADD COLUMN resent_of INTEGER;
