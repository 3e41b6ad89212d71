/** Tables of numbers that must not get messages (migration 25). */
import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { suppressionSources } from "../../domain/suppression.ts";

export const suppression = sqliteTable(
  "suppression",
  {
    accountId: integer("account_id").notNull(),
    recipient: integer("recipient").notNull(),
    additionId: integer("addition_id").notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.recipient] })],
);

export const suppressionAddition = sqliteTable("suppression_addition", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  accountId: integer("account_id").notNull(),
  source: text("source", { enum: suppressionSources }).notNull(),
  detail: text("detail").notNull(),
  addedAt: integer("added_at").notNull(),
  isPending: integer("is_pending").$type<0 | 1>().notNull(),
  confirmationId: integer("confirmation_id"),
});
