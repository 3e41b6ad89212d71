/** Outcomes per minute over the last hour, for the time after a restart: memory has them while the service runs. */
import { gt, lte, or } from "drizzle-orm";
import type { Drizzle } from "./drizzle.ts";
import { outcomeMinute } from "./schema.ts";

/** `at`: its start, in epoch milliseconds. */
export type OutcomeMinute = typeof outcomeMinute.$inferSelect;

export class OutcomeMinuteTable {
  constructor(private readonly drizzle: Drizzle) {}

  /** Oldest first. */
  all(): OutcomeMinute[] {
    return this.drizzle.select().from(outcomeMinute).orderBy(outcomeMinute.at).all();
  }

  /** Replaces minutes that are stored already. */
  put(minutes: readonly OutcomeMinute[]): void {
    for (const { at, ...counts } of minutes) {
      const row = this.drizzle.insert(outcomeMinute).values({ at, ...counts });
      row.onConflictDoUpdate({ target: outcomeMinute.at, set: counts }).run();
    }
  }

  /** Removes those up to `after`, and those later than `last`, which a clock that was ahead left. */
  keepOnly(after: number, last: number): void {
    this.drizzle
      .delete(outcomeMinute)
      .where(or(lte(outcomeMinute.at, after), gt(outcomeMinute.at, last)))
      .run();
  }
}
