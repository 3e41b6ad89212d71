/**
 * Nineteen-digit message ids, for customers that store them as 64-bit integers: the time, and a counter with a random
 * start.
 */
import type { Random } from "../platform/random.ts";

const countMax = 1_000_000;

export class DecimalIds {
  #lastMs = 0;
  #count = 0;

  constructor(
    private readonly clock: { now(): number },
    private readonly random: Pick<Random, "fraction">,
  ) {}

  /** Greater than every previous id, even if the clock stands still or goes back. */
  next(): string {
    const now = this.clock.now();
    this.#count += 1;
    if (now > this.#lastMs || this.#count >= countMax) {
      this.#lastMs = Math.max(now, this.#lastMs + 1);
      // The upper half is left for later ids in the same millisecond.
      this.#count = Math.floor((this.random.fraction() * countMax) / 2);
    }
    return `${this.#lastMs}${String(this.#count).padStart(6, "0")}`;
  }
}
