/**
 * Counts for the fraud guard: one-time passwords by account, number range and hour. Ranges are held in memory and
 * checked at every password; a commit's changes are written once per range.
 */
import type { Database } from "bun:sqlite";
import { columnsOf, insertInto, type RowOf } from "./columns.ts";
import type { GatheredWrites } from "./group-transaction.ts";
import { type HeldValue, HeldValues } from "./held-values.ts";
import { otpRange } from "./schema.ts";

const countColumns = columnsOf(otpRange, "sends", "challenges", "verified", "held");
const rangeColumns = columnsOf(otpRange);

/** `range`: the leading digits of an E.164 number, with the plus sign. `hourStart`: epoch milliseconds. */
export type RangeRow = RowOf<typeof rangeColumns>;

/** `sends` includes challenges; `held` counts codes that the guard refused to send. */
export type RangeCounts = RowOf<typeof countColumns>;

export type RangeKey = Omit<RangeRow, keyof RangeCounts>;

const nothing: Readonly<RangeCounts> = { sends: 0, challenges: 0, verified: 0, held: 0 };

/** Ranges held in memory, 200 bytes each. */
const rangesMax = 20_000;

interface RangeState extends HeldValue<Readonly<RangeCounts>> {
  readonly key: RangeKey;
  /** Added by the current transaction and not written yet. */
  added: Readonly<RangeCounts>;
}

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

export class OtpRangeTable implements GatheredWrites {
  readonly #sql: ReturnType<typeof prepare>;
  /** Recently used ranges. */
  readonly #states = new Map<string, RangeState>();
  readonly #held = new HeldValues<RangeState>();

  constructor(database: Database) {
    this.#sql = prepare(database);
  }

  /** As seen by the current transaction; outside one, as stored on disk. */
  counts(key: RangeKey): RangeCounts {
    return this.#stateOf(key).present;
  }

  /** Writes. */
  add(key: RangeKey, by: Partial<RangeCounts>): void {
    const state = this.#stateOf(key);
    const more = { ...nothing, ...by };
    state.present = sumOf(state.present, more);
    state.added = sumOf(state.added, more);
    this.#held.add(state);
  }

  /** Totals of each account over all ranges, in the hours starting at `hourStart`. */
  byAccount(hourStart: number): (RangeCounts & { accountId: number })[] {
    return this.#sql.byAccount.all(hourStart);
  }

  /** Ranges in which codes were held first, then those with the most codes. */
  busiest(hourStart: number, limit: number): RangeRow[] {
    return this.#sql.busiest.all(hourStart, limit);
  }

  prune(hourStartBefore: number): void {
    this.#sql.prune.run(hourStartBefore);
    for (const [name, { key }] of this.#states) if (key.hourStart < hourStartBefore) this.#states.delete(name);
  }

  reset(): void {
    this.#forgetAdded();
    this.#held.reset();
  }

  flush(): void {
    for (const { key, added } of this.#held.changed) {
      const { sends, challenges, verified, held } = added;
      this.#sql.add.run(key.accountId, key.range, key.hourStart, sends, challenges, verified, held);
    }
    this.#forgetAdded();
  }

  keep(): void {
    this.#held.keep();
  }

  undo(): void {
    this.#forgetAdded();
    this.#held.undo();
  }

  committed(): void {
    this.#held.committed();
  }

  #forgetAdded(): void {
    for (const state of this.#held.changed) state.added = nothing;
  }

  #stateOf(key: RangeKey): RangeState {
    const { accountId, range, hourStart } = key;
    const name = `${accountId} ${range} ${hourStart}`;
    let state = this.#states.get(name);
    if (state === undefined) {
      if (this.#states.size >= rangesMax && this.#held.isEmpty) this.#states.clear();
      const stored = this.#sql.counts.get(accountId, range, hourStart) ?? nothing;
      state = { key, stored, kept: stored, present: stored, added: nothing };
      this.#states.set(name, state);
    }
    return state;
  }
}

const sumOf = (a: Readonly<RangeCounts>, b: Readonly<RangeCounts>): RangeCounts => ({
  sends: a.sends + b.sends,
  challenges: a.challenges + b.challenges,
  verified: a.verified + b.verified,
  held: a.held + b.held,
});
