/** The booking clock for tests: a time service confirms every jump immediately. */
import { BookingClock } from "../../src/platform/booking-clock.ts";
import type { Clock } from "../../src/platform/clock.ts";
import { ClockWatch } from "../../src/platform/clock-watch.ts";

export function believedBy(clock: Pick<Clock, "now" | "monotonic">): BookingClock {
  const watch = new ClockWatch({ clock, agreedAt: () => clock.now(), before: null, changed: () => {} });
  return new BookingClock({ clock, watch, before: null });
}
