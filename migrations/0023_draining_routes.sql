-- Since when a route takes no more messages and waits for answers and receipts. Null: it takes them.
ALTER TABLE route ADD COLUMN draining_since INTEGER;
