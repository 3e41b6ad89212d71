/** Carrier refusals, counted by code. A commit's counts are accumulated and written once per row. */
import type { Database } from "bun:sqlite";
import type { RefusalKind } from "../domain/carrier-refusal.ts";
import { columnsOf, insertInto, type RowOf } from "./columns.ts";
import type { GatheredWrites } from "./group-transaction.ts";
import { slotMs } from "./rollup-counts.ts";
import { refusal } from "./schema.ts";

const refusalColumns = columnsOf(refusal, "slotAt", "kind", "code", "messages");
export type CountedRefusal = RowOf<typeof refusalColumns>;

const prepare = (database: Database) => ({
  add: database.prepare(
    `${insertInto(refusal, "slotAt", "routeId", "kind", "code", "messages")}
     ON CONFLICT DO UPDATE SET messages = messages + excluded.messages`,
  ),
  ofRoute: database.prepare<CountedRefusal, [number, number]>(
    `SELECT ${refusalColumns} FROM refusal WHERE slot_at >= ? AND route_id = ? ORDER BY slot_at`,
  ),
  prune: database.prepare("DELETE FROM refusal WHERE slot_at < ?"),
});

interface Gathered {
  slotAt: number;
  routeId: number;
  kind: RefusalKind;
  code: string;
  messages: number;
}

export class RefusalTable implements GatheredWrites {
  readonly #sql: ReturnType<typeof prepare>;
  readonly #gathered = new Map<string, Gathered>();

  constructor(database: Database) {
    this.#sql = prepare(database);
  }

  /** `at`: epoch milliseconds. */
  add(routeId: number, kind: RefusalKind, code: string, at: number): void {
    const slotAt = at - (at % slotMs);
    const name = `${slotAt} ${routeId} ${kind} ${code}`;
    const row = this.#gathered.get(name);
    if (row === undefined) this.#gathered.set(name, { slotAt, routeId, kind, code, messages: 1 });
    else row.messages += 1;
  }

  /** In quarter hours that begin at or after `from`, oldest first. */
  ofRoute(routeId: number, from: number): CountedRefusal[] {
    return this.#sql.ofRoute.all(from, routeId);
  }

  /** Removes older rows; returns the number removed. */
  prune(before: number): number {
    return this.#sql.prune.run(before).changes;
  }

  reset(): void {
    this.#gathered.clear();
  }

  undo(): void {
    this.reset();
  }

  flush(): void {
    if (this.#gathered.size === 0) return;
    for (const { slotAt, routeId, kind, code, messages } of this.#gathered.values()) {
      this.#sql.add.run(slotAt, routeId, kind, code, messages);
    }
    this.#gathered.clear();
  }
}
