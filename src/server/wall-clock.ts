/** Watches the wall clock and stores the last trusted time across restarts. */
import { BookingClock } from "../platform/booking-clock.ts";
import type { Clock } from "../platform/clock.ts";
import { type ClockDoubt, ClockWatch, timeServiceAgreedAt } from "../platform/clock-watch.ts";
import type { Logger } from "../platform/log.ts";
import type { Store } from "../store/store.ts";

export interface WallClockDeps {
  store: Store;
  clock: Clock;
  log: Logger;
  agreedAt?: (() => number | null) | undefined;
}

export type WallClock = Awaited<ReturnType<typeof watchWallClock>>;

const minuteMs = 60_000;

export async function watchWallClock({ store, clock, log, agreedAt = timeServiceAgreedAt }: WallClockDeps) {
  const believed: (() => void)[] = [];
  function changed(doubt: ClockDoubt | null): void {
    if (doubt === null) {
      log.warn("the clock is believed again: expiry, retention, quotas and statements go on");
      for (const listener of believed) listener();
    } else {
      const aheadMinutes = Math.round(doubt.aheadMs / minuteMs);
      log.error(
        { aheadMinutes },
        "the clock jumped ahead: nothing expires or is deleted, and no day or month of quotas and statements begins until a time service agrees, a day has passed, or: peyk clock confirm",
      );
    }
  }
  const before = store.tables.wallClock.trusted();
  const watch = new ClockWatch({ clock, agreedAt, before, changed });
  const bookingClock = new BookingClock({ clock, watch, before: before?.bookedAt ?? null });
  const save = () =>
    store.write((tables) => tables.wallClock.trust({ ...watch.state(), bookedAt: bookingClock.now() }));
  await save();
  return {
    /** Null while the wall clock can be trusted. */
    doubt: () => watch.doubt(),
    /** Registers `listener` for when the clock is trusted again. */
    onBelieved: (listener: () => void) => void believed.push(listener),
    bookingClock,
    save,
    /** The operator confirms that the time is right. */
    async confirm(): Promise<void> {
      watch.confirm();
      bookingClock.confirm();
      await save();
    },
  };
}
