-- Where an account's days begin, a name of the IANA database. Null: the time zone of the settings.
ALTER TABLE account ADD COLUMN time_zone TEXT;
