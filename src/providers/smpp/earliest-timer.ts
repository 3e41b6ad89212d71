/** The one timer of a session: rings at the earliest moment that anybody asked for. */
import type { Clock, Timer } from "../../platform/clock.ts";

export class EarliestTimer {
  #timer: Timer | null = null;
  #atMs = Number.POSITIVE_INFINITY;

  constructor(
    readonly clock: Clock,
    readonly ring: (nowMs: number) => void,
  ) {}

  /** Rings at `atMs` (monotonic) or before. Asking for a later moment than the one that stands costs nothing. */
  by(atMs: number): void {
    if (atMs >= this.#atMs) return;
    this.#timer?.cancel();
    this.#atMs = atMs;
    this.#timer = this.clock.after(Math.max(1, Math.ceil(atMs - this.clock.monotonic())), () => {
      this.#atMs = Number.POSITIVE_INFINITY;
      this.#timer = null;
      this.ring(this.clock.monotonic());
    });
  }

  cancel(): void {
    this.#timer?.cancel();
    this.#timer = null;
    this.#atMs = Number.POSITIVE_INFINITY;
  }
}
