-- Parts and early receipts are found whatever zeros a carrier writes in front of an id.
DROP INDEX part_provider_id;
CREATE INDEX part_provider_id ON part (route_id, ltrim(provider_id, '0')) WHERE provider_id IS NOT NULL;
DROP INDEX orphan_receipt_provider_id;
CREATE INDEX orphan_receipt_provider_id ON orphan_receipt (route_id, ltrim(provider_id, '0'));
-- Whether zeros in front of the receipt's id do not count.
ALTER TABLE orphan_receipt ADD COLUMN any_width INTEGER NOT NULL DEFAULT 0 CHECK (any_width IN (0, 1));
