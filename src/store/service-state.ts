/** What the service remembers of itself: its clock, its alerts, its hash keys. Times are epoch milliseconds. */
import type { Database } from "bun:sqlite";
import { eq } from "drizzle-orm";
import type { AlertChannelName } from "../domain/alert-channel.ts";
import { columnsOf, type RowOf } from "./columns.ts";
import type { Drizzle } from "./drizzle.ts";
import { alertReceiver, alertState, hashKey, wallClock } from "./schema.ts";

const trustedColumns = columnsOf(wallClock, "trustedAt", "doubtedForMs", "bookedAt");

const prepare = (database: Database) => ({
  trusted: database.prepare<RowOf<typeof trustedColumns>, []>(`SELECT ${trustedColumns} FROM wall_clock`),
  trust: database.prepare(
    "INSERT OR REPLACE INTO wall_clock (only, trusted_at, doubted_for_ms, booked_at) VALUES (1, ?, ?, ?)",
  ),
  // The last row written in each table: its time is the newest unless the clock went back.
  newest: database.prepare<{ at: number | null }, []>(
    `SELECT max(at) AS at FROM (
       SELECT * FROM (SELECT submitted_at AS at FROM message ORDER BY id DESC LIMIT 1)
       UNION ALL SELECT * FROM (SELECT created_at FROM event ORDER BY id DESC LIMIT 1))`,
  ),
});

/** The last trusted wall time and the latest booking time. */
export class WallClockTable {
  readonly #sql: ReturnType<typeof prepare>;

  constructor(database: Database) {
    this.#sql = prepare(database);
  }

  /**
   * The last time the previous run trusted; for a database of an older build, the newest time in it. Null in a new one.
   */
  trusted(): RowOf<typeof trustedColumns> | null {
    const stored = this.#sql.trusted.get();
    if (stored !== null) return stored;
    const at = this.#sql.newest.get()?.at ?? null;
    return at === null ? null : { trustedAt: at, doubtedForMs: 0, bookedAt: null };
  }

  trust({ trustedAt, doubtedForMs, bookedAt }: RowOf<typeof trustedColumns>): void {
    this.#sql.trust.run(trustedAt, doubtedForMs, bookedAt);
  }
}

type AlertReceiverRow = typeof alertReceiver.$inferSelect;

/** The state of alerts, as one JSON document, and their receivers. */
export class AlertStateTable {
  constructor(private readonly drizzle: Drizzle) {}

  /** The stored JSON; null if nothing has been stored yet. */
  read(): string | null {
    return this.drizzle.select().from(alertState).get()?.state ?? null;
  }

  write(state: string): void {
    const row = { only: 1, state };
    this.drizzle.insert(alertState).values(row).onConflictDoUpdate({ target: alertState.only, set: { state } }).run();
  }

  /** Those set in the console. */
  receivers(): AlertReceiverRow[] {
    return this.drizzle.select().from(alertReceiver).all();
  }

  putReceiver(row: AlertReceiverRow): void {
    const { settings, sealedSecret } = row;
    const set = { settings, sealedSecret };
    this.drizzle.insert(alertReceiver).values(row).onConflictDoUpdate({ target: alertReceiver.channel, set }).run();
  }

  removeReceiver(channel: AlertChannelName): void {
    this.drizzle.delete(alertReceiver).where(eq(alertReceiver.channel, channel)).run();
  }
}

/** Hash keys that outlive the key file they were derived from. */
export class HashKeyTable {
  constructor(private readonly drizzle: Drizzle) {}

  /** Null while the first key file is in use: the key is derived from it. */
  sealed(purpose: string): Uint8Array | null {
    return this.drizzle.select().from(hashKey).where(eq(hashKey.purpose, purpose)).get()?.sealed ?? null;
  }
}
