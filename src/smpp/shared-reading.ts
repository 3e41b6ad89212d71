/** Limits how long a group of connections may hold the event loop with reading in one turn. */
import type { Clock } from "../platform/clock.ts";
import { nextTurn } from "../platform/next-turn.ts";

/** About as long as full windows of ten binds take; the rest waits for the next turn. */
const heldMsMax = 10;

export class SharedReading {
  /** When this turn's first read began; null if there was none yet. */
  #startedAt: number | null = null;

  constructor(private readonly clock: Pick<Clock, "monotonic">) {}

  get isSpent(): boolean {
    const now = this.clock.monotonic();
    if (this.#startedAt !== null) return now - this.#startedAt > heldMsMax;
    this.#startedAt = now;
    void nextTurn().then(() => {
      this.#startedAt = null;
    });
    return false;
  }
}
