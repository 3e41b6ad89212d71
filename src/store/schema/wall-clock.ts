/** The last trusted wall time (migrations 16 and 47). */
import { integer, sqliteTable } from "drizzle-orm/sqlite-core";

export const wallClock = sqliteTable("wall_clock", {
  only: integer("only").primaryKey(),
  trustedAt: integer("trusted_at").notNull(),
  doubtedForMs: integer("doubted_for_ms").notNull(),
  /** The latest time used for booking; null if an earlier release ran last. */
  bookedAt: integer("booked_at"),
});
