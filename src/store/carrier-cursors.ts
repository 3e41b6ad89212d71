/** How far a route has read what its carrier holds for it, so that a restart continues from there. */
import type { Database } from "bun:sqlite";
import { replaceInto } from "./columns.ts";
import { carrierCursor } from "./schema.ts";

const prepare = (database: Database) => ({
  get: database.prepare<{ position: string }, [number, string]>(
    "SELECT position FROM carrier_cursor WHERE route_id = ? AND line = ?",
  ),
  set: database.prepare(replaceInto(carrierCursor, "routeId", "line", "position")),
});

export class CarrierCursorTable {
  readonly #sql: ReturnType<typeof prepare>;

  constructor(database: Database) {
    this.#sql = prepare(database);
  }

  /** Null before the first answer. */
  get(routeId: number, line: string): string | null {
    return this.#sql.get.get(routeId, line)?.position ?? null;
  }

  set(routeId: number, line: string, position: string): void {
    this.#sql.set.run(routeId, line, position);
  }
}
