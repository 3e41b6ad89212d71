/** Lines: the numbers that receive, each for one account. */
import { eq, sql } from "drizzle-orm";
import type { Drizzle } from "./drizzle.ts";
import { line } from "./schema.ts";

export type LineRow = typeof line.$inferSelect;

/** Prepared once: it runs for every message that comes in. */
function prepareByNumber(drizzle: Drizzle) {
  const named = eq(line.number, sql.placeholder("number"));
  return drizzle.select().from(line).where(named).prepare();
}

export class LineTable {
  readonly #drizzle: Drizzle;
  readonly #byNumber: ReturnType<typeof prepareByNumber>;

  constructor(drizzle: Drizzle) {
    this.#drizzle = drizzle;
    this.#byNumber = prepareByNumber(drizzle);
  }

  all(): LineRow[] {
    return this.#drizzle.select().from(line).orderBy(line.number).all();
  }

  byNumber(number: string): LineRow | null {
    return this.#byNumber.get({ number }) ?? null;
  }

  insert(row: LineRow): void {
    this.#drizzle.insert(line).values(row).run();
  }

  /** Null where there was no such line. Messages that it made available stay so. */
  remove(number: string): LineRow | null {
    return this.#drizzle.delete(line).where(eq(line.number, number)).returning().get() ?? null;
  }
}
