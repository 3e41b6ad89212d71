-- Finding a segment's message took as long as the customer had sent others under its reference: 7 ms beside 10,000.
DROP INDEX smpp_assembly_key;
CREATE INDEX smpp_assembly_key ON smpp_assembly (state, credential_id, recipient, reference, sender, part_count);
DROP INDEX smpp_assembly_opened;
CREATE INDEX smpp_assembly_opened ON smpp_assembly (state, opened_at);

-- How many messages lack segments: of a credential, and of an account (`credential_id` 0).
CREATE TABLE smpp_incomplete (
  account_id INTEGER NOT NULL,
  credential_id INTEGER NOT NULL,
  messages INTEGER NOT NULL,
  PRIMARY KEY (account_id, credential_id)
) STRICT, WITHOUT ROWID;
INSERT INTO smpp_incomplete SELECT account_id, credential_id, count(*) FROM smpp_assembly WHERE state = 0 GROUP BY 1, 2;
INSERT INTO smpp_incomplete SELECT account_id, 0, sum(messages) FROM smpp_incomplete GROUP BY 1;
