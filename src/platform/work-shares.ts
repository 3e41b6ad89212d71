/** Bounds the time of the event loop that each of many may take: whoever takes more waits, and nobody else does. */
import { type Clock, sleep } from "./clock.ts";
import { Bucket } from "./rate-per-second.ts";

export class WorkShares<Key> {
  readonly #clock: Pick<Clock, "monotonic" | "after">;
  readonly #ms: { perSecond: number; most: number };
  readonly #buckets = new Map<Key, Bucket>();

  /** `ms`: of work, in each second and at once. */
  constructor(clock: Pick<Clock, "monotonic" | "after">, ms: { perSecond: number; most: number }) {
    this.#clock = clock;
    this.#ms = ms;
  }

  /** Counts work that takes so long, and resolves once it is within the share: who asks first waits least. */
  async turn(key: Key, ms: number): Promise<void> {
    const waitMs = this.#of(key).spend(ms, this.#clock.monotonic());
    if (waitMs > 0) await sleep(this.#clock, waitMs);
  }

  /** Counts work that took so much longer; less, if negative. */
  done(key: Key, ms: number): void {
    this.#of(key).giveBack(-ms);
  }

  #of(key: Key): Bucket {
    const known = this.#buckets.get(key);
    if (known !== undefined) return known;
    const nowMs = this.#clock.monotonic();
    // Each new key looks at two others: full buckets are forgotten, as new ones are full, and debts never are.
    for (const [other, kept] of this.#buckets.entries().take(2)) {
      this.#buckets.delete(other);
      if (kept.take(this.#ms.most, nowMs) > 0) this.#buckets.set(other, kept);
    }
    const bucket = new Bucket(this.#ms.perSecond, nowMs, this.#ms.most);
    this.#buckets.set(key, bucket);
    return bucket;
  }
}
