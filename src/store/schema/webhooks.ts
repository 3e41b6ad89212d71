/** Tables of webhooks, events, deliveries and attempts (migrations 3, 8, 17 and 51). */
import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { bytes } from "./bytes.ts";

export const webhook = sqliteTable("webhook", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  publicId: text("public_id").notNull(),
  accountId: integer("account_id").notNull(),
  url: text("url").notNull(),
  events: text("events").notNull(),
  active: integer("active", { mode: "boolean" }).notNull(),
  sealedSecret: bytes("sealed_secret").notNull(),
  nextSealedSecret: bytes("next_sealed_secret"),
  nextSecretFrom: integer("next_secret_from"),
  stoppedThrough: integer("stopped_through").notNull(),
  isSlow: integer("is_slow", { mode: "boolean" }).notNull(),
  failingSince: integer("failing_since"),
  failedAt: integer("failed_at"),
  /** When the service switched it off; null if its customer did. */
  switchedOffAt: integer("switched_off_at"),
  /** Null for a customer's webhook; otherwise this row is the credential's queue of message callbacks. */
  credentialId: integer("credential_id"),
  createdAt: integer("created_at").notNull(),
  updatedAt: integer("updated_at").notNull(),
  removedAt: integer("removed_at"),
});

export const event = sqliteTable("event", {
  id: integer("id").primaryKey(),
  publicId: text("public_id").notNull(),
  accountId: integer("account_id").notNull(),
  kind: text("kind").notNull(),
  subject: text("subject"),
  step: text("step").notNull(),
  body: text("body").notNull(),
  createdAt: integer("created_at").notNull(),
});

export const delivery = sqliteTable("delivery", {
  id: integer("id").primaryKey(),
  webhookId: integer("webhook_id").notNull(),
  eventId: integer("event_id").notNull(),
  state: text("state", { enum: ["waiting", "held", "delivered", "failed", "stopped"] }).notNull(),
  dueAt: integer("due_at"),
  attempts: integer("attempts").notNull(),
  attemptsBefore: integer("attempts_before").notNull(),
  createdAt: integer("created_at").notNull(),
  endedAt: integer("ended_at"),
});

export const attempt = sqliteTable(
  "attempt",
  {
    deliveryId: integer("delivery_id").notNull(),
    number: integer("number").notNull(),
    at: integer("at").notNull(),
    failure: text("failure"),
    detail: text("detail").notNull(),
    status: integer("status"),
    address: text("address"),
    durationMs: integer("duration_ms").notNull(),
    excerpt: bytes("excerpt").notNull(),
  },
  (table) => [primaryKey({ columns: [table.deliveryId, table.number] })],
);

export const messageCallback = sqliteTable("message_callback", {
  messageId: integer("message_id").primaryKey(),
  /** The queue it belongs to. */
  webhookId: integer("webhook_id").notNull(),
  protocol: text("protocol").notNull(),
  mask: integer("mask").notNull(),
  sealed: bytes("sealed").notNull(),
});
