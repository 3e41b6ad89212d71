/** Reads the figures, a slice of quarters of an hour at a time. */
import type { Database } from "bun:sqlite";
import { columnsOf } from "./columns.ts";
import type { RollupRow } from "./rollup-counts.ts";
import { rollup } from "./schema.ts";

const rollupColumns = columnsOf(rollup);

/** As SQLite's LIMIT writes it. */
const everyRow = -1;

const prepare = (database: Database) => ({
  slots: database.prepare<RollupRow, [number, number, number]>(
    `SELECT ${rollupColumns} FROM rollup WHERE slot_at >= ? AND slot_at < ? AND messages <> 0 ORDER BY slot_at LIMIT ?`,
  ),
});

export class RollupReader {
  readonly #sql: ReturnType<typeof prepare>;

  constructor(database: Database) {
    this.#sql = prepare(database);
  }

  /**
   * Rows of whole slots that begin from `from` up to, not including, `to` (epoch milliseconds): about `count` of them, more where
   * the first slot alone has more. What is left begins at `next`; null where nothing is.
   */
  rows(from: number, to: number, count: number): { rows: RollupRow[]; next: number | null } {
    const rows = this.#sql.slots.all(from, to, count);
    const last = rows.at(-1)?.slotAt;
    if (rows.length < count || last === undefined) return { rows, next: null };
    const whole = rows.filter(({ slotAt }) => slotAt < last);
    if (whole.length > 0) return { rows: whole, next: last };
    return { rows: this.#sql.slots.all(last, last + 1, everyRow), next: last + 1 };
  }
}
