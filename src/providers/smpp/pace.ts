/** Spaces the parts that go over one bind, where a carrier limits each of them. */

/** How far a bind may run ahead of its rate after an idle time. */
const burstMs = 20;

export class Pace {
  #nextAtMs = 0;

  /** `partsPerSecond`: null for no limit. */
  constructor(readonly partsPerSecond: number | null) {}

  /** Milliseconds until the next part may go; 0 for at once. */
  waitMs(nowMs: number): number {
    return Math.max(0, this.#nextAtMs - burstMs - nowMs);
  }

  sent(nowMs: number): void {
    if (this.partsPerSecond !== null) this.#nextAtMs = Math.max(this.#nextAtMs, nowMs) + 1000 / this.partsPerSecond;
  }
}
