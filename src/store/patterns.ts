/** Patterns: texts with variables, approved by an operator. */
import { and, asc, eq, sql } from "drizzle-orm";
import type { ListRange, PartOfList } from "../domain/list-part.ts";
import type { Drizzle } from "./drizzle.ts";
import { account, pattern } from "./schema.ts";
import { partOfOwned } from "./table-part.ts";

export type PatternRow = typeof pattern.$inferSelect;
export type NewPattern = Omit<PatternRow, "id">;

export class PatternTable {
  constructor(private readonly drizzle: Drizzle) {}

  all(): PatternRow[] {
    return this.drizzle.select().from(pattern).orderBy(asc(pattern.id)).all();
  }

  ofAccount(accountId: number): PatternRow[] {
    const owned = eq(pattern.accountId, accountId);
    return this.drizzle.select().from(pattern).where(owned).orderBy(asc(pattern.code)).all();
  }

  /** Searches code, name, account name and text. Sorted by code for one account, by creation for all accounts. */
  part(range: ListRange, accountId?: number): Promise<PartOfList<PatternRow>> {
    const isListed = accountId === undefined ? undefined : eq(pattern.accountId, accountId);
    const order = isListed ? pattern.code : pattern.id;
    return partOfOwned(this.drizzle, range, {
      table: pattern,
      key: pattern.id,
      accountId: pattern.accountId,
      isListed,
      order: [order],
      text: sql`${pattern.code} || ' ' || ${pattern.name} || ' ' || ${account.name} || ' ' || ${pattern.text}`,
      rows: (where) => this.drizzle.select().from(pattern).where(where).orderBy(order).all(),
    });
  }

  /** Patterns with this code, at most one per account. */
  byCode(code: string): PatternRow[] {
    return this.drizzle.select().from(pattern).where(eq(pattern.code, code)).orderBy(asc(pattern.id)).all();
  }

  byAccountAndCode(accountId: number, code: string): PatternRow | null {
    const named = and(eq(pattern.accountId, accountId), eq(pattern.code, code));
    return this.drizzle.select().from(pattern).where(named).get() ?? null;
  }

  insert(row: NewPattern): PatternRow {
    return this.drizzle.insert(pattern).values(row).returning().get();
  }

  /** Null if there is no such pattern. */
  update(id: number, change: Partial<NewPattern>): PatternRow | null {
    return this.drizzle.update(pattern).set(change).where(eq(pattern.id, id)).returning().get() ?? null;
  }
}
