/** Limits events to a number per second; a full second's worth may come at once. */
import type { Clock } from "./clock.ts";

/** Begins full; `most` may come at once. */
export class Bucket {
  #left: number;
  #atMs: number;

  constructor(
    readonly perSecond: number,
    nowMs: number,
    readonly most = perSecond,
  ) {
    this.#left = most;
    this.#atMs = nowMs;
  }

  /** 0 if `count` more fit, and counts them; otherwise the milliseconds until they do. */
  take(count: number, nowMs: number): number {
    this.#left = Math.min(this.most, this.#left + ((nowMs - this.#atMs) / 1_000) * this.perSecond);
    this.#atMs = nowMs;
    const wanted = Math.min(count, this.most);
    if (this.#left < wanted) return Math.max(1, Math.ceil(((wanted - this.#left) / this.perSecond) * 1_000));
    // More than the bucket holds is admitted into a full bucket, and waited for afterwards.
    this.#left -= count;
    return 0;
  }

  /** Counts `count` in any case, and returns the milliseconds until they are there: who asks first waits least. */
  spend(count: number, nowMs: number): number {
    this.take(0, nowMs);
    this.#left -= count;
    return this.#left >= 0 ? 0 : Math.ceil((-this.#left / this.perSecond) * 1_000);
  }

  /** A negative `count` takes as many, even if they are not there. */
  giveBack(count: number): void {
    this.#left = Math.min(this.most, this.#left + count);
  }
}

export class RatePerSecond {
  readonly #clock: Pick<Clock, "monotonic">;
  #bucket: Bucket | null = null;

  constructor(clock: Pick<Clock, "monotonic">) {
    this.#clock = clock;
  }

  /**
   * 0 if `count` more fit, and counts them; otherwise the milliseconds until they do. Without a rate everything fits.
   */
  waitMs(perSecond: number | null, count = 1): number {
    if (perSecond === null) return 0;
    const nowMs = this.#clock.monotonic();
    if (this.#bucket?.perSecond !== perSecond) this.#bucket = new Bucket(perSecond, nowMs);
    return this.#bucket.take(count, nowMs);
  }
}
