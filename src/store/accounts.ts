/** Accounts: the customers who send. A suspended account keeps everything but can do nothing. */
import { eq } from "drizzle-orm";
import type { Drizzle } from "./drizzle.ts";
import { account } from "./schema.ts";

export type AccountRow = typeof account.$inferSelect;
export type NewAccount = Omit<typeof account.$inferInsert, "id">;

export class AccountTable {
  constructor(private readonly drizzle: Drizzle) {}

  all(): AccountRow[] {
    return this.drizzle.select().from(account).orderBy(account.id).all();
  }

  byId(id: number): AccountRow | null {
    return this.drizzle.select().from(account).where(eq(account.id, id)).get() ?? null;
  }

  insert(row: NewAccount): AccountRow {
    return this.drizzle.insert(account).values(row).returning().get();
  }

  /** Null if there is no such account. */
  update(id: number, change: Partial<NewAccount>): AccountRow | null {
    return this.drizzle.update(account).set(change).where(eq(account.id, id)).returning().get() ?? null;
  }
}
