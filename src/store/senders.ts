/** Senders of accounts with their routes in order of preference. A removed sender stays: messages refer to it. */
import { and, asc, eq } from "drizzle-orm";
import type { Drizzle } from "./drizzle.ts";
import { sender, senderRoute } from "./schema.ts";

export interface SenderRow extends Readonly<typeof sender.$inferSelect> {
  /** Ids of its routes, preferred first. */
  readonly routeIds: readonly number[];
}

/** Has no plan unless one is given. */
export type NewSender = Omit<SenderRow, "id" | "planId"> & Partial<Pick<SenderRow, "planId">>;

export class SenderTable {
  constructor(private readonly drizzle: Drizzle) {}

  /** Includes removed senders. */
  all(): SenderRow[] {
    const ordered = this.drizzle.select().from(senderRoute).orderBy(senderRoute.senderId, senderRoute.position);
    const routes = Map.groupBy(ordered.all(), ({ senderId }) => senderId);
    const rows = this.drizzle.select().from(sender).orderBy(sender.id).all();
    return rows.map((row) => ({ ...row, routeIds: (routes.get(row.id) ?? []).map(({ routeId }) => routeId) }));
  }

  /** The account's sender with this name, even if removed. */
  byName(accountId: number, name: string): SenderRow | null {
    const named = and(eq(sender.accountId, accountId), eq(sender.sender, name));
    const row = this.drizzle.select().from(sender).where(named).get();
    return row === undefined ? null : { ...row, routeIds: this.#routeIdsOf(row.id) };
  }

  insert({ routeIds, ...row }: NewSender): SenderRow {
    const inserted = this.drizzle.insert(sender).values(row).returning().get();
    this.#setRoutes(inserted.id, routeIds);
    return { ...inserted, routeIds };
  }

  /** Null if there is no such sender. */
  update(id: number, { routeIds, ...change }: Partial<NewSender>): SenderRow | null {
    if (routeIds !== undefined) this.#setRoutes(id, routeIds);
    const present = eq(sender.id, id);
    if (Object.keys(change).length > 0) this.drizzle.update(sender).set(change).where(present).run();
    const row = this.drizzle.select().from(sender).where(present).get();
    return row === undefined ? null : { ...row, routeIds: this.#routeIdsOf(id) };
  }

  #routeIdsOf(senderId: number): number[] {
    const rows = this.drizzle.select().from(senderRoute).where(eq(senderRoute.senderId, senderId));
    const ordered = rows.orderBy(asc(senderRoute.position)).all();
    return ordered.map(({ routeId }) => routeId);
  }

  #setRoutes(senderId: number, routeIds: readonly number[]): void {
    this.drizzle.delete(senderRoute).where(eq(senderRoute.senderId, senderId)).run();
    for (const [position, routeId] of routeIds.entries()) {
      this.drizzle.insert(senderRoute).values({ senderId, position, routeId }).run();
    }
  }
}
