-- Countries that an account may send to, as ISO codes with spaces between. Null: those of the settings; empty: every country.
ALTER TABLE account ADD COLUMN countries TEXT;
