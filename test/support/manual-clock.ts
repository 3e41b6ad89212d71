/** A clock controlled by a test: timers fire in order as it advances, with pending event loop work done in between. */
import type { Clock, Timer } from "../../src/platform/clock.ts";

interface Pending {
  at: number;
  task: () => void;
}

/** Lets everything that is already possible happen: promises, immediates, group commits, loopback-free work. */
export async function settleLoop(turns = 12): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) await new Promise<void>((resolve) => setImmediate(resolve));
}

/**
 * Waits until `holds` returns true; fails after half a minute of real time. At first as fast as the event loop runs;
 * then with pauses, since what is awaited may be another process, which needs the processor.
 */
export async function until(holds: () => boolean): Promise<void> {
  const startedAt = performance.now();
  while (!holds()) {
    const waitedMs = performance.now() - startedAt;
    if (waitedMs > 30_000) throw new Error(`Never became true: ${holds}`);
    if (waitedMs > 250) await Bun.sleep(1);
    await settleLoop(1);
  }
}

export class ManualClock implements Clock {
  #wall: number;
  #monotonic = 0;
  readonly #pending = new Set<Pending>();

  constructor(startsAt = Date.UTC(2026, 0, 5, 12)) {
    this.#wall = startsAt;
  }

  /** Whole milliseconds, as a wall clock gives them; waits may have been fractions. */
  now(): number {
    return Math.floor(this.#wall);
  }

  monotonic(): number {
    return this.#monotonic;
  }

  after(delayMs: number, task: () => void): Timer {
    const pending = { at: this.#monotonic + Math.max(delayMs, 0), task };
    this.#pending.add(pending);
    return { cancel: () => void this.#pending.delete(pending) };
  }

  /** Sets only the wall clock, as an operator or NTP would. */
  jump(byMs: number): void {
    this.#wall += byMs;
  }

  /** Advances by `ms`; whatever becomes due on the way happens at its time. */
  async advance(ms: number): Promise<void> {
    const end = this.#monotonic + ms;
    await settleLoop();
    for (let next = this.#next(end); next !== null; next = this.#next(end)) {
      this.#pass(next.at - this.#monotonic);
      this.#pending.delete(next);
      next.task();
      await settleLoop();
    }
    this.#pass(end - this.#monotonic);
    await settleLoop();
  }

  #pass(ms: number): void {
    this.#monotonic += ms;
    this.#wall += ms;
  }

  #next(end: number): Pending | null {
    let next: Pending | null = null;
    for (const pending of this.#pending) {
      if (pending.at <= end && (next === null || pending.at < next.at)) next = pending;
    }
    return next;
  }
}
