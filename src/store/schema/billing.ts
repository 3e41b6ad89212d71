/**
 * Tables of prices, billing and money (migrations 31, 36, 39, 43 and 47). Amounts are in the currency's smallest unit.
 */
import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { billingModes } from "../../domain/price-list.ts";

export const ledgerKinds = ["messages", "topup", "correction"] as const;

export const currency = sqliteTable("currency", {
  only: integer("only").primaryKey(),
  /** ISO 4217. */
  code: text("code").notNull(),
});

export const priceList = sqliteTable("price_list", {
  id: integer("id").primaryKey(),
  name: text("name").notNull(),
  createdAt: integer("created_at").notNull(),
  /** The version whose lines apply. */
  versionId: integer("version_id").notNull(),
});

export const priceLine = sqliteTable(
  "price_line",
  {
    versionId: integer("version_id").notNull(),
    /** The leading digits of an E.164 number, without the plus; empty for every number. */
    prefix: text("prefix").notNull(),
    validFrom: integer("valid_from").notNull(),
    amount: integer("amount").notNull(),
  },
  (table) => [primaryKey({ columns: [table.versionId, table.prefix, table.validFrom] })],
);

export const accountBilling = sqliteTable("account_billing", {
  accountId: integer("account_id").primaryKey(),
  mode: text("mode", { enum: billingModes }).notNull(),
  listId: integer("list_id").notNull(),
});

export const routeCost = sqliteTable("route_cost", {
  routeId: integer("route_id").primaryKey(),
  listId: integer("list_id").notNull(),
});

export const ledger = sqliteTable(
  "ledger",
  {
    accountId: integer("account_id").notNull(),
    number: integer("number").notNull(),
    /** By the clock, which may have been wrong. */
    at: integer("at").notNull(),
    /** The time that statements go by. */
    bookedAt: integer("booked_at").notNull(),
    kind: text("kind", { enum: ledgerKinds }).notNull(),
    amount: integer("amount").notNull(),
    reserved: integer("reserved").notNull(),
    captured: integer("captured").notNull(),
    released: integer("released").notNull(),
    settledAfter: integer("settled_after").notNull(),
    reservedAfter: integer("reserved_after").notNull(),
    note: text("note"),
    actor: text("actor"),
    /** The external reference of a top-up or correction, unique within an account. */
    reference: text("reference"),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.number] })],
);

/** Lines that are booked earlier than the line before them. */
export const ledgerStep = sqliteTable(
  "ledger_step",
  {
    accountId: integer("account_id").notNull(),
    number: integer("number").notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.number] })],
);

export const charge = sqliteTable(
  "charge",
  {
    accountId: integer("account_id").notNull(),
    slotAt: integer("slot_at").notNull(),
    senderId: integer("sender_id").notNull(),
    routeId: integer("route_id").notNull(),
    network: integer("network").notNull(),
    messages: integer("messages").notNull(),
    parts: integer("parts").notNull(),
    price: integer("price").notNull(),
    cost: integer("cost").notNull(),
    /** Messages whose network the table of ported numbers named, or a look-up. */
    byTable: integer("by_table").notNull(),
    byLookup: integer("by_lookup").notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.slotAt, table.senderId, table.routeId, table.network] })],
);
