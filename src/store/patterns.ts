/** Patterns: texts with variables that an operator approved. */
import { and, asc, eq } from "drizzle-orm";
import type { Drizzle } from "./drizzle.ts";
import { pattern } from "./schema.ts";

export type PatternRow = typeof pattern.$inferSelect;
export type NewPattern = Omit<PatternRow, "id">;

export type PatternTable = ReturnType<typeof patternTable>;

export function patternTable(drizzle: Drizzle) {
  return {
    all: (): PatternRow[] => drizzle.select().from(pattern).orderBy(asc(pattern.id)).all(),
    ofAccount: (accountId: number): PatternRow[] =>
      drizzle.select().from(pattern).where(eq(pattern.accountId, accountId)).orderBy(asc(pattern.code)).all(),
    /** Patterns of this code, at most one in each account. */
    byCode: (code: string): PatternRow[] =>
      drizzle.select().from(pattern).where(eq(pattern.code, code)).orderBy(asc(pattern.id)).all(),
    byAccountAndCode: (accountId: number, code: string): PatternRow | null =>
      drizzle
        .select()
        .from(pattern)
        .where(and(eq(pattern.accountId, accountId), eq(pattern.code, code)))
        .get() ?? null,
    insert: (row: NewPattern): PatternRow => drizzle.insert(pattern).values(row).returning().get(),
    /** Null where there is no such pattern. */
    update: (id: number, change: Partial<NewPattern>): PatternRow | null =>
      drizzle.update(pattern).set(change).where(eq(pattern.id, id)).returning().get() ?? null,
  };
}
