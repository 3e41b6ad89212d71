-- For which end users' addresses codes were sent: a keyed hash each, for a day. Empty while no limit is set.
CREATE TABLE otp_end_user (
  message_id INTEGER PRIMARY KEY REFERENCES otp_send (message_id) ON DELETE CASCADE,
  address BLOB NOT NULL,
  sent_at INTEGER NOT NULL
) STRICT;
CREATE INDEX otp_end_user_address ON otp_end_user (address, sent_at);
CREATE INDEX otp_end_user_sent_at ON otp_end_user (sent_at);
