/** The wall time that was believed last (migrations 16 and 47). */
import { integer, sqliteTable } from "drizzle-orm/sqlite-core";

export const wallClock = sqliteTable("wall_clock", {
  only: integer("only").primaryKey(),
  trustedAt: integer("trusted_at").notNull(),
  doubtedForMs: integer("doubted_for_ms").notNull(),
  /** The newest time under which something was booked; null where an earlier release ran last. */
  bookedAt: integer("booked_at"),
});
