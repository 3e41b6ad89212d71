/** What an attempt says about how many a webhook may have at once, and how that is told to operators. */
import {
  type AttemptWidth,
  attemptsAtOnce,
  type WidthAnswer,
  type WidthReason,
  widthAt,
} from "../domain/attempt-width.ts";
import type { Clock } from "../platform/clock.ts";
import type { AttemptOutcome } from "./attempt.ts";

export interface WebhookPace {
  attemptsAtOnce: number;
  reason: WidthReason;
  /** One attempt at a time until then (epoch milliseconds), because the receiver asked for it; null if it did not. */
  heldUntil: number | null;
}

export function paceOf(width: AttemptWidth, clock: Pick<Clock, "now" | "monotonic">): WebhookPace {
  const at = clock.monotonic();
  const known = widthAt(width, at);
  const { reason, heldUntil } = known;
  return {
    attemptsAtOnce: attemptsAtOnce(known, at),
    reason,
    heldUntil: heldUntil > at ? clock.now() + heldUntil - at : null,
  };
}

/** Null for a fault of our own name server, which says nothing about the receiver. `at` is when the attempt ended. */
export function widthAnswerOf(attempted: AttemptOutcome, at: number, wasFull: boolean): WidthAnswer | null {
  const { failure, durationMs, retryAfterMs } = attempted;
  if (failure === "resolver_failed") return null;
  return { outcome: outcomeOf(attempted), beganAt: at - durationMs, at, wasFull, retryAfterMs };
}

const tooManyRequests = 429;

function outcomeOf({ failure, status, retryAfterMs }: AttemptOutcome): WidthAnswer["outcome"] {
  if (failure === null) return "accepted";
  if (failure === "not_acknowledged") return "refused";
  if (failure !== "status") return "no_answer";
  return status === tooManyRequests || retryAfterMs !== null ? "throttled" : "refused";
}
