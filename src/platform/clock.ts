/** The time, through an interface: a test hands in a clock of its own. */

/** A pending timer; `cancel` is safe to call at any time, also after it fired. */
export interface Timer {
  cancel(): void;
}

export interface Clock {
  /** Wall time in epoch milliseconds. It may jump in either direction: use it for dates, never for durations. */
  now(): number;
  /** Milliseconds since an arbitrary start. It never goes back: use it for rates, time-outs and latencies. */
  monotonic(): number;
  /** Runs `task` once after `delayMs` of monotonic time. A pending timer does not keep the process alive. */
  after(delayMs: number, task: () => void): Timer;
}

/** The longest delay that setTimeout takes (a 32-bit count of milliseconds); longer ones would fire at once. */
const setTimeoutMaxMs = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(delayMs, task) {
    const timeout = setTimeout(task, Math.min(Math.max(delayMs, 0), setTimeoutMaxMs));
    timeout.unref();
    return { cancel: () => clearTimeout(timeout) };
  },
};

/** Resolves once so much monotonic time has passed. */
export function sleep(clock: Pick<Clock, "after">, delayMs: number): Promise<void> {
  return new Promise((resolve) => clock.after(delayMs, resolve));
}

let lastMs = Number.NaN;
let lastText = "";

/** Epoch milliseconds as the API writes them: `2026-11-20T15:36:00.000Z`. Under load many are written in one millisecond. */
export function isoTime(epochMs: number): string {
  if (epochMs !== lastMs) {
    lastText = new Date(epochMs).toISOString();
    lastMs = epochMs;
  }
  return lastText;
}
