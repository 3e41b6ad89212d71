/** Lines: the numbers that receive, each for one account. */
import { eq, sql } from "drizzle-orm";
import type { Drizzle } from "./drizzle.ts";
import { line } from "./schema.ts";

export type LineRow = typeof line.$inferSelect;

export type LineTable = ReturnType<typeof lineTable>;

export function lineTable(drizzle: Drizzle) {
  // Asked for every message that comes in.
  const byNumber = drizzle
    .select()
    .from(line)
    .where(eq(line.number, sql.placeholder("number")))
    .prepare();
  return {
    all: (): LineRow[] => drizzle.select().from(line).orderBy(line.number).all(),
    byNumber: (number: string): LineRow | null => byNumber.get({ number }) ?? null,
    insert: (row: LineRow): void => void drizzle.insert(line).values(row).run(),
    /** Null where there was no such line. Messages that it made available stay so. */
    remove: (number: string): LineRow | null =>
      drizzle.delete(line).where(eq(line.number, number)).returning().get() ?? null,
  };
}
