-- Of the messages charged: whose network the table of ported numbers named, and whose a look-up.
ALTER TABLE charge ADD COLUMN by_table INTEGER NOT NULL DEFAULT 0;
ALTER TABLE charge ADD COLUMN by_lookup INTEGER NOT NULL DEFAULT 0;
