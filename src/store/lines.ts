/** Lines: the numbers that receive, each belonging to one account. */
import { eq, sql } from "drizzle-orm";
import type { ListRange, PartOfList } from "../domain/list-part.ts";
import type { Drizzle } from "./drizzle.ts";
import { account, line } from "./schema.ts";
import { partOfOwned } from "./table-part.ts";

export type LineRow = typeof line.$inferSelect;

/** Prepared once: it runs for every inbound message. */
function prepareByNumber(drizzle: Drizzle) {
  const named = eq(line.number, sql.placeholder("number"));
  return drizzle.select().from(line).where(named).prepare();
}

export class LineTable {
  readonly #byNumber: ReturnType<typeof prepareByNumber>;

  constructor(private readonly drizzle: Drizzle) {
    this.#byNumber = prepareByNumber(drizzle);
  }

  all(): LineRow[] {
    return this.drizzle.select().from(line).orderBy(line.number).all();
  }

  /** All lines, or those of one account, by number. Searches number and account name. */
  part(range: ListRange, accountId?: number): Promise<PartOfList<LineRow>> {
    return partOfOwned(this.drizzle, range, {
      table: line,
      key: line.number,
      accountId: line.accountId,
      isListed: accountId === undefined ? undefined : eq(line.accountId, accountId),
      order: [line.number],
      text: sql`${line.number} || ' ' || ${account.name}`,
      rows: (where) => this.drizzle.select().from(line).where(where).orderBy(line.number).all(),
    });
  }

  byNumber(number: string): LineRow | null {
    return this.#byNumber.get({ number }) ?? null;
  }

  insert(row: typeof line.$inferInsert): void {
    this.drizzle.insert(line).values(row).run();
  }

  /** Sets the credential that gets what the number receives; null for none. False if there is no such line. */
  setCredential(number: string, credentialId: number | null): boolean {
    return this.drizzle.update(line).set({ credentialId }).where(eq(line.number, number)).returning().all().length > 0;
  }

  /** Null if there was no such line. Messages it has made available stay available. */
  remove(number: string): LineRow | null {
    return this.drizzle.delete(line).where(eq(line.number, number)).returning().get() ?? null;
  }
}
