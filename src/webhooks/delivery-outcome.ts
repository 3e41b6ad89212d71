/** What an attempt leads to: the end, or another attempt at a time that the schedule or the receiver sets. */
import { callbackDelayMs } from "../domain/retry-schedule.ts";
import type { DeliveryOutcome } from "../store/outbox.ts";
import type { AttemptResult } from "./attempt.ts";

/** `attempt`: the one just made, counted from 1 since the delivery or its last replay. `fraction`: jitter, in [0, 1). */
export function deliveryOutcome(
  result: AttemptResult,
  attempt: number,
  now: number,
  fraction: number,
): DeliveryOutcome {
  if (result.failure === null) return { state: "delivered" };
  const delayMs = callbackDelayMs(attempt, fraction);
  if (delayMs === null) return { state: "failed" };
  return { state: "waiting", dueAt: now + Math.max(delayMs, result.retryAfterMs ?? 0) };
}
