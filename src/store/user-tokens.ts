/** Tokens by which programs act for the console's users; only hashes of them are stored. */
import { eq, lte, type SQL, sql } from "drizzle-orm";
import { onFirstUse } from "../platform/on-first-use.ts";
import type { Drizzle } from "./drizzle.ts";
import { userToken } from "./schema.ts";

export type UserTokenRow = typeof userToken.$inferSelect;
export type NewUserToken = Omit<UserTokenRow, "id" | "seenAt">;

/** Runs for every request. */
const prepare = (drizzle: Drizzle) => ({
  byHash: drizzle
    .select()
    .from(userToken)
    .where(eq(userToken.tokenHash, sql.placeholder("tokenHash")))
    .prepare(),
  byId: drizzle
    .select()
    .from(userToken)
    .where(eq(userToken.id, sql.placeholder("id")))
    .prepare(),
});

export class UserTokenTable {
  readonly #sql: () => ReturnType<typeof prepare>;

  constructor(private readonly drizzle: Drizzle) {
    this.#sql = onFirstUse(() => prepare(drizzle));
  }

  byHash(tokenHash: Buffer): UserTokenRow | null {
    return this.#sql().byHash.get({ tokenHash }) ?? null;
  }

  byId(id: number): UserTokenRow | null {
    return this.#sql().byId.get({ id }) ?? null;
  }

  /** Of a user, or all. */
  list(userId?: number): UserTokenRow[] {
    const which = userId === undefined ? undefined : eq(userToken.userId, userId);
    return this.drizzle.select().from(userToken).where(which).orderBy(userToken.id).all();
  }

  insert(row: NewUserToken): UserTokenRow {
    return this.drizzle.insert(userToken).values(row).returning().get();
  }

  update(id: number, to: Partial<Pick<UserTokenRow, "freed" | "seenAt">>): UserTokenRow | null {
    return this.drizzle.update(userToken).set(to).where(eq(userToken.id, id)).returning().get() ?? null;
  }

  remove(id: number): void {
    this.#remove(eq(userToken.id, id));
  }

  removeOf(userId: number): void {
    this.#remove(eq(userToken.userId, userId));
  }

  /** Removes tokens that ended at or before this time. */
  prune(endedBefore: number): void {
    this.#remove(lte(userToken.expiresAt, endedBefore));
  }

  #remove(which: SQL): void {
    this.drizzle.delete(userToken).where(which).run();
  }
}
