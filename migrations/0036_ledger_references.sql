-- What a top-up or a correction is called where it comes from, such as the number of a payment: it is entered once.
ALTER TABLE ledger ADD COLUMN reference TEXT;
CREATE UNIQUE INDEX ledger_reference ON ledger (account_id, reference) WHERE reference IS NOT NULL;
