/** The console's sessions; of their tokens only hashes are kept. */
import { and, eq, lte, ne, or, type SQL } from "drizzle-orm";
import type { Drizzle } from "./drizzle.ts";
import { session } from "./schema.ts";

export type SessionRow = typeof session.$inferSelect;

export class SessionTable {
  readonly #drizzle: Drizzle;

  constructor(drizzle: Drizzle) {
    this.#drizzle = drizzle;
  }

  insert(row: Omit<SessionRow, "id">): SessionRow {
    return this.#drizzle.insert(session).values(row).returning().get();
  }

  byToken(tokenHash: Buffer): SessionRow | null {
    return this.#drizzle.select().from(session).where(eq(session.tokenHash, tokenHash)).get() ?? null;
  }

  byId(id: number): SessionRow | null {
    return this.#drizzle.select().from(session).where(eq(session.id, id)).get() ?? null;
  }

  of(userId: number): SessionRow[] {
    return this.#drizzle.select().from(session).where(eq(session.userId, userId)).orderBy(session.id).all();
  }

  seen(id: number, at: number): void {
    this.#drizzle.update(session).set({ seenAt: at }).where(eq(session.id, id)).run();
  }

  /** Each of these returns what it removed. */
  remove(id: number): SessionRow[] {
    return this.#remove(eq(session.id, id));
  }

  removeOf(userId: number): SessionRow[] {
    return this.#remove(eq(session.userId, userId));
  }

  removeOthers(userId: number, keptId: number): SessionRow[] {
    return this.#remove(and(eq(session.userId, userId), ne(session.id, keptId)));
  }

  /** Removes what was last seen at `seenBefore` or earlier, or began at `createdBefore` or earlier. */
  prune(seenBefore: number, createdBefore: number): SessionRow[] {
    return this.#remove(or(lte(session.seenAt, seenBefore), lte(session.createdAt, createdBefore)));
  }

  #remove(which: SQL | undefined): SessionRow[] {
    return this.#drizzle.delete(session).where(which).returning().all();
  }
}
