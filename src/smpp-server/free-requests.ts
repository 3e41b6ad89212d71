/** Limits what the refused requests and queries of an account may take from the event loop. */
import type { Clock } from "../platform/clock.ts";
import { Bucket, RatePerSecond } from "../platform/rate-per-second.ts";

/**
 * The binds of an account that floods go on together, so that its submits share commits: ten binds that submit 50 a
 * second among their refusals took 11 % of the thread with pauses of 20 ms each, and take 6 % with shared ones of 50.
 */
const pauseMsMin = 50;

/**
 * A second's worth of refusals may come at once, and then a twentieth as many a second, and as many as were accepted.
 * A flood of a thousand a second was served in more than a hundred turns of the event loop: over one in a hundred
 * answers to a customer that submits one by one came later for it. Now it is seven turns.
 */
const refusedShare = 0.05;
const refusedPauseMsMin = 150;

const atLeast = (minMs: number, waitMs: number) => (waitMs === 0 ? 0 : Math.max(minMs, waitMs));

export class FreeRequests {
  readonly #rate: RatePerSecond;
  /** Refusals that still fit. */
  readonly #refusals: Bucket;
  /** When the paused binds are read again. */
  #pausedUntilMs = 0;

  constructor(
    readonly clock: Pick<Clock, "monotonic">,
    readonly perSecond: number,
  ) {
    this.#rate = new RatePerSecond(clock);
    this.#refusals = new Bucket(perSecond * refusedShare, clock.monotonic(), perSecond);
  }

  /** Counts a request, and returns how long to pause reading its bind, in milliseconds. */
  count(isRefused = false): number {
    const refusedMs = isRefused ? this.#refusals.take(1, this.clock.monotonic()) : 0;
    const pauseMs = Math.max(
      atLeast(pauseMsMin, this.#rate.waitMs(this.perSecond)),
      atLeast(refusedPauseMsMin, refusedMs),
    );
    if (pauseMs === 0) return 0;
    const nowMs = this.clock.monotonic();
    if (this.#pausedUntilMs <= nowMs) this.#pausedUntilMs = nowMs + pauseMs;
    return this.#pausedUntilMs - nowMs;
  }

  /** A submit was accepted: a customer whose list has many wrong numbers is not slowed by them. */
  accepted(): void {
    this.#refusals.giveBack(1);
  }
}
