/** Whom providers of single sign-on take users for: by issuer and subject, each side by itself. */
import { and, eq, sql } from "drizzle-orm";
import type { SignInSide } from "../domain/ways-in.ts";
import { onFirstUse } from "../platform/on-first-use.ts";
import type { Drizzle } from "./drizzle.ts";
import { userIdentity } from "./schema.ts";

export type IdentityRow = typeof userIdentity.$inferSelect;
export type NewIdentity = Omit<IdentityRow, "id">;

const prepareOf = (drizzle: Drizzle) =>
  drizzle
    .select()
    .from(userIdentity)
    .where(eq(userIdentity.userId, sql.placeholder("userId")))
    .prepare();

export class IdentityTable {
  /** Runs for every request with a token. */
  readonly #of: () => ReturnType<typeof prepareOf>;

  constructor(private readonly drizzle: Drizzle) {
    this.#of = onFirstUse(() => prepareOf(drizzle));
  }

  of(userId: number): IdentityRow | null {
    return this.#of().get({ userId }) ?? null;
  }

  find(side: SignInSide, issuer: string, subject: string): IdentityRow | null {
    const isIt = and(eq(userIdentity.side, side), eq(userIdentity.issuer, issuer), eq(userIdentity.subject, subject));
    return this.drizzle.select().from(userIdentity).where(isIt).get() ?? null;
  }

  /** Replaces the one that the user had. */
  set(identity: NewIdentity): void {
    this.removeOf(identity.userId);
    this.drizzle.insert(userIdentity).values(identity).run();
  }

  /** The provider let the person in. */
  judged(id: number, judgedAt: number): void {
    this.drizzle.update(userIdentity).set({ judgedAt }).where(eq(userIdentity.id, id)).run();
  }

  /** The provider decides the user's role no more. */
  keepRoleOf(userId: number): void {
    this.drizzle.update(userIdentity).set({ givesRole: false }).where(eq(userIdentity.userId, userId)).run();
  }

  removeOf(userId: number): void {
    this.drizzle.delete(userIdentity).where(eq(userIdentity.userId, userId)).run();
  }
}
