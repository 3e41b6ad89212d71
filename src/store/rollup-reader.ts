/** Reads the figures, a slice of quarters of an hour at a time. */
import type { Database } from "bun:sqlite";
import { columnsOf } from "./columns.ts";
import type { RollupRow } from "./rollup-counts.ts";
import { rollup } from "./schema.ts";

const rollupColumns = columnsOf(rollup);

const prepare = (database: Database) => ({
  slots: database.prepare<RollupRow, [number, number]>(
    `SELECT ${rollupColumns} FROM rollup WHERE slot_at >= ? AND slot_at < ? AND messages <> 0 ORDER BY slot_at`,
  ),
  nextSlot: database.prepare<{ slotAt: number | null }, [number]>(
    "SELECT min(slot_at) AS slotAt FROM rollup WHERE slot_at >= ?",
  ),
});

export class RollupReader {
  readonly #sql: ReturnType<typeof prepare>;

  constructor(database: Database) {
    this.#sql = prepare(database);
  }

  /** Rows of the slots that begin from `from` up to, not including, `to` (epoch milliseconds). */
  rows(from: number, to: number): RollupRow[] {
    return this.#sql.slots.all(from, to);
  }

  /** The first slot that begins at `from` or later, or null where there is none. */
  slotFrom(from: number): number | null {
    return this.#sql.nextSlot.get(from)?.slotAt ?? null;
  }
}
