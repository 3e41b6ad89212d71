/** Retry delays. Attempts count from 1, the one that just failed; a fraction is in [0, 1). */

const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

/** Shifts a delay by up to 20 % either way, so that simultaneous failures are not retried simultaneously. */
function jittered(delayMs: number, fraction: number): number {
  return Math.round(delayMs * (0.8 + 0.4 * fraction));
}

function doubling(firstMs: number, delayMsMax: number, attempt: number): number {
  return Math.min(firstMs * 2 ** Math.max(attempt - 1, 0), delayMsMax);
}

/** After a temporary refusal of a message: 5 s, doubling to 15 min, ±20 %. */
export function submitRetryDelayMs(attempt: number, fraction: number): number {
  return jittered(doubling(5 * secondMs, 15 * minuteMs, attempt), fraction);
}

/** docs/api-rules.md, "Webhooks". */
const callbackDelaysMs = [
  10 * secondMs,
  30 * secondMs,
  2 * minuteMs,
  8 * minuteMs,
  30 * minuteMs,
  hourMs,
  hourMs,
] as const;

/** After a failed callback: from 10 s to 1 h, ±20 %; null after the eighth attempt, which is the last. */
export function callbackDelayMs(attempt: number, fraction: number): number | null {
  const delayMs = callbackDelaysMs[Math.max(attempt, 1) - 1];
  return delayMs === undefined ? null : jittered(delayMs, fraction);
}

/** After a connection was lost or could not be made: 1 s, doubling to 60 s, ±20 %. */
export function reconnectDelayMs(attempt: number, fraction: number): number {
  return jittered(doubling(secondMs, minuteMs, attempt), fraction);
}

/**
 * After a refused bind: 5 s, doubling to 5 min, ±20 %; retrying a wrong password too often gets a client locked out.
 */
export function bindRefusedDelayMs(attempt: number, fraction: number): number {
  return jittered(doubling(5 * secondMs, 5 * minuteMs, attempt), fraction);
}
