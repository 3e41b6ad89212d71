-- How far a customer may go with keys and credentials of its own. NULL: the default; without rate_max there is no such limit.
ALTER TABLE account ADD COLUMN keys_max INTEGER;
ALTER TABLE account ADD COLUMN credentials_max INTEGER;
ALTER TABLE account ADD COLUMN binds_max INTEGER;
ALTER TABLE account ADD COLUMN window_max INTEGER;
-- Messages a second.
ALTER TABLE account ADD COLUMN rate_max INTEGER;

-- What an operator set last: a customer may set less, never more. NULL: no operator has set it.
ALTER TABLE api_key ADD COLUMN operator_rate INTEGER;
ALTER TABLE api_key ADD COLUMN operator_permissions TEXT;
ALTER TABLE api_key ADD COLUMN operator_allow_from TEXT;
ALTER TABLE api_key ADD COLUMN operator_expires_at INTEGER;
ALTER TABLE credential ADD COLUMN operator_rate INTEGER;
ALTER TABLE credential ADD COLUMN operator_binds INTEGER;
ALTER TABLE credential ADD COLUMN operator_window INTEGER;

CREATE INDEX credential_key ON credential (api_key_id);

-- What is there counts as set by an operator, except where the audit knows that a customer made it and no one else changed it.
CREATE TEMP TABLE set_by_customer AS
  SELECT target FROM audit_entry AS entry LEFT JOIN console_user AS person ON person.name = entry.actor AND entry.origin <> 'socket'
  WHERE outcome = 'done' AND action IN ('key.create', 'key.update', 'credential.create', 'credential.update')
  GROUP BY target
  HAVING min(person.role IS 'customer') = 1 AND max(action IN ('key.create', 'credential.create')) = 1;

UPDATE api_key SET
  operator_rate = requests_per_minute,
  -- Of all eight, none is kept from it.
  operator_permissions = CASE WHEN length(permissions) - length(replace(permissions, ' ', '')) < 7 THEN permissions END,
  operator_allow_from = allow_from,
  operator_expires_at = expires_at
WHERE 'key_' || id NOT IN (SELECT target FROM set_by_customer);

-- Defaults of binds and window were set by nobody.
UPDATE credential SET
  operator_rate = rate_per_second,
  operator_binds = CASE WHEN kind = 'smpp' THEN nullif(json_extract(options, '$.binds'), 4) END,
  operator_window = CASE WHEN kind = 'smpp' THEN nullif(json_extract(options, '$.window'), 100) END
WHERE 'cred_' || id NOT IN (SELECT target FROM set_by_customer);

DROP TABLE set_by_customer;
