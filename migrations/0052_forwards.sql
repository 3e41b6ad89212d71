-- Where a credential's texts and statuses are forwarded to, and how: JSON, sealed, since URLs carry tokens.
ALTER TABLE credential ADD COLUMN sealed_forward BLOB;
