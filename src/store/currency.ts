/** The currency of all amounts: kept with the first price or top-up, as nothing converts what is stored. */
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

  /** To be called by whoever stores an amount. Writes. Throws where amounts are in another currency. */
  keep(code: string): void {
    this.#sql.keep.run(1, code);
    const kept = this.kept();
    if (kept !== code) throw new Error(`An amount in ${code} cannot be stored beside amounts in ${kept}`);
  }

  /** Whether there are prices or entries: an earlier release stored them without their currency. */
  areAmountsStored(): boolean {
    return this.#sql.amounts.get()?.stored === 1;
  }
}

/** The currency that is kept in `folder`, whether it is served or not; null where there is none. Throws SQLite's errors. */
export function keptCurrencyIn(folder: string): string | null {
  const path = join(folder, databaseFileName);
  if (sizeOf(path) === 0) return null;
  // Beside a log that holds nothing, nobody writes; and SQLite would leave files of its own.
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

/** `origin`: where the setting stands, such as `environment PEYK_CURRENCY`. */
export const changedCurrencyText = (kept: string, setting: string, origin: string): string =>
  `The setting currency is ${setting} (${origin}), but the amounts in this database are in ${kept}, and Peyk converts none. ` +
  `Set currency = "${kept}" again; amounts in ${setting} need a data folder of their own.`;
