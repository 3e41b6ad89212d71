-- What a rule took and sent on a day of its account's time zone.
CREATE TABLE inbound_rule_day (
  rule_id INTEGER NOT NULL REFERENCES inbound_rule (id) ON DELETE CASCADE,
  -- 2026-11-28
  day TEXT NOT NULL,
  texts INTEGER NOT NULL,
  sent INTEGER NOT NULL,
  PRIMARY KEY (rule_id, day)
) STRICT, WITHOUT ROWID;

-- A number that joins or leaves is looked up, in place of reading the whole list: 10 ms for 100,000 members.
CREATE INDEX group_member_recipient ON group_member (list_id, recipient);
