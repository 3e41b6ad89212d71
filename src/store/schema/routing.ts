/** Tables of routing plans, networks, and where each carrier's texts were read to. */
import { blob, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const plan = sqliteTable("plan", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  name: text("name").notNull(),
  createdAt: integer("created_at").notNull(),
});

export const planRule = sqliteTable("plan_rule", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  planId: integer("plan_id").notNull(),
  position: integer("position").notNull(),
  countries: text("countries").notNull(),
  ranges: text("ranges").notNull(),
  networks: text("networks").notNull(),
  classes: text("classes").notNull(),
  accounts: text("accounts").notNull(),
});

export const planTarget = sqliteTable("plan_target", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  ruleId: integer("rule_id").notNull(),
  position: integer("position").notNull(),
  weight: integer("weight").notNull(),
  lacks: integer("lacks").notNull().default(0),
});

export const planTargetRoute = sqliteTable(
  "plan_target_route",
  {
    targetId: integer("target_id").notNull(),
    position: integer("position").notNull(),
    routeId: integer("route_id").notNull(),
  },
  (table) => [primaryKey({ columns: [table.targetId, table.position] })],
);

export const network = sqliteTable("network", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  name: text("name").notNull(),
});

export const networkRange = sqliteTable("network_range", {
  first: integer("first").primaryKey(),
  last: integer("last").notNull(),
  networkId: integer("network_id").notNull(),
});

export const portedTable = sqliteTable("ported_table", {
  only: integer("only").primaryKey(),
  sum: text("sum").notNull(),
  numbers: integer("numbers").notNull(),
  importedAt: integer("imported_at").notNull(),
});

export const numberLookup = sqliteTable("number_lookup", {
  only: integer("only").primaryKey(),
  sealed: blob("sealed", { mode: "buffer" }).notNull(),
  day: integer("day").notNull(),
  asked: integer("asked").notNull(),
});

export const carrierCursor = sqliteTable(
  "carrier_cursor",
  {
    routeId: integer("route_id").notNull(),
    line: text("line").notNull(),
    position: text("position").notNull(),
  },
  (table) => [primaryKey({ columns: [table.routeId, table.line] })],
);
