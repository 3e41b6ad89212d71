/** Tables behind figures and searches (migrations 12, 18, 37, 41 and 56). */

import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { refusalKinds } from "../../domain/carrier-refusal.ts";
import { type MessageClass, type MessageErrorCode, publicStatuses } from "../../domain/message.ts";
import { bytes } from "./bytes.ts";

export const rollup = sqliteTable(
  "rollup",
  {
    /** Start of the quarter hour in which the messages were accepted. */
    slotAt: integer("slot_at").notNull(),
    accountId: integer("account_id").notNull(),
    senderId: integer("sender_id").notNull(),
    /** 0 before the message was handed to a route. */
    routeId: integer("route_id").notNull(),
    class: integer("class").$type<MessageClass>().notNull(),
    network: integer("network").notNull(),
    status: text("status", { enum: publicStatuses }).notNull(),
    /** Empty for a message without an error. */
    errorCode: text("error_code").$type<MessageErrorCode | "">().notNull(),
    /** Class of the time to delivery; 0 if not delivered. */
    deliveryTime: integer("delivery_time").notNull(),
    messages: integer("messages").notNull(),
    parts: integer("parts").notNull(),
  },
  (table) => [
    primaryKey({
      columns: [
        table.slotAt,
        table.accountId,
        table.senderId,
        table.routeId,
        table.class,
        table.network,
        table.status,
        table.errorCode,
        table.deliveryTime,
      ],
    }),
  ],
);

export const rollupState = sqliteTable("rollup_state", {
  only: integer("only").primaryKey(),
  filledTo: integer("filled_to").notNull(),
  fillEnd: integer("fill_end").notNull(),
  trimmedTo: integer("trimmed_to").notNull(),
  /** Slots that begin before it may be gone. */
  removedTo: integer("removed_to").notNull(),
});

/** What reached each outcome within the minute, less what left it. */
export const outcomeMinute = sqliteTable("outcome_minute", {
  at: integer("at").primaryKey(),
  delivered: integer("delivered").notNull(),
  sent: integer("sent").notNull(),
  cancelled: integer("cancelled").notNull(),
  failed: integer("failed").notNull(),
});

export const searchRun = sqliteTable("search_run", {
  id: integer("id").primaryKey(),
  firstMessageId: integer("first_message_id").notNull(),
  lastMessageId: integer("last_message_id").notNull(),
  /** When its oldest message was accepted, in epoch milliseconds; null if a search must read each one. */
  firstAt: integer("first_at"),
  lastAt: integer("last_at"),
});

export const searchPage = sqliteTable("search_page", {
  id: integer("id").primaryKey(),
  runId: integer("run_id").notNull(),
  kind: text("kind", { enum: ["recipient", "reference"] }).notNull(),
  firstEntry: integer("first_entry").notNull(),
  entries: bytes("entries").notNull(),
});

export const searchState = sqliteTable("search_state", {
  only: integer("only").primaryKey(),
  mergedTo: integer("merged_to").notNull(),
});

export const refusal = sqliteTable(
  "refusal",
  {
    slotAt: integer("slot_at").notNull(),
    routeId: integer("route_id").notNull(),
    kind: text("kind", { enum: refusalKinds }).notNull(),
    code: text("code").notNull(),
    messages: integer("messages").notNull(),
  },
  (table) => [primaryKey({ columns: [table.slotAt, table.routeId, table.kind, table.code] })],
);
