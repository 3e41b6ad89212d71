/**
 * The hold on a restored database: whether it may send, since messages waiting in it may already have been sent. Also
 * ends sessions and skips inbound positions after a restore.
 */
import type { Database } from "bun:sqlite";
import { canQuery } from "./can-query.ts";

const minuteMs = 60_000;
/** More than any account receives between two copies, and cursors can hold 280,000 times as many. */
const positionsSkipped = 1_000_000_000;

/**
 * Stored in the file header (`user_version`, minutes since 1970; 0: not held): a copy with an older schema has no
 * column for it, and the database must be held from the moment it is in place.
 */
export class RestoreHoldTable {
  constructor(private readonly database: Database) {}

  /** When the copy was restored, epoch milliseconds; null if nothing is held. */
  since(): number | null {
    const row = this.database.query<{ user_version: number }, []>("PRAGMA user_version").get();
    return row === null || row.user_version === 0 ? null : row.user_version * minuteMs;
  }

  hold(now: number): void {
    this.database.run(`PRAGMA user_version = ${Math.floor(now / minuteMs)}`);
  }

  release(): void {
    this.database.run("PRAGMA user_version = 0");
  }

  /** Counts at most `limit`. */
  countCallbacks(limit: number): number {
    const sql = "SELECT count(*) AS count FROM (SELECT 1 FROM delivery WHERE due_at IS NOT NULL LIMIT ?)";
    return this.database.query<{ count: number }, [number]>(sql).get(limit)?.count ?? 0;
  }
}

/**
 * Sessions that were ended by a reset or a sign-out after the copy was made must not come back: everybody signs in
 * again.
 */
export function endSessions(database: Database): void {
  const isThere = canQuery(database);
  for (const table of ["session", "setup_link", "user_token"]) {
    if (isThere(`SELECT user_id FROM ${table}`)) database.run(`DELETE FROM ${table}`);
  }
}

/** Inbound messages from now on get positions never used before: a client's cursor may be ahead of the copy. */
export function skipInboundPositions(database: Database): void {
  if (!canQuery(database)("SELECT last FROM inbound_counter")) return;
  database.run(
    "INSERT INTO inbound_counter (account_id, last) SELECT id, 0 FROM account WHERE true ON CONFLICT DO NOTHING",
  );
  // Account 0 counts row ids, which a search scans.
  database.run("UPDATE inbound_counter SET last = last + ? WHERE account_id > 0", [positionsSkipped]);
}
