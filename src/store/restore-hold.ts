/** What becomes of a restored database: whether it may send yet, since what it holds as waiting may have been sent, and what has ended since. */
import type { Database } from "bun:sqlite";
import { canQuery } from "./can-query.ts";

const minuteMs = 60_000;
/** More than any account receives between two copies, and cursors hold 280,000 times as many. */
const positionsSkipped = 1_000_000_000;

/**
 * In the header of the file (`user_version`, minutes since 1970; 0: not held), since a copy of an older schema has no column for
 * it, and the database must be held from the moment that it is in place.
 */
export class RestoreHoldTable {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** When the copy was restored, epoch milliseconds; null where nothing is held. */
  since(): number | null {
    const row = this.#database.query<{ user_version: number }, []>("PRAGMA user_version").get();
    return row === null || row.user_version === 0 ? null : row.user_version * minuteMs;
  }

  hold(now: number): void {
    this.#database.run(`PRAGMA user_version = ${Math.floor(now / minuteMs)}`);
  }

  release(): void {
    this.#database.run("PRAGMA user_version = 0");
  }

  /** Up to `limit`. */
  countCallbacks(limit: number): number {
    const sql = "SELECT count(*) AS count FROM (SELECT 1 FROM delivery WHERE due_at IS NOT NULL LIMIT ?)";
    return this.#database.query<{ count: number }, [number]>(sql).get(limit)?.count ?? 0;
  }
}

/** What was ended since the copy was made, by a reset or by signing out, does not come back: everybody signs in again. */
export function endSessions(database: Database): void {
  const isThere = canQuery(database);
  for (const table of ["session", "setup_link"]) {
    if (isThere(`SELECT user_id FROM ${table}`)) database.run(`DELETE FROM ${table}`);
  }
}

/** Inbound messages that come now get positions that none had before: a client's cursor may be ahead of the copy. */
export function skipInboundPositions(database: Database): void {
  if (!canQuery(database)("SELECT last FROM inbound_counter")) return;
  database.run(
    "INSERT INTO inbound_counter (account_id, last) SELECT id, 0 FROM account WHERE true ON CONFLICT DO NOTHING",
  );
  // Account 0 counts row ids, which a search walks through.
  database.run("UPDATE inbound_counter SET last = last + ? WHERE account_id > 0", [positionsSkipped]);
}
