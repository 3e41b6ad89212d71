/**
 * A receiver's recent health, kept across restarts: whether it is slow, and whether it has failed for so long that the
 * service gives up.
 */
import type { WebhookHealth } from "../store/webhooks.ts";
import type { AttemptFailure } from "./attempt.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** A webhook whose every attempt has failed for this long is switched off. */
export const failingMsMax = 5 * dayMs;

/**
 * The health after an attempt; the same object if there is nothing to store. After a day without attempts, that day is
 * unknown and the count of days starts again.
 */
export function healthAfter(before: WebhookHealth, failure: AttemptFailure | null, at: number): WebhookHealth {
  const isSlow = failure === "timeout";
  const failing = failingAfter(before, failure, at);
  const { failingSince, failedAt } = failing;
  const isSame = isSlow === before.isSlow && failingSince === before.failingSince && failedAt === before.failedAt;
  return isSame ? before : { isSlow, failingSince, failedAt };
}

function failingAfter(
  before: WebhookHealth,
  failure: AttemptFailure | null,
  at: number,
): Pick<WebhookHealth, "failingSince" | "failedAt"> {
  if (failure === null) return { failingSince: null, failedAt: null };
  // A fault of our own name server says nothing about the receiver.
  if (failure === "resolver_failed") return before;
  const { failingSince, failedAt } = before;
  if (failingSince === null || failedAt === null || Math.abs(at - failedAt) > dayMs)
    return { failingSince: at, failedAt: at };
  return { failingSince, failedAt: at - failedAt >= hourMs ? at : failedAt };
}

export function isGivenUp({ failingSince, failedAt }: WebhookHealth): boolean {
  return failingSince !== null && failedAt !== null && failedAt - failingSince >= failingMsMax;
}
