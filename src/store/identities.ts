/** Whom providers of single sign-on take users for: by issuer and subject, each side by itself. */
import { and, eq } from "drizzle-orm";
import type { SignInSide } from "../domain/ways-in.ts";
import type { Drizzle } from "./drizzle.ts";
import { userIdentity } from "./schema.ts";

export type IdentityRow = typeof userIdentity.$inferSelect;
export type NewIdentity = Omit<IdentityRow, "id">;

export class IdentityTable {
  readonly #drizzle: Drizzle;

  constructor(drizzle: Drizzle) {
    this.#drizzle = drizzle;
  }

  of(userId: number): IdentityRow | null {
    return this.#drizzle.select().from(userIdentity).where(eq(userIdentity.userId, userId)).get() ?? null;
  }

  all(): IdentityRow[] {
    return this.#drizzle.select().from(userIdentity).all();
  }

  find(side: SignInSide, issuer: string, subject: string): IdentityRow | null {
    const isIt = and(eq(userIdentity.side, side), eq(userIdentity.issuer, issuer), eq(userIdentity.subject, subject));
    return this.#drizzle.select().from(userIdentity).where(isIt).get() ?? null;
  }

  /** Replaces the one that the user had. */
  set(identity: NewIdentity): void {
    this.removeOf(identity.userId);
    this.#drizzle.insert(userIdentity).values(identity).run();
  }

  update(id: number, to: Partial<Pick<IdentityRow, "givesRole" | "judgedAt">>): void {
    this.#drizzle.update(userIdentity).set(to).where(eq(userIdentity.id, id)).run();
  }

  removeOf(userId: number): void {
    this.#drizzle.delete(userIdentity).where(eq(userIdentity.userId, userId)).run();
  }
}
