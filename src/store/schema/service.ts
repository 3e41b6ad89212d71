/** Tables of the service itself: console users with their sessions, the audit, alerts, the installation, the clock. */
import { blob, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { alertChannelNames } from "../../domain/alert-channel.ts";
import { languages, themes } from "../../domain/console-look.ts";
import { roles } from "../../domain/roles.ts";
import { signInSides, signInWays } from "../../domain/ways-in.ts";
import { bytes } from "./bytes.ts";

export const consoleUser = sqliteTable("console_user", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  name: text("name").notNull(),
  role: text("role", { enum: roles }).notNull(),
  accountId: integer("account_id"),
  passwordHash: text("password_hash"),
  sealedFactor: blob("sealed_factor", { mode: "buffer" }),
  factorStep: integer("factor_step").notNull().default(0),
  disabledAt: integer("disabled_at"),
  createdAt: integer("created_at").notNull(),
  language: text("language", { enum: languages }),
  theme: text("theme", { enum: themes }).notNull().default("system"),
  zone: text("zone"),
  hasShortcuts: integer("has_shortcuts", { mode: "boolean" }).notNull().default(true),
});

export const balanceWatch = sqliteTable("balance_watch", {
  userId: integer("user_id").primaryKey(),
  below: integer("below").notNull(),
  mail: text("mail").notNull(),
  tokenHash: blob("token_hash", { mode: "buffer" }),
  expiresAt: integer("expires_at"),
  toldAt: integer("told_at"),
});

export const senderRequest = sqliteTable("sender_request", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  accountId: integer("account_id").notNull(),
  sender: text("sender").notNull(),
  note: text("note").notNull(),
  askedBy: text("asked_by").notNull(),
  askedAt: integer("asked_at").notNull(),
  answer: text("answer", { enum: ["added", "refused"] }),
  answerNote: text("answer_note"),
  answeredBy: text("answered_by"),
  answeredAt: integer("answered_at"),
});

export const recoveryCode = sqliteTable(
  "recovery_code",
  { userId: integer("user_id").notNull(), codeHash: blob("code_hash", { mode: "buffer" }).notNull() },
  (table) => [primaryKey({ columns: [table.userId, table.codeHash] })],
);

export const setupLink = sqliteTable("setup_link", {
  userId: integer("user_id").primaryKey(),
  tokenHash: blob("token_hash", { mode: "buffer" }).notNull(),
  expiresAt: integer("expires_at").notNull(),
});

export const session = sqliteTable("session", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  tokenHash: blob("token_hash", { mode: "buffer" }).notNull(),
  userId: integer("user_id").notNull(),
  isConfirmed: integer("is_confirmed", { mode: "boolean" }).notNull(),
  address: text("address").notNull(),
  createdAt: integer("created_at").notNull(),
  seenAt: integer("seen_at").notNull(),
  wrongCodes: integer("wrong_codes").notNull().default(0),
  way: text("way", { enum: signInWays }).notNull().default("password"),
  hasFactor: integer("has_factor", { mode: "boolean" }).notNull().default(false),
  role: text("role", { enum: roles }),
  endsAt: integer("ends_at"),
  providerSession: text("provider_session"),
});

export const userIdentity = sqliteTable("user_identity", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  userId: integer("user_id").notNull(),
  side: text("side", { enum: signInSides }).notNull(),
  issuer: text("issuer").notNull(),
  subject: text("subject").notNull(),
  givesRole: integer("gives_role", { mode: "boolean" }).notNull(),
  createdAt: integer("created_at").notNull(),
  judgedAt: integer("judged_at"),
});

export const passkey = sqliteTable("passkey", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  userId: integer("user_id").notNull(),
  name: text("name").notNull(),
  host: text("host").notNull(),
  signsIn: integer("signs_in", { mode: "boolean" }).notNull(),
  credentialId: text("credential_id").notNull(),
  publicKey: blob("public_key", { mode: "buffer" }).notNull(),
  counter: integer("counter").notNull(),
  createdAt: integer("created_at").notNull(),
  usedAt: integer("used_at"),
});

export const userToken = sqliteTable("user_token", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  userId: integer("user_id").notNull(),
  name: text("name").notNull(),
  tokenHash: blob("token_hash", { mode: "buffer" }).notNull(),
  role: text("role", { enum: roles }).notNull(),
  expiresAt: integer("expires_at").notNull(),
  allowFrom: text("allow_from", { mode: "json" }).$type<readonly string[]>().notNull(),
  operations: text("operations", { mode: "json" }).$type<readonly string[]>().notNull(),
  freed: text("freed", { mode: "json" }).$type<readonly string[]>().notNull(),
  readsTexts: integer("reads_texts", { mode: "boolean" }).notNull(),
  createdAt: integer("created_at").notNull(),
  seenAt: integer("seen_at"),
});

export const alertState = sqliteTable("alert_state", {
  only: integer("only").primaryKey(),
  state: text("state").notNull(),
});

/** Receivers of alerts set in the console; a channel without a row follows the settings file. */
export const alertReceiver = sqliteTable("alert_receiver", {
  channel: text("channel", { enum: alertChannelNames }).primaryKey(),
  /** JSON; null: the channel is off. */
  settings: text("settings"),
  sealedSecret: bytes("sealed_secret"),
});

export const auditOutcomes = ["begun", "done", "refused"] as const;

/** State of the changed object, without secrets. */
export type AuditedState = Readonly<Record<string, unknown>>;

export const auditEntry = sqliteTable("audit_entry", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  at: integer("at").notNull(),
  actor: text("actor").notNull(),
  origin: text("origin").notNull(),
  action: text("action").notNull(),
  target: text("target").notNull(),
  outcome: text("outcome", { enum: auditOutcomes }).notNull(),
  error: text("error"),
  before: text("state_before", { mode: "json" }).$type<AuditedState>(),
  after: text("state_after", { mode: "json" }).$type<AuditedState>(),
});

export const installation = sqliteTable("installation", {
  only: integer("only").primaryKey(),
  id: text("id").notNull(),
});

export const wallClock = sqliteTable("wall_clock", {
  only: integer("only").primaryKey(),
  trustedAt: integer("trusted_at").notNull(),
  doubtedForMs: integer("doubted_for_ms").notNull(),
  /** The latest time used for booking; null if an earlier release ran last. */
  bookedAt: integer("booked_at"),
});
