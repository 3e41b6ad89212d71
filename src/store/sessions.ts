/** Console sessions; only hashes of their tokens are stored. */
import { and, desc, eq, isNull, lte, ne, notInArray, or, type SQL, sql } from "drizzle-orm";
import { onFirstUse } from "../platform/on-first-use.ts";
import type { Drizzle } from "./drizzle.ts";
import { consoleUser, session } from "./schema.ts";

export type SessionRow = typeof session.$inferSelect;
export type SessionAge = Pick<SessionRow, "seenAt" | "createdAt" | "isConfirmed" | "endsAt">;
export type NewSession = Omit<typeof session.$inferInsert, "id" | "wrongCodes">;

/** Runs for every request and every fragment of an open page: unprepared, a query took 0.2 ms. */
const prepare = (drizzle: Drizzle) => ({
  byToken: drizzle
    .select()
    .from(session)
    .where(eq(session.tokenHash, sql.placeholder("tokenHash")))
    .prepare(),
  confirmed: drizzle
    .select({
      seenAt: session.seenAt,
      createdAt: session.createdAt,
      isConfirmed: session.isConfirmed,
      endsAt: session.endsAt,
    })
    .from(session)
    .innerJoin(consoleUser, eq(consoleUser.id, session.userId))
    .where(
      and(
        eq(session.id, sql.placeholder("id")),
        eq(session.userId, sql.placeholder("userId")),
        eq(session.isConfirmed, true),
        isNull(consoleUser.disabledAt),
      ),
    )
    .prepare(),
});

export class SessionTable {
  /** Prepared at the first query, so that startup need not wait for it. */
  readonly #sql: () => ReturnType<typeof prepare>;

  constructor(private readonly drizzle: Drizzle) {
    this.#sql = onFirstUse(() => prepare(drizzle));
  }

  insert(row: NewSession): SessionRow {
    return this.drizzle.insert(session).values(row).returning().get();
  }

  byToken(tokenHash: Buffer): SessionRow | null {
    return this.#sql().byToken.get({ tokenHash }) ?? null;
  }

  /** Null if the user has no such session, it awaits the second factor, or the user is disabled. */
  confirmed(id: number, userId: number): SessionAge | null {
    return this.#sql().confirmed.get({ id, userId }) ?? null;
  }

  of(userId: number): SessionRow[] {
    return this.drizzle.select().from(session).where(eq(session.userId, userId)).orderBy(session.id).all();
  }

  /** Who signed in, and from where. */
  addresses(): { user: string; address: string }[] {
    return this.drizzle
      .selectDistinct({ user: consoleUser.name, address: session.address })
      .from(session)
      .innerJoin(consoleUser, eq(consoleUser.id, session.userId))
      .where(eq(session.isConfirmed, true))
      .all();
  }

  /** Returns the number of wrong second-factor codes so far. */
  addWrongCode(id: number): number {
    const counted = sql`${session.wrongCodes} + 1`;
    const changed = this.drizzle.update(session).set({ wrongCodes: counted }).where(eq(session.id, id)).returning();
    return changed.get().wrongCodes;
  }

  /** A second factor was proved while it was open. */
  proved(id: number): void {
    this.drizzle.update(session).set({ hasFactor: true }).where(eq(session.id, id)).run();
  }

  seen(id: number, at: number): void {
    this.drizzle.update(session).set({ seenAt: at }).where(eq(session.id, id)).run();
  }

  /** Each of these methods returns what it removed. */
  remove(id: number): SessionRow[] {
    return this.#remove(eq(session.id, id));
  }

  removeOf(userId: number): SessionRow[] {
    return this.#remove(eq(session.userId, userId));
  }

  /** Those that the user opened by this way, except one. */
  removeOpenedBy(userId: number, way: SessionRow["way"], keptId: number | null = null): SessionRow[] {
    return this.#remove(and(eq(session.userId, userId), eq(session.way, way), ne(session.id, keptId ?? 0)));
  }

  /** Those that a provider knows by this name. */
  ofProvider(providerSession: string): SessionRow[] {
    return this.drizzle.select().from(session).where(eq(session.providerSession, providerSession)).all();
  }

  removeOthers(userId: number, keptId: number): SessionRow[] {
    return this.#remove(and(eq(session.userId, userId), ne(session.id, keptId)));
  }

  /** Keeps the newest `count` of the user's sessions that await their second factor, or of the others. */
  keepNewest({ userId, isConfirmed }: Pick<SessionRow, "userId" | "isConfirmed">, count: number): SessionRow[] {
    const alike = and(eq(session.userId, userId), eq(session.isConfirmed, isConfirmed));
    const newest = this.drizzle.select({ id: session.id }).from(session).where(alike).orderBy(desc(session.id));
    return this.#remove(and(alike, notInArray(session.id, newest.limit(count))));
  }

  /** Removes sessions last seen at or before `seenBefore`, created at or before `createdBefore`, or ended by `now`. */
  prune({ seenBefore, createdBefore, now }: { seenBefore: number; createdBefore: number; now: number }): SessionRow[] {
    const isOld = or(lte(session.seenAt, seenBefore), lte(session.createdAt, createdBefore));
    return this.#remove(or(isOld, lte(session.endsAt, now)));
  }

  #remove(which: SQL | undefined): SessionRow[] {
    return this.drizzle.delete(session).where(which).returning().all();
  }
}
