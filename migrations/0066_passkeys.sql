-- Passkeys of the console's users (WebAuthn). Only public keys are kept.
CREATE TABLE passkey (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES console_user (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  -- The name of the host that it is bound to.
  host TEXT NOT NULL,
  -- 1: in place of the password and the code; 0: after the password, beside the codes.
  signs_in INTEGER NOT NULL CHECK (signs_in IN (0, 1)),
  credential_id TEXT NOT NULL UNIQUE,
  public_key BLOB NOT NULL,
  -- As its authenticator last counted; 0: it does not count.
  counter INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  used_at INTEGER
) STRICT;
CREATE INDEX passkey_user ON passkey (user_id);
