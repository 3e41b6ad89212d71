/** Routes: the ways out of the house. A removed one stays: messages and their parts refer to it. */
import { and, eq, isNull } from "drizzle-orm";
import type { Drizzle } from "./drizzle.ts";
import { route } from "./schema.ts";

export type RouteRow = typeof route.$inferSelect;
export type NewRoute = Omit<RouteRow, "id">;
export type RouteKind = RouteRow["kind"];

export type RouteTable = ReturnType<typeof routeTable>;

export function routeTable(drizzle: Drizzle) {
  return {
    /** All of them, removed ones too. */
    all: (): RouteRow[] => drizzle.select().from(route).orderBy(route.id).all(),
    byId: (id: number): RouteRow | null => drizzle.select().from(route).where(eq(route.id, id)).get() ?? null,
    /** The route of this name that is not removed; names are free again after a removal. */
    byName: (name: string): RouteRow | null =>
      drizzle
        .select()
        .from(route)
        .where(and(eq(route.name, name), isNull(route.removedAt)))
        .get() ?? null,
    insert: (row: NewRoute): RouteRow => drizzle.insert(route).values(row).returning().get(),
    /** Null where there is no such route. */
    update: (id: number, change: Partial<NewRoute>): RouteRow | null =>
      drizzle.update(route).set(change).where(eq(route.id, id)).returning().get() ?? null,
  };
}
