/** The wall time that was believed last (migration 16). */
import { integer, sqliteTable } from "drizzle-orm/sqlite-core";

export const wallClock = sqliteTable("wall_clock", {
  only: integer("only").primaryKey(),
  trustedAt: integer("trusted_at").notNull(),
  doubtedForMs: integer("doubted_for_ms").notNull(),
});
