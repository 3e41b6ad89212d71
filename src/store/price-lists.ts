/** Price lists, and which accounts and routes use them. */
import type { Database } from "bun:sqlite";
import { asc, eq } from "drizzle-orm";
import type { billingModes } from "../domain/price-list.ts";
import { columnsOf, insertInto } from "./columns.ts";
import type { CurrencyTable } from "./currency.ts";
import type { Drizzle } from "./drizzle.ts";
import { accountBilling, priceLine, priceList, routeCost } from "./schema.ts";

export type PriceListRow = Readonly<typeof priceList.$inferSelect>;
export type PriceLineRow = Readonly<typeof priceLine.$inferSelect>;
export type AccountBillingRow = Readonly<typeof accountBilling.$inferSelect>;
export type RouteCostRow = Readonly<typeof routeCost.$inferSelect>;
export type BillingMode = (typeof billingModes)[number];

/** A list may have fifty thousand lines. */
const prepare = (database: Database) => ({
  lines: database.prepare<PriceLineRow, [number]>(
    `SELECT ${columnsOf(priceLine)} FROM price_line WHERE version_id = ? ORDER BY prefix, valid_from`,
  ),
  put: database.prepare(
    `${insertInto(priceLine, "versionId", "prefix", "validFrom", "amount")}
     ON CONFLICT DO UPDATE SET amount = excluded.amount`,
  ),
  end: database.prepare(
    "DELETE FROM price_line WHERE version_id = ?1 AND prefix = ?2 AND (?3 IS NULL OR valid_from = ?3)",
  ),
  nextVersion: database.prepare<{ versionId: number }, [number]>(
    "SELECT version_id AS versionId FROM price_line WHERE version_id > ? ORDER BY version_id LIMIT 1",
  ),
  remove: database.prepare(
    `DELETE FROM price_line WHERE version_id = ?1 AND (prefix, valid_from) IN
       (SELECT prefix, valid_from FROM price_line WHERE version_id = ?1 ORDER BY prefix, valid_from LIMIT ?2)`,
  ),
});

export class PriceListTable {
  readonly #sql: ReturnType<typeof prepare>;
  readonly #drizzle: Drizzle;
  readonly #currency: CurrencyTable;

  constructor(database: Database, drizzle: Drizzle, currency: CurrencyTable) {
    this.#sql = prepare(database);
    this.#drizzle = drizzle;
    this.#currency = currency;
  }

  all(): PriceListRow[] {
    return this.#drizzle.select().from(priceList).orderBy(asc(priceList.name)).all();
  }

  byName(name: string): PriceListRow | null {
    return this.#drizzle.select().from(priceList).where(eq(priceList.name, name)).get() ?? null;
  }

  /** The lines of a version, by prefix, earliest first. */
  linesOf(versionId: number): PriceLineRow[] {
    return this.#sql.lines.all(versionId);
  }

  /** Versions that have stored lines; one index seek each. */
  versions(): number[] {
    const versions: number[] = [];
    for (let next = this.#sql.nextVersion.get(0); next !== null; next = this.#sql.nextVersion.get(next.versionId)) {
      versions.push(next.versionId);
    }
    return versions;
  }

  /** An id that no list or line uses. */
  unusedVersion(): number {
    return Math.max(0, ...this.versions(), ...this.all().map(({ versionId }) => versionId)) + 1;
  }

  /**
   * Makes the lines of this version those of the list from this commit on, creating the list if needed. `currency`: of
   * its prices.
   */
  use(name: string, versionId: number, { now, currency }: { now: number; currency: string }): PriceListRow {
    this.#currency.keep(currency);
    const insert = this.#drizzle.insert(priceList).values({ name, createdAt: now, versionId });
    return insert.onConflictDoUpdate({ target: priceList.name, set: { versionId } }).returning().get();
  }

  /** Replaces a line with the same prefix and start time. */
  put({ versionId, prefix, validFrom, amount }: PriceLineRow): void {
    this.#sql.put.run(versionId, prefix, validFrom, amount);
  }

  /** Removes all lines of a prefix, or the one with this start time. */
  end(versionId: number, prefix: string, validFrom: number | null): void {
    this.#sql.end.run(versionId, prefix, validFrom);
  }

  /** Removes up to `limit` lines; true once none are left. */
  removeLines(versionId: number, limit: number): boolean {
    return this.#sql.remove.run(versionId, limit).changes < limit;
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

  /** Null: the cost is unknown. */
  setCosts(routeId: number, listId: number | null): void {
    if (listId === null) {
      this.#drizzle.delete(routeCost).where(eq(routeCost.routeId, routeId)).run();
      return;
    }
    const insert = this.#drizzle.insert(routeCost).values({ routeId, listId });
    insert.onConflictDoUpdate({ target: routeCost.routeId, set: { listId } }).run();
  }
}
