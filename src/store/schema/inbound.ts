/**
 * Tables of lines and inbound texts: complete messages, parts that wait for others, and known repeats (migrations 2 and
 * 45).
 */
import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { ruleMatches } from "../../domain/inbound-rule.ts";
import { bytes } from "./bytes.ts";

export const line = sqliteTable("line", {
  number: text("number").primaryKey(),
  accountId: integer("account_id").notNull(),
  createdAt: integer("created_at").notNull(),
  /** The account's credential that gets what the number receives; null for none. */
  credentialId: integer("credential_id"),
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
  octets: bytes("octets"),
  partCount: integer("part_count").notNull(),
  partsReceived: integer("parts_received").notNull(),
  receivedAt: integer("received_at").notNull(),
  availableAt: integer("available_at"),
});

export const inboundCounter = sqliteTable("inbound_counter", {
  accountId: integer("account_id").primaryKey(),
  last: integer("last").notNull(),
});

export const inboundAssembly = sqliteTable("inbound_assembly", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  trackingCode: text("tracking_code").notNull(),
  routeId: integer("route_id").notNull(),
  sender: text("sender").notNull(),
  receiver: text("receiver").notNull(),
  reference: integer("reference").notNull(),
  partCount: integer("part_count").notNull(),
  receivedAt: integer("received_at").notNull(),
  openedAt: integer("opened_at").notNull(),
});

export const inboundPart = sqliteTable(
  "inbound_part",
  {
    assemblyId: integer("assembly_id").notNull(),
    number: integer("number").notNull(),
    content: bytes("content").notNull(),
    isBinary: integer("is_binary", { mode: "boolean" }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.assemblyId, table.number] })],
);

export const inboundSeen = sqliteTable("inbound_seen", {
  fingerprint: bytes("fingerprint").primaryKey(),
  expiresAt: integer("expires_at").notNull(),
});

/** Migration 67, as the last three. */
export const inboundRule = sqliteTable("inbound_rule", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  line: text("line").notNull(),
  position: integer("position").notNull(),
  match: text("match", { enum: ruleMatches }).notNull(),
  words: text("words").notNull(),
  hours: text("hours"),
  reply: text("reply"),
  closedReply: text("closed_reply"),
  joins: text("joins"),
  leaves: text("leaves"),
  forwardTo: text("forward_to"),
  mail: text("mail"),
  credentialId: integer("credential_id"),
  uses: integer("uses").notNull().default(0),
  usedAt: integer("used_at"),
});

/** Migration 70. */
export const inboundRuleDay = sqliteTable(
  "inbound_rule_day",
  {
    ruleId: integer("rule_id").notNull(),
    day: text("day").notNull(),
    texts: integer("texts").notNull(),
    sent: integer("sent").notNull(),
  },
  (table) => [primaryKey({ columns: [table.ruleId, table.day] })],
);

export const inboundAnswer = sqliteTable(
  "inbound_answer",
  {
    trackingCode: text("tracking_code").notNull(),
    kind: text("kind", { enum: ["reply", "forward"] }).notNull(),
    accountId: integer("account_id").notNull(),
    recipient: integer("recipient").notNull(),
    at: integer("at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.trackingCode, table.kind] })],
);

export const groupChange = sqliteTable(
  "group_change",
  {
    groupId: integer("group_id").notNull(),
    recipient: text("recipient").notNull(),
    joins: integer("joins", { mode: "boolean" }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.groupId, table.recipient] })],
);

export const inboundMail = sqliteTable("inbound_mail", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  trackingCode: text("tracking_code").notNull(),
  accountId: integer("account_id").notNull(),
  mail: text("mail").notNull(),
  attempts: integer("attempts").notNull().default(0),
  dueAt: integer("due_at").notNull(),
});
