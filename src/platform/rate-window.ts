/** Counts requests in windows that start with their first request (docs/api-rules.md, "Rate limit"). */
import type { Clock } from "./clock.ts";

export const windowMs = 60_000;

interface Window {
  startedMs: number;
  count: number;
}

/** A counted request, and what is left in its window. */
export interface RateLimitState {
  /** False: the window was full before this request. */
  admitted: boolean;
  limit: number;
  remaining: number;
  /** Whole seconds until the window ends, rounded up, so that a client that waits this long is admitted. */
  endsInSeconds: number;
  /** The same moment in epoch seconds. */
  endsAtSeconds: number;
}

/** One window per subject. At most `subjectsMax` are kept: ended ones are dropped first, then the oldest. */
export function rateWindows<Subject>(clock: Clock, subjectsMax: number) {
  const windows = new Map<Subject, Window>();

  function forgetOldest(now: number): void {
    for (const [subject, window] of windows) {
      if (windows.size < subjectsMax && now - window.startedMs < windowMs) break;
      windows.delete(subject);
    }
  }

  function current(subject: Subject, now: number): Window {
    const known = windows.get(subject);
    if (known !== undefined && now - known.startedMs < windowMs) return known;
    // Deleted first, so that the map stays sorted by the start of the windows.
    if (known !== undefined) windows.delete(subject);
    if (windows.size >= subjectsMax) forgetOldest(now);
    const fresh = { startedMs: now, count: 0 };
    windows.set(subject, fresh);
    return fresh;
  }

  return {
    /** Counts one request, unless the window is full. */
    take(subject: Subject, limit: number): RateLimitState {
      const now = clock.monotonic();
      const window = current(subject, now);
      const admitted = window.count < limit;
      if (admitted) window.count += 1;
      // In this order: the clock returns fractions, and `startedMs + windowMs - now` could round to more than a whole
      // window.
      const leftMs = windowMs - (now - window.startedMs);
      return {
        admitted,
        limit,
        remaining: Math.max(limit - window.count, 0),
        endsInSeconds: Math.ceil(leftMs / 1000),
        endsAtSeconds: Math.ceil((clock.now() + leftMs) / 1000),
      };
    },
    get subjects(): number {
      return windows.size;
    },
  };
}
