/** The operator says that the wall clock is right, after it jumped ahead or came back. */
import { bookedAheadMsMax } from "../platform/booking-clock.ts";
import { isoTime } from "../platform/clock.ts";
import type { ClockDoubt } from "../platform/clock-watch.ts";
import type { OperatorDeps } from "./deps.ts";
import { changes } from "./operation.ts";

export const clockAdmin = {
  "POST /clock/confirm": changes({
    may: "system.change",
    scope: "none",
    input: {},
    run: async ({ wallClock, bookingClock, clock }) => {
      const wasInDoubt = wallClock.doubt() !== null;
      const wasBookedAhead = booksAheadMs(bookingClock) !== null;
      await wallClock.confirm();
      return { now: isoTime(clock.now()), wasInDoubt, wasBookedAhead };
    },
    audit: { action: "clock.confirm", target: () => "clock", told: (_, answer) => answer },
  }),
};

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** How far what was booked is ahead of a clock that is believed: it was wrong and came back. Null where that is soon over. */
export function booksAheadMs(bookingClock: OperatorDeps["bookingClock"]): number | null {
  const aheadMs = bookingClock.aheadMs();
  return aheadMs > bookedAheadMsMax ? aheadMs : null;
}

/** A warning for `status` and `doctor`; none where money and quotas are booked by the clock. */
export function bookingWarning(bookingClock: OperatorDeps["bookingClock"]): string[] {
  const aheadMs = booksAheadMs(bookingClock);
  if (aheadMs === null) return [];
  return [
    `THE BOOKS ARE AHEAD OF THE CLOCK by ${wordsFor(aheadMs)}, since it was wrong: quotas and statements stay in the day and month of ` +
      `${isoTime(bookingClock.now())} until it comes round. To book by the clock as it is: peyk clock confirm`,
  ];
}

/** A warning for `status`, `doctor` and the start page; none where the clock is believed. */
export function clockWarning(doubt: ClockDoubt | null, now: number): string[] {
  if (doubt === null) return [];
  return [
    `THE CLOCK JUMPED AHEAD by ${wordsFor(doubt.aheadMs)}, to ${isoTime(now)}: nothing expires or is deleted, and no day or month of ` +
      "quotas and statements begins, until a time service agrees or a day has passed. If the time is right: peyk clock confirm",
  ];
}

function wordsFor(ms: number): string {
  if (ms >= 2 * dayMs) return `${Math.floor(ms / dayMs)} days`;
  return ms >= 2 * hourMs ? `${Math.floor(ms / hourMs)} hours` : `${Math.floor(ms / minuteMs)} minutes`;
}
