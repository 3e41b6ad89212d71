/**
 * Tables of messages, their parts, receipts and timeline, and the requests that created them (migrations 1, 6, 9, 11,
 * 14, 27, 48, 59, 65 and 68).
 */
import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { campaignKinds } from "../../domain/campaign.ts";
import { type MessageClass, messageEncodings, messageErrorCodes, messageStates } from "../../domain/message.ts";
import type { NetworkSource } from "../../domain/network-source.ts";
import { bytes } from "./bytes.ts";

const receiptStates = ["delivered", "failed", "pending"] as const;

export const message = sqliteTable("message", {
  id: integer("id").primaryKey(),
  trackingCode: text("tracking_code").notNull(),
  accountId: integer("account_id").notNull(),
  senderId: integer("sender_id").notNull(),
  class: integer("class").$type<MessageClass>().notNull(),
  state: text("state", { enum: messageStates }).notNull(),
  dueAt: integer("due_at"),
  sender: text("sender").notNull(),
  recipient: text("recipient").notNull(),
  text: text("text").notNull(),
  clientReference: text("client_reference"),
  encoding: text("encoding", { enum: messageEncodings }).notNull(),
  characterCount: integer("character_count").notNull(),
  partCount: integer("part_count").notNull(),
  partsDelivered: integer("parts_delivered").notNull(),
  attempts: integer("attempts").notNull(),
  routeId: integer("route_id"),
  errorCode: text("error_code", { enum: messageErrorCodes }),
  submittedAt: integer("submitted_at").notNull(),
  sendAt: integer("send_at"),
  validUntil: integer("valid_until").notNull(),
  processingAt: integer("processing_at"),
  sentAt: integer("sent_at"),
  finalAt: integer("final_at"),
  updatedAt: integer("updated_at").notNull(),
  uncertainAttempts: integer("uncertain_attempts").notNull(),
  /** Null for a message older than the column. */
  apiKeyId: integer("api_key_id"),
  /** The routing target of the message; 0 for the sender's own list of routes. */
  targetId: integer("target_id").notNull(),
  /** From 0 to 3 (`priorityMax`): of an account's waiting messages of one class, the highest goes first. */
  priority: integer("priority").notNull(),
  /** The network of the recipient; 0 if unknown. */
  network: integer("network").notNull(),
  /** In the currency's smallest unit; null for none. */
  price: integer("price"),
  /**
   * In the same unit, set when the message is charged at its first hand-over; null before that, and if neither price
   * nor cost is known.
   */
  cost: integer("cost"),
  isTest: integer("is_test").$type<0 | 1>().notNull(),
  /** Id of the message that the operator resent as this one. */
  resentOf: integer("resent_of"),
  /** What named its network. */
  networkSource: integer("network_source").$type<NetworkSource>().notNull(),
});

export const messageStub = sqliteTable("message_stub", {
  messageId: integer("message_id").primaryKey(),
  trackingCode: text("tracking_code").notNull(),
  encoding: text("encoding", { enum: messageEncodings }).notNull(),
  characterCount: integer("character_count").notNull(),
  partCount: integer("part_count").notNull(),
  submittedAt: integer("submitted_at").notNull(),
  sendAt: integer("send_at"),
  hasFailed: integer("has_failed").$type<0 | 1>().notNull(),
});

export const part = sqliteTable(
  "part",
  {
    messageId: integer("message_id").notNull(),
    number: integer("number").notNull(),
    routeId: integer("route_id").notNull(),
    providerId: text("provider_id"),
    receipt: text("receipt", { enum: receiptStates }),
  },
  (table) => [primaryKey({ columns: [table.messageId, table.number] })],
);

export const timeline = sqliteTable("timeline", {
  id: integer("id").primaryKey(),
  messageId: integer("message_id").notNull(),
  at: integer("at").notNull(),
  kind: text("kind").notNull(),
  routeId: integer("route_id"),
  detail: text("detail").notNull(),
});

export const orphanReceipt = sqliteTable("orphan_receipt", {
  id: integer("id").primaryKey(),
  /** Index of this spelling of the provider's id, from 0, and the number of spellings. */
  spelling: integer("spelling").notNull(),
  spellings: integer("spellings").notNull(),
  routeId: integer("route_id").notNull(),
  providerId: text("provider_id").notNull(),
  state: text("state", { enum: receiptStates }).notNull(),
  errorCode: text("error_code", { enum: messageErrorCodes }),
  detail: text("detail").notNull(),
  at: integer("at").notNull(),
  receivedAt: integer("received_at").notNull(),
  anyWidth: integer("any_width", { mode: "boolean" }).notNull(),
  numberEnds: text("number_ends").notNull(),
});

export const awaitedReceipt = sqliteTable(
  "awaited_receipt",
  {
    routeId: integer("route_id").notNull(),
    dueAt: integer("due_at").notNull(),
    messageId: integer("message_id").notNull(),
    asked: integer("asked").notNull(),
  },
  (table) => [primaryKey({ columns: [table.routeId, table.dueAt, table.messageId] })],
);

export const acceptedRequest = sqliteTable("request", {
  id: integer("id").primaryKey(),
  firstMessageId: integer("first_message_id").notNull(),
  apiKeyId: integer("api_key_id").notNull(),
  key: text("key").notNull(),
  operation: text("operation").notNull(),
  payloadHash: bytes("payload_hash").notNull(),
  messageCount: integer("message_count").notNull(),
  createdAt: integer("created_at").notNull(),
});

export const requestIndex = sqliteTable(
  "request_index",
  {
    fingerprint: integer("fingerprint").notNull(),
    requestId: integer("request_id").notNull(),
  },
  (table) => [primaryKey({ columns: [table.fingerprint, table.requestId] })],
);

export const keyLot = sqliteTable("key_lot", {
  id: integer("id").primaryKey(),
  firstId: integer("first_id").notNull(),
  lastId: integer("last_id").notNull(),
  keyCount: integer("key_count").notNull(),
  starts: bytes("starts"),
});

export const keyBlock = sqliteTable("key_block", {
  id: integer("id").primaryKey(),
  keys: bytes("keys").notNull(),
});

export const requestIndexState = sqliteTable("request_index_state", {
  only: integer("only").primaryKey(),
  mergedTo: integer("merged_to").notNull(),
  unkeyedTo: integer("unkeyed_to").notNull().default(0),
});

export const requestIndexSecret = sqliteTable("request_index_secret", {
  only: integer("only").primaryKey(),
  secret: text("secret").notNull(),
});

export const campaign = sqliteTable("campaign", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  accountId: integer("account_id").notNull(),
  kind: text("kind", { enum: campaignKinds }).notNull(),
  /** Further requests of the account join the campaign by this name; null if none may. */
  name: text("name"),
  /** The approved group it was sent to. */
  groupCode: text("group_code"),
  /** 0 if a person sent it. */
  apiKeyId: integer("api_key_id").notNull(),
  createdAt: integer("created_at").notNull(),
  messageCount: integer("message_count").notNull(),
});

/** The messages of one request: `messageCount` consecutive ones. */
export const campaignRun = sqliteTable("campaign_run", {
  firstMessageId: integer("first_message_id").primaryKey(),
  campaignId: integer("campaign_id").notNull(),
  messageCount: integer("message_count").notNull(),
});

/** TLVs of a customer's SMPP client that a route passes on, as they came. */
export const messageTlvs = sqliteTable("message_tlvs", {
  messageId: integer("message_id").primaryKey(),
  octets: bytes("octets").notNull(),
});
