/** Tables of erased recipients (migration 34). */
import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { suppressionSources } from "../../domain/suppression.ts";
import { bytes } from "./bytes.ts";

export const erasure = sqliteTable("erasure", {
  recipientHash: bytes("recipient_hash").primaryKey(),
  erasedAt: integer("erased_at").notNull(),
});

export const erasedSuppression = sqliteTable(
  "erased_suppression",
  {
    accountId: integer("account_id").notNull(),
    recipientHash: bytes("recipient_hash").notNull(),
    source: text("source", { enum: suppressionSources }).notNull(),
    addedAt: integer("added_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.recipientHash] })],
);
