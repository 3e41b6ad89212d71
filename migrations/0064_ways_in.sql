-- Who a provider of single sign-on says that a user is, by its own name of the person: never by an address of mail.
CREATE TABLE user_identity (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL UNIQUE REFERENCES console_user (id) ON DELETE CASCADE,
  -- Where it signs in: the provider of those who run the service never opens a customer's page.
  side TEXT NOT NULL,
  issuer TEXT NOT NULL,
  subject TEXT NOT NULL,
  -- 1: the provider decides what the user may; 0: it was linked to a user who has a role here.
  gives_role INTEGER NOT NULL CHECK (gives_role IN (0, 1)),
  created_at INTEGER NOT NULL,
  -- When the provider last let the user in; NULL before the first time.
  judged_at INTEGER,
  UNIQUE (side, issuer, subject)
) STRICT;

-- By which way somebody came in: password, link, oidc, passkey.
ALTER TABLE session ADD COLUMN way TEXT NOT NULL DEFAULT 'password';
-- 1: that way was a second factor, too, so none is demanded beside it.
ALTER TABLE session ADD COLUMN has_factor INTEGER NOT NULL DEFAULT 0;
-- As the provider judged it at sign-in; NULL: the user's own.
ALTER TABLE session ADD COLUMN role TEXT;
-- When it ends however it is used; NULL: as any other.
ALTER TABLE session ADD COLUMN ends_at INTEGER;
-- The provider's own name of its session, by which it ends it.
ALTER TABLE session ADD COLUMN provider_session TEXT;
