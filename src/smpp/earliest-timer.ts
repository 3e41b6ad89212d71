/** One timer for all deadlines of a session: it fires at the earliest. */
import type { Clock, Timer } from "../platform/clock.ts";

export class EarliestTimer {
  #timer: Timer | null = null;
  #atMs = Number.POSITIVE_INFINITY;

  constructor(
    readonly clock: Clock,
    readonly fire: (nowMs: number) => void,
  ) {}

  /** Fires at `atMs` (monotonic) or earlier; a deadline later than the current one costs nothing. */
  by(atMs: number): void {
    if (atMs >= this.#atMs) return;
    this.#timer?.cancel();
    this.#atMs = atMs;
    this.#timer = this.clock.after(Math.max(1, Math.ceil(atMs - this.clock.monotonic())), () => {
      this.#atMs = Number.POSITIVE_INFINITY;
      this.#timer = null;
      this.fire(this.clock.monotonic());
    });
  }

  cancel(): void {
    this.#timer?.cancel();
    this.#timer = null;
    this.#atMs = Number.POSITIVE_INFINITY;
  }
}
