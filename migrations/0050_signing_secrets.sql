-- The secret that the calls of an intake are signed with: it is read back, so it rests sealed. `previous_sealed` is good until
-- `previous_until`.
ALTER TABLE credential ADD COLUMN sealed_secret BLOB;
ALTER TABLE credential ADD COLUMN previous_sealed BLOB;
