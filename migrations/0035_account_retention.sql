-- Days after which the account's messages, sent and received, are deleted, and after which their texts are. Null: as the settings say,
-- and as long as the messages.
ALTER TABLE account ADD COLUMN retention_days INTEGER CHECK (retention_days > 0);
ALTER TABLE account ADD COLUMN text_days INTEGER CHECK (text_days > 0);
