-- What each target of a rule lacks of its share, in parts times the sum of the rule's weights (src/domain/weighted-shares.ts).
ALTER TABLE plan_target ADD COLUMN lacks INTEGER NOT NULL DEFAULT 0;
