/** The operator says that the wall clock is right, after it jumped ahead or came back. */
import { bookedAheadMsMax } from "../platform/booking-clock.ts";
import { isoTime } from "../platform/clock.ts";
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

/** How far what was booked is ahead of a clock that is believed: it was wrong and came back. Null where that is soon over. */
export function booksAheadMs(bookingClock: OperatorDeps["bookingClock"]): number | null {
  const aheadMs = bookingClock.aheadMs();
  return aheadMs > bookedAheadMsMax ? aheadMs : null;
}
