/** Spaces the parts sent over one bind, for carriers that limit each bind. */

/** How far a bind may run ahead of its rate after it was idle. */
const burstMs = 20;

export class Pace {
  #nextAtMs = 0;

  /** `partsPerSecond`: null for no limit. */
  constructor(readonly partsPerSecond: number | null) {}

  /** Milliseconds until the next part may be sent; 0 for immediately. */
  waitMs(nowMs: number): number {
    return Math.max(0, this.#nextAtMs - burstMs - nowMs);
  }

  sent(nowMs: number): void {
    if (this.partsPerSecond !== null) this.#nextAtMs = Math.max(this.#nextAtMs, nowMs) + 1000 / this.partsPerSecond;
  }
}
