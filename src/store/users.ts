/** Console users, their recovery codes and setup links. */
import { and, eq, isNotNull, sql } from "drizzle-orm";
import type { ListRange, PartOfList } from "../domain/list-part.ts";
import type { Drizzle } from "./drizzle.ts";
import { account, consoleUser, recoveryCode, setupLink } from "./schema.ts";
import { partOfOwned } from "./table-part.ts";

export type UserRow = typeof consoleUser.$inferSelect;
export type NewUser = Pick<UserRow, "name" | "role" | "accountId" | "createdAt">;
export type SetupLinkRow = typeof setupLink.$inferSelect;

export class UserTable {
  constructor(private readonly drizzle: Drizzle) {}

  all(): UserRow[] {
    return this.drizzle.select().from(consoleUser).orderBy(consoleUser.id).all();
  }

  /** Those who sign in at the portal for this account. */
  ofAccount(accountId: number): UserRow[] {
    const isIts = eq(consoleUser.accountId, accountId);
    return this.drizzle.select().from(consoleUser).where(isIts).orderBy(consoleUser.id).all();
  }

  /** Searches name, role and account name. */
  part(range: ListRange): Promise<PartOfList<UserRow>> {
    return partOfOwned(this.drizzle, range, {
      table: consoleUser,
      key: consoleUser.id,
      accountId: consoleUser.accountId,
      isListed: undefined,
      order: [consoleUser.id],
      text: sql`${consoleUser.name} || ' ' || ${consoleUser.role} || ' ' || coalesce(${account.name}, '')`,
      rows: (where) => this.drizzle.select().from(consoleUser).where(where).orderBy(consoleUser.id).all(),
    });
  }

  hasPasswords(): boolean {
    const found = this.drizzle
      .select({ id: consoleUser.id })
      .from(consoleUser)
      .where(isNotNull(consoleUser.passwordHash));
    return found.limit(1).get() !== undefined;
  }

  byId(id: number): UserRow | null {
    return this.drizzle.select().from(consoleUser).where(eq(consoleUser.id, id)).get() ?? null;
  }

  byName(name: string): UserRow | null {
    return this.drizzle.select().from(consoleUser).where(eq(consoleUser.name, name)).get() ?? null;
  }

  insert(user: NewUser): UserRow {
    return this.drizzle.insert(consoleUser).values(user).returning().get();
  }

  update(id: number, to: Partial<Omit<UserRow, "id">>): UserRow | null {
    return this.drizzle.update(consoleUser).set(to).where(eq(consoleUser.id, id)).returning().get() ?? null;
  }

  /** False if a code of this time step or a later one was already used. */
  takeFactorStep(id: number, step: number): boolean {
    const isNew = and(eq(consoleUser.id, id), sql`${consoleUser.factorStep} < ${step}`);
    return this.drizzle.update(consoleUser).set({ factorStep: step }).where(isNew).returning().all().length > 0;
  }

  setRecoveryCodes(userId: number, hashes: readonly Buffer[]): void {
    this.drizzle.delete(recoveryCode).where(eq(recoveryCode.userId, userId)).run();
    for (const codeHash of hashes) this.drizzle.insert(recoveryCode).values({ userId, codeHash }).run();
  }

  /** False if the user has no such code or has used it. */
  takeRecoveryCode(userId: number, codeHash: Buffer): boolean {
    const taken = and(eq(recoveryCode.userId, userId), eq(recoveryCode.codeHash, codeHash));
    return this.drizzle.delete(recoveryCode).where(taken).returning().all().length > 0;
  }

  /** Replaces the user's previous link. */
  setLink(link: SetupLinkRow): void {
    this.drizzle.delete(setupLink).where(eq(setupLink.userId, link.userId)).run();
    this.drizzle.insert(setupLink).values(link).run();
  }

  link(tokenHash: Buffer): SetupLinkRow | null {
    return this.drizzle.select().from(setupLink).where(eq(setupLink.tokenHash, tokenHash)).get() ?? null;
  }

  removeLinkOf(userId: number): void {
    this.drizzle.delete(setupLink).where(eq(setupLink.userId, userId)).run();
  }
}
