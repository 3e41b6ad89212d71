/** Reads the figures, one slice of quarter hours at a time. */
import type { Database } from "bun:sqlite";
import type { PublicStatus } from "../domain/message.ts";
import { columnsOf } from "./columns.ts";
import type { RollupRow } from "./rollup-counts.ts";
import { rollup } from "./schema.ts";

const rollupColumns = columnsOf(rollup);

/** "No limit" in SQLite's LIMIT. */
const everyRow = -1;

/** The messages of an account or a route. */
export interface RollupTotal {
  id: number;
  messages: number;
  failed: number;
}

/** A match satisfies every given condition. */
export interface RollupFilter {
  accountId?: number | undefined;
  routeIds?: readonly number[] | undefined;
  errorCode?: string | undefined;
  statuses?: readonly PublicStatus[] | undefined;
}

type HoldsSql = [
  from: number,
  to: number,
  accountId: number | null,
  routeIds: string | null,
  errorCode: string | null,
  statuses: string | null,
];

const totalsBy = (database: Database, column: "account_id" | "route_id") =>
  database.prepare<RollupTotal, [number, number]>(
    `SELECT ${column} AS id, sum(messages) AS messages, sum(CASE WHEN status = 'failed' THEN messages ELSE 0 END) AS failed
     FROM rollup WHERE slot_at >= ? AND slot_at < ? AND messages <> 0 AND ${column} <> 0 GROUP BY ${column}`,
  );

const prepare = (database: Database) => ({
  totals: { accountId: totalsBy(database, "account_id"), routeId: totalsBy(database, "route_id") },
  slots: database.prepare<RollupRow, [number, number, number]>(
    `SELECT ${rollupColumns} FROM rollup WHERE slot_at >= ? AND slot_at < ? AND messages <> 0 ORDER BY slot_at LIMIT ?`,
  ),
  isComplete: database.prepare<{ isComplete: 0 | 1 }, [number]>(
    "SELECT filled_to >= fill_end AND removed_to <= ? AS isComplete FROM rollup_state",
  ),
  holds: database.prepare<{ holds: 1 }, HoldsSql>(
    `SELECT 1 AS holds FROM rollup WHERE slot_at >= ?1 AND slot_at <= ?2 AND messages > 0
       AND (?3 IS NULL OR account_id = ?3) AND (?5 IS NULL OR error_code = ?5)
       AND (?4 IS NULL OR route_id IN (SELECT value FROM json_each(?4)))
       AND (?6 IS NULL OR status IN (SELECT value FROM json_each(?6))) LIMIT 1`,
  ),
});

export class RollupReader {
  readonly #sql: ReturnType<typeof prepare>;

  constructor(database: Database) {
    this.#sql = prepare(database);
  }

  /**
   * Rows of whole slots that begin at or after `from` and before `to` (epoch milliseconds): about `count`, more if the
   * first slot alone has more. The rest starts at `next`; null if nothing is left.
   */
  rows(from: number, to: number, count: number): { rows: RollupRow[]; next: number | null } {
    const rows = this.#sql.slots.all(from, to, count);
    const last = rows.at(-1)?.slotAt;
    if (rows.length < count || last === undefined) return { rows, next: null };
    const whole = rows.filter(({ slotAt }) => slotAt < last);
    if (whole.length > 0) return { rows: whole, next: last };
    return { rows: this.#sql.slots.all(last, last + 1, everyRow), next: last + 1 };
  }

  /**
   * Of slots that begin at or after `from` and before `to`, in epoch milliseconds. An hour of a thousand busy senders
   * takes a few milliseconds.
   */
  totals(by: "accountId" | "routeId", from: number, to: number): RollupTotal[] {
    return this.#sql.totals[by].all(from, to);
  }

  /** True if every message accepted in this slot or later is counted, except tests. */
  isComplete(slotAt: number): boolean {
    return this.#sql.isComplete.get(slotAt)?.isComplete === 1;
  }

  /**
   * True if slots `from` to `to`, both inclusive, count a matching message, even one that is gone. If they are complete
   * and this is false, no such message was accepted in them.
   */
  holds(from: number, to: number, { accountId, routeIds, errorCode, statuses }: RollupFilter): boolean {
    const listed = (values: readonly unknown[] | undefined) => (values === undefined ? null : JSON.stringify(values));
    const [routes, names] = [listed(routeIds), listed(statuses)];
    return this.#sql.holds.get(from, to, accountId ?? null, routes, errorCode ?? null, names) !== null;
  }
}
