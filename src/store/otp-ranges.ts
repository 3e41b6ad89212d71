/** What the fraud guard counts: one-time passwords by account, number range and hour. */
import type { Database } from "bun:sqlite";

export interface RangeKey {
  accountId: number;
  /** The leading digits of an E.164 number, with the plus sign. */
  range: string;
  /** Epoch milliseconds. */
  hourStart: number;
}

export interface RangeCounts {
  /** Codes sent, challenges among them. */
  sends: number;
  challenges: number;
  verified: number;
  /** Codes that the guard refused to send. */
  held: number;
}

export type RangeRow = RangeKey & RangeCounts;

const nothing: RangeCounts = { sends: 0, challenges: 0, verified: 0, held: 0 };

export type OtpRangeTable = ReturnType<typeof otpRangeTable>;

export function otpRangeTable(database: Database) {
  const find = database.prepare<RangeCounts, [number, string, number]>(
    `SELECT sends, challenges, verified, held FROM otp_range
     WHERE account_id = ? AND number_range = ? AND hour_start = ?`,
  );
  const addition = database.prepare(
    `INSERT INTO otp_range (account_id, number_range, hour_start, sends, challenges, verified, held)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
     ON CONFLICT DO UPDATE SET sends = sends + ?4, challenges = challenges + ?5, verified = verified + ?6, held = held + ?7`,
  );
  const byAccount = database.prepare<RangeCounts & { accountId: number }, [number]>(
    `SELECT account_id AS accountId, sum(sends) AS sends, sum(challenges) AS challenges, sum(verified) AS verified,
       sum(held) AS held
     FROM otp_range WHERE hour_start >= ? GROUP BY account_id ORDER BY account_id`,
  );
  const busiest = database.prepare<RangeRow, [number, number]>(
    `SELECT account_id AS accountId, number_range AS range, hour_start AS hourStart, sends, challenges, verified, held
     FROM otp_range WHERE hour_start >= ? ORDER BY held DESC, sends DESC LIMIT ?`,
  );
  const prune = database.prepare("DELETE FROM otp_range WHERE hour_start < ?");

  return {
    counts: (key: RangeKey): RangeCounts => find.get(key.accountId, key.range, key.hourStart) ?? nothing,
    add(key: RangeKey, by: Partial<RangeCounts>): void {
      const { sends, challenges, verified, held } = { ...nothing, ...by };
      addition.run(key.accountId, key.range, key.hourStart, sends, challenges, verified, held);
    },
    /** All ranges of each account together, in the hours from `hourStart` on. */
    byAccount: (hourStart: number) => byAccount.all(hourStart),
    /** Ranges in which codes were held back first, then those with the most codes. */
    busiest: (hourStart: number, limit: number): RangeRow[] => busiest.all(hourStart, limit),
    prune(hourStartBefore: number): void {
      prune.run(hourStartBefore);
    },
  };
}
