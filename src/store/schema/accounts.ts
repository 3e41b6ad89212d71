/** Tables of accounts, keys, senders, routes and quotas (migrations 1, 5, 7, 21, 25, 30, 35, 38 and 58). */
import { blob, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { suppressionScopes } from "../../domain/suppression.ts";

export const account = sqliteTable("account", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  name: text("name").notNull(),
  status: text("status", { enum: ["active", "suspended"] }).notNull(),
  defaultSender: text("default_sender"),
  countries: text("countries"),
  /** An IANA time zone; null for the one in the settings. */
  timeZone: text("time_zone"),
  suppressionScope: text("suppression_scope", { enum: suppressionScopes }).notNull().default("bulk"),
  /** Windows separated by commas (see domain/quiet-hours.ts); null for those in the settings, empty for none. */
  quietHours: text("quiet_hours"),
  /** Null: the setting applies. */
  quietSingles: integer("quiet_singles", { mode: "boolean" }),
  /** Days until its messages are removed; null: the setting applies. */
  retentionDays: integer("retention_days"),
  /** Days until the texts of its messages are removed; null: with the messages. */
  textDays: integer("text_days"),
  /** For operators only; null for none. */
  note: text("note"),
  /** How far its customer may go with keys and credentials (see domain/customer-limits.ts). */
  keysMax: integer("keys_max"),
  credentialsMax: integer("credentials_max"),
  bindsMax: integer("binds_max"),
  windowMax: integer("window_max"),
  rateMax: integer("rate_max"),
  createdAt: integer("created_at").notNull(),
});

export const apiKey = sqliteTable("api_key", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  accountId: integer("account_id").notNull(),
  name: text("name").notNull(),
  secretHash: blob("secret_hash", { mode: "buffer" }).notNull(),
  previousHash: blob("previous_hash", { mode: "buffer" }),
  previousUntil: integer("previous_until"),
  requestsPerMinute: integer("requests_per_minute"),
  permissions: text("permissions").notNull(),
  allowFrom: text("allow_from"),
  expiresAt: integer("expires_at"),
  revokedAt: integer("revoked_at"),
  isTest: integer("is_test", { mode: "boolean" }).notNull().default(false),
  /** The limits that an operator set; null where none was. */
  operatorRate: integer("operator_rate"),
  operatorPermissions: text("operator_permissions"),
  operatorAllowFrom: text("operator_allow_from"),
  operatorExpiresAt: integer("operator_expires_at"),
  createdAt: integer("created_at").notNull(),
});

export const route = sqliteTable("route", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  name: text("name").notNull(),
  kind: text("kind", { enum: ["simulator", "smpp", "http"] }).notNull(),
  enabled: integer("enabled", { mode: "boolean" }).notNull(),
  options: text("options").notNull(),
  sealedSecrets: blob("sealed_secrets", { mode: "buffer" }),
  createdAt: integer("created_at").notNull(),
  updatedAt: integer("updated_at").notNull(),
  removedAt: integer("removed_at"),
  drainingSince: integer("draining_since"),
});

export const sender = sqliteTable("sender", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  accountId: integer("account_id").notNull(),
  sender: text("sender").notNull(),
  active: integer("active", { mode: "boolean" }).notNull(),
  /** The routing plan for its messages; null: only its own list of routes. */
  planId: integer("plan_id"),
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

export const quotaSubjects = ["account", "key"] as const;
export const quotaPeriods = ["day", "month"] as const;

export const quota = sqliteTable(
  "quota",
  {
    subject: text("subject", { enum: quotaSubjects }).notNull(),
    subjectId: integer("subject_id").notNull(),
    period: text("period", { enum: quotaPeriods }).notNull(),
    partsMax: integer("parts_max").notNull(),
    startsAt: integer("starts_at").notNull(),
    partsUsed: integer("parts_used").notNull(),
  },
  (table) => [primaryKey({ columns: [table.subject, table.subjectId, table.period] })],
);
