-- Windows in which the account's bulk waits, with commas between. Null: those of the settings; empty: none.
ALTER TABLE account ADD COLUMN quiet_hours TEXT;
-- Whether single messages wait, too. Null: as the settings say.
ALTER TABLE account ADD COLUMN quiet_singles INTEGER CHECK (quiet_singles IN (0, 1));
