/** Tables of recipients: erased and suppressed ones, and their one-time passwords. */
import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { OtpStep, OtpStepsOutcome } from "../../domain/otp-steps.ts";
import { suppressionSources } from "../../domain/suppression.ts";
import { bytes } from "./bytes.ts";

export const erasure = sqliteTable("erasure", {
  recipientHash: bytes("recipient_hash").primaryKey(),
  erasedAt: integer("erased_at").notNull(),
});

export const erasedSuppression = sqliteTable(
  "erased_suppression",
  {
    accountId: integer("account_id").notNull(),
    recipientHash: bytes("recipient_hash").notNull(),
    source: text("source", { enum: suppressionSources }).notNull(),
    addedAt: integer("added_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.recipientHash] })],
);

export const suppression = sqliteTable(
  "suppression",
  {
    accountId: integer("account_id").notNull(),
    recipient: integer("recipient").notNull(),
    additionId: integer("addition_id").notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.recipient] })],
);

export const suppressionAddition = sqliteTable("suppression_addition", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  accountId: integer("account_id").notNull(),
  source: text("source", { enum: suppressionSources }).notNull(),
  detail: text("detail").notNull(),
  addedAt: integer("added_at").notNull(),
  isPending: integer("is_pending").$type<0 | 1>().notNull(),
  confirmationId: integer("confirmation_id"),
});

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

export const otpPlan = sqliteTable(
  "otp_plan",
  {
    accountId: integer("account_id").notNull(),
    pattern: text("pattern").notNull(),
    steps: text("steps", { mode: "json" }).$type<readonly OtpStep[]>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.pattern] })],
);

export const otpSequence = sqliteTable("otp_sequence", {
  messageId: integer("message_id").primaryKey(),
  accountId: integer("account_id").notNull(),
  steps: text("steps", { mode: "json" }).$type<readonly OtpStep[]>().notNull(),
  begun: integer("begun").notNull(),
  dueAt: integer("due_at"),
  sealed: bytes("sealed"),
  outcome: text("outcome").$type<OtpStepsOutcome>(),
  endedAt: integer("ended_at"),
});

export const otpStep = sqliteTable("otp_step", {
  messageId: integer("message_id").primaryKey(),
  firstMessageId: integer("first_message_id").notNull(),
  position: integer("position").notNull(),
  beganAt: integer("began_at").notNull(),
});

export const otpEndUser = sqliteTable("otp_end_user", {
  messageId: integer("message_id").primaryKey(),
  address: bytes("address").notNull(),
  sentAt: integer("sent_at").notNull(),
});

/** Hash keys, sealed under the key file. */
export const hashKey = sqliteTable("hash_key", {
  purpose: text("purpose").primaryKey(),
  sealed: bytes("sealed").notNull(),
});
