/** The table of the installation (migration 10). */
import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const installation = sqliteTable("installation", {
  only: integer("only").primaryKey(),
  id: text("id").notNull(),
});
