-- What a customer's SMPP client sent in TLVs that a route passes on: tags, lengths and octets as they came. A message
-- without any has no row.
CREATE TABLE message_tlvs (
  message_id INTEGER PRIMARY KEY,
  octets BLOB NOT NULL
) STRICT;
