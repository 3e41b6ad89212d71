/** Time behind an interface, so that tests can provide their own clock. */

/** A pending timer; `cancel` may be called at any time, even after it fired. */
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

/** The longest delay that setTimeout accepts (a 32-bit count of milliseconds); longer ones would fire at once. */
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

/** Resolves after this much monotonic time. */
export function sleep(clock: Pick<Clock, "after">, delayMs: number): Promise<void> {
  return new Promise((resolve) => clock.after(delayMs, resolve));
}

/** What `work` resolves to, if it does within this much monotonic time; else rejects with what `late` returns. */
export async function within<T>(
  clock: Pick<Clock, "after">,
  limitMs: number,
  work: Promise<T>,
  late: () => Error,
): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = clock.after(limitMs, () => reject(late()));
  try {
    return await Promise.race([work, promise]);
  } finally {
    timer.cancel();
  }
}

let lastMs = Number.NaN;
let lastText = "";

/**
 * Epoch milliseconds in the API's format: `2026-11-20T15:36:00.000Z`. Cached, because under load many are formatted in
 * the same millisecond.
 */
export function isoTime(epochMs: number): string {
  if (epochMs !== lastMs) {
    lastText = new Date(epochMs).toISOString();
    lastMs = epochMs;
  }
  return lastText;
}
