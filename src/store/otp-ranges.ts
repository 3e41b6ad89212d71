/** What the fraud guard counts: one-time passwords by account, number range and hour. */
import type { Database } from "bun:sqlite";
import { columnsOf, insertInto, type RowOf } from "./columns.ts";
import { otpRange } from "./schema.ts";

const countColumns = columnsOf(otpRange, "sends", "challenges", "verified", "held");
const rangeColumns = columnsOf(otpRange);

/** `range`: the leading digits of an E.164 number, with the plus sign. `hourStart`: epoch milliseconds. */
export type RangeRow = RowOf<typeof rangeColumns>;

/** `sends` counts challenges too; `held` the codes that the guard refused to send. */
export type RangeCounts = RowOf<typeof countColumns>;

export type RangeKey = Omit<RangeRow, keyof RangeCounts>;

const nothing: RangeCounts = { sends: 0, challenges: 0, verified: 0, held: 0 };

const prepare = (database: Database) => ({
  counts: database.prepare<RangeCounts, [number, string, number]>(
    `SELECT ${countColumns} FROM otp_range WHERE account_id = ? AND number_range = ? AND hour_start = ?`,
  ),
  add: database.prepare(
    `${insertInto(otpRange, "accountId", "range", "hourStart", "sends", "challenges", "verified", "held")}
     ON CONFLICT DO UPDATE SET sends = sends + excluded.sends, challenges = challenges + excluded.challenges,
       verified = verified + excluded.verified, held = held + excluded.held`,
  ),
  byAccount: database.prepare<RangeCounts & { accountId: number }, [number]>(
    `SELECT account_id AS accountId, sum(sends) AS sends, sum(challenges) AS challenges, sum(verified) AS verified,
       sum(held) AS held
     FROM otp_range WHERE hour_start >= ? GROUP BY account_id ORDER BY account_id`,
  ),
  busiest: database.prepare<RangeRow, [number, number]>(
    `SELECT ${rangeColumns} FROM otp_range WHERE hour_start >= ? ORDER BY held DESC, sends DESC LIMIT ?`,
  ),
  prune: database.prepare("DELETE FROM otp_range WHERE hour_start < ?"),
});

export class OtpRangeTable {
  readonly #sql: ReturnType<typeof prepare>;

  constructor(database: Database) {
    this.#sql = prepare(database);
  }

  counts({ accountId, range, hourStart }: RangeKey): RangeCounts {
    return this.#sql.counts.get(accountId, range, hourStart) ?? nothing;
  }

  add({ accountId, range, hourStart }: RangeKey, by: Partial<RangeCounts>): void {
    const { sends, challenges, verified, held } = { ...nothing, ...by };
    this.#sql.add.run(accountId, range, hourStart, sends, challenges, verified, held);
  }

  /** All ranges of each account together, in the hours from `hourStart` on. */
  byAccount(hourStart: number): (RangeCounts & { accountId: number })[] {
    return this.#sql.byAccount.all(hourStart);
  }

  /** Ranges in which codes were held back first, then those with the most codes. */
  busiest(hourStart: number, limit: number): RangeRow[] {
    return this.#sql.busiest.all(hourStart, limit);
  }

  prune(hourStartBefore: number): void {
    this.#sql.prune.run(hourStartBefore);
  }
}
