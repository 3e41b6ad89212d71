-- What operators keep about an account; its customer never sees it.
ALTER TABLE account ADD COLUMN note TEXT;
