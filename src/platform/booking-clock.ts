/**
 * The time under which money and quotas are booked: that of the wall clock, but it never goes back, and it stands still while the wall
 * clock is doubted, so that no day or month begins by a time that may be wrong.
 */
import type { Clock } from "./clock.ts";
import type { ClockWatch } from "./clock-watch.ts";

/** One moment; both times are epoch milliseconds. */
export interface Moment {
  /** By the wall clock. */
  at: number;
  bookedAt: number;
}

export interface BookingClockDeps {
  clock: Pick<Clock, "now">;
  watch: Pick<ClockWatch, "doubt" | "trustedAt">;
  /** The newest time that was booked before this process; null where that is not known. */
  before: number | null;
}

/** Wall time after which the watch is asked again: it costs ten times as much as the rest, and tells jumps of more than an hour. */
const believedMs = 1_000;
/** Corrections of a clock are smaller (see ClockWatch): what is booked waits for it to come round. */
export const bookedAheadMsMax = 3_600_000;

export class BookingClock {
  readonly #deps: BookingClockDeps;
  #bookedAt: number;
  /** By the wall clock; NaN: the watch must be asked. */
  #askedAt = Number.NaN;
  #isDoubted = false;

  constructor(deps: BookingClockDeps) {
    this.#deps = deps;
    this.#bookedAt = deps.before ?? 0;
  }

  moment(): Moment {
    const at = this.#deps.clock.now();
    return { at, bookedAt: this.#book(at) };
  }

  /** Epoch milliseconds. */
  now(): number {
    return this.#book(this.#deps.clock.now());
  }

  /** How far what was booked is ahead of a wall clock that is believed, in milliseconds: it was wrong before. 0 where it is not. */
  aheadMs(): number {
    const { at, bookedAt } = this.moment();
    return this.#isDoubted ? 0 : bookedAt - at;
  }

  /** The wall clock is right, also where it is behind: somebody who knows says so. */
  confirm(): void {
    this.#bookedAt = this.#deps.clock.now();
    this.#askedAt = Number.NaN;
  }

  #book(at: number): number {
    if (!(at >= this.#askedAt && at < this.#askedAt + believedMs)) this.#ask(at);
    if (!this.#isDoubted && at > this.#bookedAt) this.#bookedAt = at;
    return this.#bookedAt;
  }

  #ask(at: number): void {
    const { watch, clock } = this.#deps;
    // The clock may have jumped or come back since `at` was read.
    this.#isDoubted = watch.doubt() !== null || at - clock.now() > believedMs;
    this.#askedAt = at;
    if (this.#isDoubted) this.#bookedAt = Math.max(this.#bookedAt, watch.trustedAt);
  }
}
