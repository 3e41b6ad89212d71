-- Few messages fail, and they are what people look for: a search for them reads these alone.
CREATE INDEX message_failed ON message (id) WHERE state = 'failed';
