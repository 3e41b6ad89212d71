/** Senders of accounts with their routes in order of preference. A removed one stays: messages refer to it. */
import { and, asc, eq } from "drizzle-orm";
import type { Drizzle } from "./drizzle.ts";
import { sender, senderRoute } from "./schema.ts";

export interface SenderRow {
  id: number;
  accountId: number;
  sender: string;
  active: boolean;
  createdAt: number;
  removedAt: number | null;
  /** Ids of its routes, the preferred one first. */
  routeIds: readonly number[];
}

export type NewSender = Omit<SenderRow, "id">;

export type SenderTable = ReturnType<typeof senderTable>;

export function senderTable(drizzle: Drizzle) {
  function routeIdsOf(senderId: number): number[] {
    const rows = drizzle.select().from(senderRoute).where(eq(senderRoute.senderId, senderId));
    return rows
      .orderBy(asc(senderRoute.position))
      .all()
      .map((row) => row.routeId);
  }

  function setRoutes(senderId: number, routeIds: readonly number[]): void {
    drizzle.delete(senderRoute).where(eq(senderRoute.senderId, senderId)).run();
    for (const [position, routeId] of routeIds.entries()) {
      drizzle.insert(senderRoute).values({ senderId, position, routeId }).run();
    }
  }

  return {
    /** All of them, removed ones too. */
    all(): SenderRow[] {
      const routeIds = Map.groupBy(
        drizzle.select().from(senderRoute).orderBy(senderRoute.senderId, senderRoute.position).all(),
        (row) => row.senderId,
      );
      const rows = drizzle.select().from(sender).orderBy(sender.id).all();
      return rows.map((row) => ({ ...row, routeIds: (routeIds.get(row.id) ?? []).map(({ routeId }) => routeId) }));
    },

    /** The account's sender of this name, also a removed one. */
    byName(accountId: number, name: string): SenderRow | null {
      const named = and(eq(sender.accountId, accountId), eq(sender.sender, name));
      const row = drizzle.select().from(sender).where(named).get();
      return row === undefined ? null : { ...row, routeIds: routeIdsOf(row.id) };
    },

    insert({ routeIds, ...row }: NewSender): SenderRow {
      const inserted = drizzle.insert(sender).values(row).returning().get();
      setRoutes(inserted.id, routeIds);
      return { ...inserted, routeIds };
    },

    /** Null where there is no such sender. */
    update(id: number, { routeIds, ...change }: Partial<NewSender>): SenderRow | null {
      if (routeIds !== undefined) setRoutes(id, routeIds);
      const present = eq(sender.id, id);
      if (Object.keys(change).length > 0) drizzle.update(sender).set(change).where(present).run();
      const row = drizzle.select().from(sender).where(present).get();
      return row === undefined ? null : { ...row, routeIds: routeIdsOf(id) };
    },
  };
}
