/**
 * The time used for booking money and quotas: the wall clock's, except that it never goes back, and stands still while
 * the wall clock is in doubt, so that no day or month begins at a time that may be wrong.
 */
import type { Clock } from "./clock.ts";
import type { ClockWatch } from "./clock-watch.ts";

/** One moment; both times are epoch milliseconds. */
export interface Moment {
  /** By the wall clock. */
  at: number;
  bookedAt: number;
}

/** Since when what is kept for so long is still kept. While the wall clock is in doubt nothing ends. */
export const keptSince = ({ at, bookedAt }: Moment, forMs: number): number => Math.min(at, bookedAt) - forMs;

export interface BookingClockDeps {
  clock: Pick<Clock, "now">;
  watch: Pick<ClockWatch, "doubt" | "trustedAt">;
  /** The latest booking time before this process; null if unknown. */
  before: number | null;
}

/**
 * How long an answer of the clock watch is reused: asking costs ten times as much as the rest, and it detects jumps of
 * more than an hour.
 */
const believedMs = 1_000;
/** Corrections of a clock are smaller (see ClockWatch): bookings wait until the clock catches up. */
export const bookedAheadMsMax = 3_600_000;

export class BookingClock {
  #bookedAt: number;
  /** By the wall clock; NaN: the watch must be asked. */
  #askedAt = Number.NaN;
  #isDoubted = false;

  constructor(private readonly deps: BookingClockDeps) {
    this.#bookedAt = deps.before ?? 0;
  }

  moment(): Moment {
    const at = this.deps.clock.now();
    return { at, bookedAt: this.#book(at) };
  }

  /** Epoch milliseconds. */
  now(): number {
    return this.#book(this.deps.clock.now());
  }

  /** How far bookings are ahead of a trusted wall clock, in milliseconds, because it was wrong before; otherwise 0. */
  aheadMs(): number {
    const { at, bookedAt } = this.moment();
    return this.#isDoubted ? 0 : bookedAt - at;
  }

  /** The operator confirms that the wall clock is right, even if it is behind. */
  confirm(): void {
    this.#bookedAt = this.deps.clock.now();
    this.#askedAt = Number.NaN;
  }

  #book(at: number): number {
    if (!(at >= this.#askedAt && at < this.#askedAt + believedMs)) this.#ask(at);
    if (!this.#isDoubted && at > this.#bookedAt) this.#bookedAt = at;
    return this.#bookedAt;
  }

  #ask(at: number): void {
    const { watch, clock } = this.deps;
    // The clock may have jumped or gone back since `at` was read.
    this.#isDoubted = watch.doubt() !== null || at - clock.now() > believedMs;
    this.#askedAt = at;
    if (this.#isDoubted) this.#bookedAt = Math.max(this.#bookedAt, watch.trustedAt);
  }
}
