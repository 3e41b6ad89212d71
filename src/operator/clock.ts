/** Lets the operator confirm the wall clock after it jumped ahead or back. */
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

/**
 * How far booked times are ahead of a trusted clock, which was wrong and has been set back. Null if it will catch up
 * soon.
 */
export function booksAheadMs(bookingClock: OperatorDeps["bookingClock"]): number | null {
  const aheadMs = bookingClock.aheadMs();
  return aheadMs > bookedAheadMsMax ? aheadMs : null;
}
