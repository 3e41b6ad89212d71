-- The signing secret that follows the present one, and from when it signs (epoch milliseconds). Both null unless one follows.
ALTER TABLE webhook ADD COLUMN next_sealed_secret BLOB;
ALTER TABLE webhook ADD COLUMN next_secret_from INTEGER;
