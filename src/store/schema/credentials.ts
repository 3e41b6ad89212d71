/** Tables of credentials, and of what came and goes by SMPP (migration 45). */
import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { credentialKinds, trafficKinds } from "../../domain/credential.ts";
import { messageErrorCodes } from "../../domain/message.ts";
import { bytes } from "./bytes.ts";

export const credential = sqliteTable("credential", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  apiKeyId: integer("api_key_id").notNull(),
  kind: text("kind", { enum: credentialKinds }).notNull(),
  name: text("name").notNull(),
  secretHash: bytes("secret_hash").notNull(),
  previousHash: bytes("previous_hash"),
  previousUntil: integer("previous_until"),
  traffic: text("traffic", { enum: trafficKinds }).notNull(),
  /** Messages a second; null for no limit. */
  ratePerSecond: integer("rate_per_second"),
  /** JSON of its kind. */
  options: text("options").notNull(),
  createdAt: integer("created_at").notNull(),
  revokedAt: integer("revoked_at"),
});

export const smppSubmit = sqliteTable("smpp_submit", {
  id: integer("id").primaryKey(),
  credentialId: integer("credential_id").notNull(),
  /** Null until all segments have come. */
  messageId: integer("message_id"),
  /** Null: it was answered with the message's tracking code. */
  code: text("code"),
  registeredDelivery: integer("registered_delivery").notNull(),
  /** message_state of a segment whose message never came to be. */
  endState: integer("end_state"),
  /** What a repeat has in common with it, where the credential recognises repeats. */
  repeatKey: bytes("repeat_key"),
  payloadHash: bytes("payload_hash"),
  createdAt: integer("created_at").notNull(),
});

/** 0: it lacks segments. 1: it came whole. 2: it never will. */
export type SmppAssemblyState = 0 | 1 | 2;

export const smppAssembly = sqliteTable("smpp_assembly", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  credentialId: integer("credential_id").notNull(),
  accountId: integer("account_id").notNull(),
  apiKeyId: integer("api_key_id").notNull(),
  sender: text("sender").notNull(),
  recipient: text("recipient").notNull(),
  reference: integer("reference").notNull(),
  partCount: integer("part_count").notNull(),
  trackingCode: text("tracking_code").notNull(),
  sendAt: integer("send_at"),
  /** Null: that of the settings. */
  validityMs: integer("validity_ms"),
  /** When its time began to run, by a clock that does not jump while Peyk runs. */
  openedAt: integer("opened_at").notNull(),
  state: integer("state").$type<SmppAssemblyState>().notNull(),
});

export const smppSegment = sqliteTable(
  "smpp_segment",
  {
    assemblyId: integer("assembly_id").notNull(),
    number: integer("number").notNull(),
    submitId: integer("submit_id").notNull(),
    digest: bytes("digest").notNull(),
    /** UTF-16 (little-endian); null once the message is whole. */
    text: bytes("text"),
    /** What was reserved for it; the price in the currency's smallest unit. */
    parts: integer("parts").notNull(),
    price: integer("price").notNull(),
    /** The time under which that was booked. */
    createdAt: integer("created_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.assemblyId, table.number] })],
);

export const credentialDelivery = sqliteTable("credential_delivery", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  credentialId: integer("credential_id").notNull(),
  /** Whose receipt it is; null for a text from a phone. */
  submitId: integer("submit_id"),
  inboundId: integer("inbound_id"),
  /** message_state of the receipt. */
  state: integer("state"),
  errorCode: text("error_code", { enum: messageErrorCodes }),
  endedAt: integer("ended_at"),
  attempts: integer("attempts").notNull(),
  dueAt: integer("due_at").notNull(),
  createdAt: integer("created_at").notNull(),
});
