/** Tables of credentials and of SMPP traffic (migration 45). */
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
  /** JSON; its shape depends on the kind. */
  options: text("options").notNull(),
  createdAt: integer("created_at").notNull(),
  revokedAt: integer("revoked_at"),
  /** The secret that signs an intake's calls (migration 50); null if they are unsigned. */
  sealedSecret: bytes("sealed_secret"),
  /** Valid until `previousUntil`. */
  previousSealed: bytes("previous_sealed"),
  /** JSON that says where its texts and statuses are forwarded (migration 52). */
  sealedForward: bytes("sealed_forward"),
  /** The limits that an operator set (migration 58); null where none was. */
  operatorRate: integer("operator_rate"),
  operatorBinds: integer("operator_binds"),
  operatorWindow: integer("operator_window"),
});

export const smppSubmit = sqliteTable("smpp_submit", {
  id: integer("id").primaryKey(),
  credentialId: integer("credential_id").notNull(),
  /** Null until all segments have arrived. */
  messageId: integer("message_id"),
  /** Null: the answer was the message's tracking code. */
  code: text("code"),
  registeredDelivery: integer("registered_delivery").notNull(),
  /** message_state of a segment whose message was never created. */
  endState: integer("end_state"),
  /** A value that a repeat shares with it, if the credential recognises repeats. */
  repeatKey: bytes("repeat_key"),
  payloadHash: bytes("payload_hash"),
  createdAt: integer("created_at").notNull(),
});

/** 0: segments are missing. 1: complete. 2: it will never be complete. */
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
  /** Null: the setting applies. */
  validityMs: integer("validity_ms"),
  /** The start of its timeout, by a clock that does not jump while Peyk runs. */
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
    /** UTF-16 (little-endian); null once the message is complete. */
    text: bytes("text"),
    /** What was reserved for it; the price is in the currency's smallest unit. */
    parts: integer("parts").notNull(),
    price: integer("price").notNull(),
    /** The time at which that was booked. */
    createdAt: integer("created_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.assemblyId, table.number] })],
);

/** How many assemblies lack segments: of a credential, and of an account, where `credentialId` is 0 (migration 57). */
export const smppIncomplete = sqliteTable(
  "smpp_incomplete",
  {
    accountId: integer("account_id").notNull(),
    credentialId: integer("credential_id").notNull(),
    messages: integer("messages").notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.credentialId] })],
);

export const credentialDelivery = sqliteTable("credential_delivery", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  credentialId: integer("credential_id").notNull(),
  /** The submit that the receipt belongs to; null for an inbound text. */
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

/** Requests that drop-in protocols accepted under their own keys (migration 49). */
export const credentialRequest = sqliteTable("credential_request", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  credentialId: integer("credential_id").notNull(),
  keyHash: bytes("key_hash").notNull(),
  payloadHash: bytes("payload_hash").notNull(),
  firstMessageId: integer("first_message_id").notNull(),
  messageCount: integer("message_count").notNull(),
  createdAt: integer("created_at").notNull(),
});
