/** The console's sessions; of their tokens only hashes are kept. */
import { and, eq, lte, ne, or, type SQL, sql } from "drizzle-orm";
import type { Drizzle } from "./drizzle.ts";
import { session } from "./schema.ts";

export type SessionRow = typeof session.$inferSelect;
export type NewSession = Omit<SessionRow, "id" | "wrongCodes">;

export class SessionTable {
  readonly #drizzle: Drizzle;

  constructor(drizzle: Drizzle) {
    this.#drizzle = drizzle;
  }

  insert(row: NewSession): SessionRow {
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

  /** From where users signed in. */
  addresses(): string[] {
    const confirmed = this.#drizzle.selectDistinct({ address: session.address }).from(session);
    return confirmed
      .where(eq(session.isConfirmed, true))
      .all()
      .map(({ address }) => address);
  }

  /** Returns how many codes of the second factor were wrong by now. */
  addWrongCode(id: number): number {
    const counted = sql`${session.wrongCodes} + 1`;
    const changed = this.#drizzle.update(session).set({ wrongCodes: counted }).where(eq(session.id, id)).returning();
    return changed.get().wrongCodes;
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
