/** How far routes that poll their carrier for inbound texts have read (migration 32). */
import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const carrierCursor = sqliteTable(
  "carrier_cursor",
  {
    routeId: integer("route_id").notNull(),
    line: text("line").notNull(),
    position: text("position").notNull(),
  },
  (table) => [primaryKey({ columns: [table.routeId, table.line] })],
);
