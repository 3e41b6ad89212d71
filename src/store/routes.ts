/** Routes to carriers. A removed route stays: messages and parts refer to it. */
import { and, eq, isNull } from "drizzle-orm";
import type { Drizzle } from "./drizzle.ts";
import { route } from "./schema.ts";

export type RouteRow = typeof route.$inferSelect;
export type NewRoute = Omit<typeof route.$inferInsert, "id">;
export type RouteKind = RouteRow["kind"];

export class RouteTable {
  readonly #drizzle: Drizzle;

  constructor(drizzle: Drizzle) {
    this.#drizzle = drizzle;
  }

  /** Includes removed routes. */
  all(): RouteRow[] {
    return this.#drizzle.select().from(route).orderBy(route.id).all();
  }

  byId(id: number): RouteRow | null {
    return this.#drizzle.select().from(route).where(eq(route.id, id)).get() ?? null;
  }

  /** The route of this name that is not removed; removal frees the name. */
  byName(name: string): RouteRow | null {
    const named = and(eq(route.name, name), isNull(route.removedAt));
    return this.#drizzle.select().from(route).where(named).get() ?? null;
  }

  insert(row: NewRoute): RouteRow {
    return this.#drizzle.insert(route).values(row).returning().get();
  }

  /** Null if there is no such route. */
  update(id: number, change: Partial<NewRoute>): RouteRow | null {
    return this.#drizzle.update(route).set(change).where(eq(route.id, id)).returning().get() ?? null;
  }
}
