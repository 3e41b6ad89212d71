-- How each user reads the console; NULL follows the browser, and for the zone the settings.

ALTER TABLE console_user ADD COLUMN language TEXT CHECK (language IN ('en', 'fa'));
ALTER TABLE console_user ADD COLUMN theme TEXT NOT NULL DEFAULT 'system' CHECK (theme IN ('system', 'light', 'dark'));
ALTER TABLE console_user ADD COLUMN zone TEXT;
ALTER TABLE console_user ADD COLUMN has_shortcuts INTEGER NOT NULL DEFAULT 1 CHECK (has_shortcuts IN (0, 1));
