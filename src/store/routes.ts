/** Routes to carriers. A removed route stays: messages and parts refer to it. */

import type { Database } from "bun:sqlite";
import { and, eq, isNull } from "drizzle-orm";
import { replaceInto } from "./columns.ts";
import type { Drizzle } from "./drizzle.ts";
import { carrierCursor, route } from "./schema.ts";

export type RouteRow = typeof route.$inferSelect;
export type NewRoute = Omit<typeof route.$inferInsert, "id">;
export type RouteKind = RouteRow["kind"];

export class RouteTable {
  constructor(private readonly drizzle: Drizzle) {}

  /** Includes removed routes. */
  all(): RouteRow[] {
    return this.drizzle.select().from(route).orderBy(route.id).all();
  }

  byId(id: number): RouteRow | null {
    return this.drizzle.select().from(route).where(eq(route.id, id)).get() ?? null;
  }

  /** The route of this name that is not removed; removal frees the name. */
  byName(name: string): RouteRow | null {
    const named = and(eq(route.name, name), isNull(route.removedAt));
    return this.drizzle.select().from(route).where(named).get() ?? null;
  }

  insert(row: NewRoute): RouteRow {
    return this.drizzle.insert(route).values(row).returning().get();
  }

  /** Null if there is no such route. */
  update(id: number, change: Partial<NewRoute>): RouteRow | null {
    return this.drizzle.update(route).set(change).where(eq(route.id, id)).returning().get() ?? null;
  }
}

const prepare = (database: Database) => ({
  get: database.prepare<{ position: string }, [number, string]>(
    "SELECT position FROM carrier_cursor WHERE route_id = ? AND line = ?",
  ),
  set: database.prepare(replaceInto(carrierCursor, "routeId", "line", "position")),
});

/** How far a route has read what its carrier holds for it, so that a restart continues from there. */
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
