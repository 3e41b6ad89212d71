/** How a receiver did lately, over restarts: whether it is slow, and whether it has failed for so long that it is given up. */
import type { WebhookHealth } from "../store/webhooks.ts";
import type { AttemptFailure } from "./attempt.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** A webhook whose every attempt failed for so long is switched off. */
export const failingMsMax = 5 * dayMs;

/**
 * The health after an attempt; the same object where there is nothing to store. Without an attempt for a day nothing is known
 * of that day: the count of days begins anew.
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
  // Our own name server's fault says nothing of the receiver.
  if (failure === "resolver_failed") return before;
  const { failingSince, failedAt } = before;
  if (failingSince === null || failedAt === null || Math.abs(at - failedAt) > dayMs)
    return { failingSince: at, failedAt: at };
  return { failingSince, failedAt: at - failedAt >= hourMs ? at : failedAt };
}

export function isGivenUp({ failingSince, failedAt }: WebhookHealth): boolean {
  return failingSince !== null && failedAt !== null && failedAt - failingSince >= failingMsMax;
}
