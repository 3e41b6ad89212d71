/**
 * The currency of all amounts. It is fixed by the first price or top-up, because stored amounts are never converted.
 */
import { Database } from "bun:sqlite";
import { statSync } from "node:fs";
import { join } from "node:path";
import { canQuery } from "./can-query.ts";
import { insertInto } from "./columns.ts";
import { databaseFileName } from "./database.ts";
import { readDatabase } from "./private-copy.ts";
import { currency } from "./schema.ts";

const keptQuery = "SELECT code FROM currency";

const prepare = (database: Database) => ({
  kept: database.prepare<{ code: string }, []>(keptQuery),
  keep: database.prepare(`${insertInto(currency, "only", "code")} ON CONFLICT DO NOTHING`),
  amounts: database.prepare<{ stored: number }, []>(
    "SELECT EXISTS (SELECT 1 FROM price_list) OR EXISTS (SELECT 1 FROM ledger) AS stored",
  ),
});

export class CurrencyTable {
  readonly #sql: ReturnType<typeof prepare>;

  constructor(database: Database) {
    this.#sql = prepare(database);
  }

  /** ISO 4217; null before the first price or top-up. */
  kept(): string | null {
    return this.#sql.kept.get()?.code ?? null;
  }

  /** Call whenever an amount is stored. Writes. Throws if amounts are in another currency. */
  keep(code: string): void {
    this.#sql.keep.run(1, code);
    const kept = this.kept();
    if (kept !== code) throw new Error(`An amount in ${code} cannot be stored beside amounts in ${kept}`);
  }

  /** True if there are prices or entries: an earlier release stored them without their currency. */
  areAmountsStored(): boolean {
    return this.#sql.amounts.get()?.stored === 1;
  }
}

/**
 * The currency stored in `folder`, whether or not the folder is being served; null if there is none. Throws SQLite's
 * errors.
 */
export function keptCurrencyIn(folder: string): string | null {
  const path = join(folder, databaseFileName);
  if (sizeOf(path) === 0) return null;
  // An empty log means nobody is writing; opening it normally, SQLite would leave files behind.
  if (sizeOf(`${path}-wal`) === 0) return readDatabase(path, keptIn);
  const database = new Database(path, { readonly: true, strict: true });
  try {
    database.run("PRAGMA busy_timeout = 5000");
    return keptIn(database);
  } finally {
    database.close();
  }
}

const keptIn = (database: Database): string | null =>
  canQuery(database)(keptQuery) ? (database.query<{ code: string }, []>(keptQuery).get()?.code ?? null) : null;

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

/** `origin`: where the setting comes from, such as `environment PEYK_CURRENCY`. */
export const changedCurrencyText = (kept: string, setting: string, origin: string): string =>
  `The setting currency is ${setting} (${origin}), but the amounts in this database are in ${kept}, and Peyk converts none. ` +
  `Set currency = "${kept}" again; amounts in ${setting} need a data folder of their own.`;
