/** The fraud guard: ceilings per account and number range, and an alarm when many codes are sent and few verified. */
import { isHeldBack, isSuspicious, numberRange } from "../../domain/fraud.ts";
import type { Logger } from "../../platform/log.ts";
import type { RangeCounts, RangeKey, RangeRow } from "../../store/otp-ranges.ts";
import type { Store, Tables } from "../../store/store.ts";

export interface GuardDeps {
  store: Store;
  clock: { now(): number };
  log: Logger;
  /** While off, nothing is counted or held back. */
  on: boolean;
  /** Codes per hour that an account may send to one range of ten thousand numbers. */
  rangePerHour: number;
}

/** Accounts that verify few codes, and the ranges with the most codes, in the current and the previous hour. */
export interface GuardOverview {
  on: boolean;
  alarms: (RangeCounts & { accountId: number })[];
  ranges: (RangeRow & { suspicious: boolean })[];
}

const hourMs = 3_600_000;
const keptMs = 7 * 24 * hourMs;
const rangesShown = 50;

export type OtpGuard = ReturnType<typeof otpGuard>;

export function otpGuard({ store, clock, log, on, rangePerHour }: GuardDeps) {
  /** Accounts whose alarm has been logged, by hour. */
  const told = new Set<string>();
  const hourOf = (time: number) => Math.floor(time / hourMs) * hourMs;
  const keyOf = (accountId: number, recipient: string, at: number): RangeKey => ({
    accountId,
    range: numberRange(recipient),
    hourStart: hourOf(at),
  });

  function alarms(): GuardOverview["alarms"] {
    return store.tables.otpRanges.byAccount(hourOf(clock.now()) - hourMs).filter(isSuspicious);
  }

  return {
    /** Milliseconds from `at` until the range gets codes again; 0 if it does now. */
    waitMs(tables: Tables, accountId: number, recipient: string, at: number): number {
      if (!on) return 0;
      const key = keyOf(accountId, recipient, at);
      return isHeldBack(tables.otpRanges.counts(key), rangePerHour) ? key.hourStart + hourMs - at : 0;
    },

    /** Counts an event of a code for this number at `at`. Only call inside a write. */
    count(tables: Tables, accountId: number, recipient: string, at: number, by: Partial<RangeCounts>): void {
      if (on) tables.otpRanges.add(keyOf(accountId, recipient, at), by);
    },

    /** A code was held back. */
    async countHeld(accountId: number, recipient: string, at: number): Promise<void> {
      if (on) await store.write((tables) => tables.otpRanges.add(keyOf(accountId, recipient, at), { held: 1 }));
    },

    overview(): GuardOverview {
      const ranges = store.tables.otpRanges.busiest(hourOf(clock.now()) - hourMs, rangesShown);
      return { on, alarms: alarms(), ranges: ranges.map((row) => ({ ...row, suspicious: isSuspicious(row) })) };
    },

    /** Logs every alarm, once an hour, and removes old counts. Call every minute or so. */
    async watch(): Promise<void> {
      if (!on) return;
      const now = clock.now();
      for (const { accountId, challenges, verified, held } of alarms()) {
        const name = `${accountId} ${hourOf(now)}`;
        if (told.has(name)) continue;
        if (told.size > 10_000) told.clear();
        told.add(name);
        log.warn({ accountId, challenges, verified, held }, "many one-time passwords are sent and few are verified");
      }
      await store.write((tables) => tables.otpRanges.prune(now - keptMs));
    },
  };
}
