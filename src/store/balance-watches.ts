/** Whom to mail when an account's balance falls below an amount: one address and amount for each user. */
import { and, eq, gt, isNotNull, isNull } from "drizzle-orm";
import type { Drizzle } from "./drizzle.ts";
import { balanceWatch, consoleUser } from "./schema.ts";

export type BalanceWatchRow = typeof balanceWatch.$inferSelect;
export interface ConfirmedWatch extends Pick<BalanceWatchRow, "userId" | "below" | "mail" | "toldAt"> {
  accountId: number;
}

export class BalanceWatchTable {
  constructor(private readonly drizzle: Drizzle) {}

  of(userId: number): BalanceWatchRow | null {
    return this.drizzle.select().from(balanceWatch).where(eq(balanceWatch.userId, userId)).get() ?? null;
  }

  saveWatch(row: BalanceWatchRow): void {
    this.drizzle.insert(balanceWatch).values(row).onConflictDoUpdate({ target: balanceWatch.userId, set: row }).run();
  }

  remove(userId: number): void {
    this.drizzle.delete(balanceWatch).where(eq(balanceWatch.userId, userId)).run();
  }

  /** False if the link is not this user's, was used, or has expired. */
  confirmAddress(userId: number, tokenHash: Buffer, now: number): boolean {
    const isThis = and(
      eq(balanceWatch.userId, userId),
      eq(balanceWatch.tokenHash, tokenHash),
      gt(balanceWatch.expiresAt, now),
    );
    const confirmed = { tokenHash: null, expiresAt: null };
    return this.drizzle.update(balanceWatch).set(confirmed).where(isThis).returning().all().length > 0;
  }

  told(userId: number, toldAt: number | null): void {
    this.drizzle.update(balanceWatch).set({ toldAt }).where(eq(balanceWatch.userId, userId)).run();
  }

  /** Those with a confirmed address, of users who may sign in. */
  confirmed(): ConfirmedWatch[] {
    const { userId, below, mail, toldAt } = balanceWatch;
    const rows = this.drizzle
      .select({ userId, below, mail, toldAt, accountId: consoleUser.accountId })
      .from(balanceWatch)
      .innerJoin(consoleUser, eq(consoleUser.id, balanceWatch.userId))
      .where(and(isNull(balanceWatch.tokenHash), isNull(consoleUser.disabledAt), isNotNull(consoleUser.accountId)))
      .all();
    return rows.flatMap(({ accountId, ...row }) => (accountId === null ? [] : [{ ...row, accountId }]));
  }
}
