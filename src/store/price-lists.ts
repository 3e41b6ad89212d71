/** Price lists, and who is charged or costs by which. */
import type { Database } from "bun:sqlite";
import { asc, eq } from "drizzle-orm";
import { columnsOf, insertInto } from "./columns.ts";
import type { Drizzle } from "./drizzle.ts";
import { accountBilling, type billingModes, priceLine, priceList, routeCost } from "./schema.ts";

export type PriceListRow = Readonly<typeof priceList.$inferSelect>;
export type PriceLineRow = Readonly<typeof priceLine.$inferSelect>;
export type AccountBillingRow = Readonly<typeof accountBilling.$inferSelect>;
export type RouteCostRow = Readonly<typeof routeCost.$inferSelect>;
export type BillingMode = (typeof billingModes)[number];

/** A list may have fifty thousand lines. */
const prepare = (database: Database) => ({
  lines: database.prepare<PriceLineRow, [number]>(
    `SELECT ${columnsOf(priceLine)} FROM price_line WHERE list_id = ? ORDER BY prefix, valid_from`,
  ),
  put: database.prepare(
    `${insertInto(priceLine, "listId", "prefix", "validFrom", "amount")}
     ON CONFLICT DO UPDATE SET amount = excluded.amount`,
  ),
});

export class PriceListTable {
  readonly #sql: ReturnType<typeof prepare>;
  readonly #drizzle: Drizzle;

  constructor(database: Database, drizzle: Drizzle) {
    this.#sql = prepare(database);
    this.#drizzle = drizzle;
  }

  all(): PriceListRow[] {
    return this.#drizzle.select().from(priceList).orderBy(asc(priceList.name)).all();
  }

  byName(name: string): PriceListRow | null {
    return this.#drizzle.select().from(priceList).where(eq(priceList.name, name)).get() ?? null;
  }

  /** By prefix, and from the earliest on. */
  linesOf(listId: number): PriceLineRow[] {
    return this.#sql.lines.all(listId);
  }

  insert(name: string, createdAt: number): PriceListRow {
    return this.#drizzle.insert(priceList).values({ name, createdAt }).returning().get();
  }

  /** In place of a line for the same prefix from the same time. */
  put({ listId, prefix, validFrom, amount }: PriceLineRow): void {
    this.#sql.put.run(listId, prefix, validFrom, amount);
  }

  billing(): AccountBillingRow[] {
    return this.#drizzle.select().from(accountBilling).all();
  }

  costs(): RouteCostRow[] {
    return this.#drizzle.select().from(routeCost).all();
  }

  /** Null: free of charge. */
  bill(accountId: number, billing: Pick<AccountBillingRow, "mode" | "listId"> | null): void {
    if (billing === null) {
      this.#drizzle.delete(accountBilling).where(eq(accountBilling.accountId, accountId)).run();
      return;
    }
    const { mode, listId } = billing;
    const insert = this.#drizzle.insert(accountBilling).values({ accountId, mode, listId });
    insert.onConflictDoUpdate({ target: accountBilling.accountId, set: { mode, listId } }).run();
  }

  /** Null: what it costs is not known. */
  setCosts(routeId: number, listId: number | null): void {
    if (listId === null) {
      this.#drizzle.delete(routeCost).where(eq(routeCost.routeId, routeId)).run();
      return;
    }
    const insert = this.#drizzle.insert(routeCost).values({ routeId, listId });
    insert.onConflictDoUpdate({ target: routeCost.routeId, set: { listId } }).run();
  }
}
