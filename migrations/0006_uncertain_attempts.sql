-- Attempts of a message that ended without an answer: each may have brought it to the phone.
ALTER TABLE message ADD COLUMN uncertain_attempts INTEGER NOT NULL DEFAULT 0;
-- Found by the index message_retrying.
UPDATE message SET uncertain_attempts = 1 WHERE state IN ('retry_wait', 'uncertain') AND state = 'uncertain';
