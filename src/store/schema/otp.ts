/** Tables of one-time passwords and the fraud guard's counts (migrations 4 and 13). */
import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { bytes } from "./bytes.ts";

export const otpSend = sqliteTable("otp_send", {
  messageId: integer("message_id").primaryKey(),
  accountId: integer("account_id").notNull(),
  recipient: text("recipient").notNull(),
  sentAt: integer("sent_at").notNull(),
  /** Null for a code that the customer made, as are the hash and the times below. */
  challengeId: text("challenge_id"),
  codeHash: bytes("code_hash"),
  expiresAt: integer("expires_at"),
  resendAt: integer("resend_at"),
  attempts: integer("attempts").notNull(),
  verifiedAt: integer("verified_at"),
  replacedAt: integer("replaced_at"),
});

export const otpRange = sqliteTable(
  "otp_range",
  {
    accountId: integer("account_id").notNull(),
    range: text("number_range").notNull(),
    hourStart: integer("hour_start").notNull(),
    sends: integer("sends").notNull(),
    challenges: integer("challenges").notNull(),
    verified: integer("verified").notNull(),
    held: integer("held").notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.range, table.hourStart] })],
);

/** Hash keys, sealed under the key file. */
export const hashKey = sqliteTable("hash_key", {
  purpose: text("purpose").primaryKey(),
  sealed: bytes("sealed").notNull(),
});
