/** The tables as drizzle sees them, for the queries that are not hot. `migrations/` is the truth; a test compares the two. */
import { blob, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { messageEncodings, messageErrorCodes, messageStates } from "../domain/message.ts";
import type { PatternVariable } from "../domain/pattern.ts";

export const account = sqliteTable("account", {
  id: integer("id").primaryKey(),
  name: text("name").notNull(),
  status: text("status", { enum: ["active", "suspended"] }).notNull(),
  defaultSender: text("default_sender"),
  createdAt: integer("created_at").notNull(),
});

export const apiKey = sqliteTable("api_key", {
  id: integer("id").primaryKey(),
  accountId: integer("account_id").notNull(),
  name: text("name").notNull(),
  secretHash: blob("secret_hash", { mode: "buffer" }).notNull(),
  previousHash: blob("previous_hash", { mode: "buffer" }),
  previousUntil: integer("previous_until"),
  requestsPerMinute: integer("requests_per_minute"),
  permissions: text("permissions").notNull(),
  expiresAt: integer("expires_at"),
  revokedAt: integer("revoked_at"),
  createdAt: integer("created_at").notNull(),
});

export const route = sqliteTable("route", {
  id: integer("id").primaryKey(),
  name: text("name").notNull(),
  kind: text("kind", { enum: ["simulator", "smpp", "http"] }).notNull(),
  enabled: integer("enabled", { mode: "boolean" }).notNull(),
  options: text("options").notNull(),
  sealedSecrets: blob("sealed_secrets", { mode: "buffer" }),
  createdAt: integer("created_at").notNull(),
  updatedAt: integer("updated_at").notNull(),
  removedAt: integer("removed_at"),
});

export const sender = sqliteTable("sender", {
  id: integer("id").primaryKey(),
  accountId: integer("account_id").notNull(),
  sender: text("sender").notNull(),
  active: integer("active", { mode: "boolean" }).notNull(),
  createdAt: integer("created_at").notNull(),
  removedAt: integer("removed_at"),
});

export const senderRoute = sqliteTable(
  "sender_route",
  {
    senderId: integer("sender_id").notNull(),
    position: integer("position").notNull(),
    routeId: integer("route_id").notNull(),
  },
  (table) => [primaryKey({ columns: [table.senderId, table.position] })],
);

export const message = sqliteTable("message", {
  id: integer("id").primaryKey(),
  trackingCode: text("tracking_code").notNull(),
  accountId: integer("account_id").notNull(),
  senderId: integer("sender_id").notNull(),
  class: integer("class").notNull(),
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
});

export const part = sqliteTable(
  "part",
  {
    messageId: integer("message_id").notNull(),
    number: integer("number").notNull(),
    routeId: integer("route_id").notNull(),
    providerId: text("provider_id"),
    receipt: text("receipt"),
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

export const line = sqliteTable("line", {
  number: text("number").primaryKey(),
  accountId: integer("account_id").notNull(),
  createdAt: integer("created_at").notNull(),
});

export const inbound = sqliteTable("inbound", {
  id: integer("id").primaryKey(),
  trackingCode: text("tracking_code").notNull(),
  routeId: integer("route_id").notNull(),
  accountId: integer("account_id"),
  position: integer("position"),
  sender: text("sender").notNull(),
  receiver: text("receiver").notNull(),
  text: text("text").notNull(),
  octets: blob("octets", { mode: "buffer" }),
  partCount: integer("part_count").notNull(),
  partsReceived: integer("parts_received").notNull(),
  receivedAt: integer("received_at").notNull(),
  availableAt: integer("available_at"),
});

export const approvedGroup = sqliteTable("approved_group", {
  id: integer("id").primaryKey(),
  accountId: integer("account_id").notNull(),
  code: text("code").notNull(),
  name: text("name").notNull(),
  status: text("status", { enum: ["draft", "approved", "suspended"] }).notNull(),
  approvedListId: integer("approved_list_id"),
  draftListId: integer("draft_list_id"),
  createdAt: integer("created_at").notNull(),
  updatedAt: integer("updated_at").notNull(),
});

export const memberList = sqliteTable("member_list", {
  id: integer("id").primaryKey(),
  groupId: integer("group_id").notNull(),
  memberCount: integer("member_count").notNull(),
  createdAt: integer("created_at").notNull(),
  approvedAt: integer("approved_at"),
  approvedBy: text("approved_by"),
});

export const pattern = sqliteTable("pattern", {
  id: integer("id").primaryKey(),
  accountId: integer("account_id").notNull(),
  code: text("code").notNull(),
  name: text("name").notNull(),
  status: text("status", { enum: ["draft", "approved", "suspended"] }).notNull(),
  text: text("text").notNull(),
  variables: text("variables", { mode: "json" }).$type<readonly PatternVariable[]>().notNull(),
  sender: text("sender"),
  createdAt: integer("created_at").notNull(),
  updatedAt: integer("updated_at").notNull(),
  approvedAt: integer("approved_at"),
  approvedBy: text("approved_by"),
});

export const approval = sqliteTable("approval", {
  id: integer("id").primaryKey(),
  subject: text("subject", { enum: ["group", "pattern"] }).notNull(),
  subjectId: integer("subject_id").notNull(),
  action: text("action", { enum: ["approved", "suspended"] }).notNull(),
  decidedBy: text("decided_by").notNull(),
  decidedAt: integer("decided_at").notNull(),
  memberCount: integer("member_count"),
});
