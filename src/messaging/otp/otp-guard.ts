/** The fraud guard: ceilings for each account and number range, and an alarm where many codes are sent and few verified. */
import { isHeldBack, isSuspicious, numberRange } from "../../domain/fraud.ts";
import type { Logger } from "../../platform/log.ts";
import type { RangeCounts, RangeKey, RangeRow } from "../../store/otp-ranges.ts";
import type { Store, Tables } from "../../store/store.ts";

export interface GuardDeps {
  store: Store;
  clock: { now(): number };
  log: Logger;
  /** While it is off nothing is counted and nothing is held back. */
  on: boolean;
  /** Codes an hour that an account may send to one range of ten thousand numbers. */
  rangePerHour: number;
}

/** Accounts in which few codes are verified, and the ranges with the most codes, of this hour and the one before. */
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
  /** Accounts whose alarm was logged already, by the hour. */
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
    /** Milliseconds from `at` until the range gets codes again; 0 while it does. */
    waitMs(tables: Tables, accountId: number, recipient: string, at: number): number {
      if (!on) return 0;
      const key = keyOf(accountId, recipient, at);
      return isHeldBack(tables.otpRanges.counts(key), rangePerHour) ? key.hourStart + hourMs - at : 0;
    },

    /** Something happened to a code for this number at `at`. Inside a write alone. */
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

    /** Tells the log of every alarm, once an hour, and forgets old counts. To be called every minute or so. */
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
