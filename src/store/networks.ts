/** Networks and number ranges that the operator added. */
import type { Database } from "bun:sqlite";
import type { OwnedRange } from "../domain/network-ranges.ts";
import { columnsOf, insertInto, type RowOf } from "./columns.ts";
import { network, networkRange } from "./schema.ts";

const networkColumns = columnsOf(network);

export type NetworkRow = RowOf<typeof networkColumns>;

const prepare = (database: Database) => ({
  all: database.prepare<NetworkRow, []>(`SELECT ${networkColumns} FROM network ORDER BY id`),
  // The column compares case-insensitively.
  byName: database.prepare<NetworkRow, [string]>(`SELECT ${networkColumns} FROM network WHERE name = ?`),
  insert: database.prepare<NetworkRow, [string]>(`${insertInto(network, "name")} RETURNING ${networkColumns}`),
  ranges: database.prepare<OwnedRange, []>(`SELECT ${columnsOf(networkRange)} FROM network_range ORDER BY first`),
  insertRange: database.prepare(insertInto(networkRange, "first", "last", "networkId")),
  removeRanges: database.prepare("DELETE FROM network_range WHERE network_id = ?"),
});

export class NetworkTable {
  readonly #sql: ReturnType<typeof prepare>;

  constructor(database: Database) {
    this.#sql = prepare(database);
  }

  all(): NetworkRow[] {
    return this.#sql.all.all();
  }

  /** Sorted by number. */
  ranges(): OwnedRange[] {
    return this.#sql.ranges.all();
  }

  /** Case-insensitive. */
  byName(name: string): NetworkRow | null {
    return this.#sql.byName.get(name);
  }

  insert(name: string): NetworkRow {
    const row = this.#sql.insert.get(name);
    if (row === null) throw new Error(`The network ${name} was not returned`);
    return row;
  }

  insertRange({ first, last, networkId }: OwnedRange): void {
    this.#sql.insertRange.run(first, last, networkId);
  }

  /** The network stays: messages and figures refer to it. */
  removeRanges(networkId: number): void {
    this.#sql.removeRanges.run(networkId);
  }
}
