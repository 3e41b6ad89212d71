/** Stored state of alerts (migration 33). */
import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const alertState = sqliteTable("alert_state", {
  only: integer("only").primaryKey(),
  state: text("state").notNull(),
});
