/** Limits what a credential's refused requests and queries may take from the event loop. */
import type { Clock } from "../platform/clock.ts";
import { RatePerSecond } from "../platform/rate-per-second.ts";

/**
 * The binds of a credential that floods go on together, so that its submits share commits: ten binds that submit 50 a
 * second among their refusals took 11 % of the thread with pauses of 20 ms each, and take 6 % with shared ones of 50.
 */
const pauseMsMin = 50;

export class FreeRequests {
  readonly #rate: RatePerSecond;
  /** When the paused binds are read again. */
  #pausedUntilMs = 0;

  constructor(
    readonly clock: Pick<Clock, "monotonic">,
    readonly perSecond: number,
  ) {
    this.#rate = new RatePerSecond(clock);
  }

  /** Counts a request, and returns how long to pause reading its bind, in milliseconds. */
  count(): number {
    const waitMs = this.#rate.waitMs(this.perSecond);
    if (waitMs === 0) return 0;
    const nowMs = this.clock.monotonic();
    if (this.#pausedUntilMs <= nowMs) this.#pausedUntilMs = nowMs + Math.max(waitMs, pauseMsMin);
    return this.#pausedUntilMs - nowMs;
  }
}
