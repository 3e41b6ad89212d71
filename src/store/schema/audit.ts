/** What operators changed (migration 19). */
import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

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
