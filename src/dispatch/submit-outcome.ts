/** Applies the outcome of a submit to its message. */

import { isRefusal, refusalCode } from "../domain/carrier-refusal.ts";
import type { MessageErrorCode } from "../domain/message.ts";
import type { Reason } from "../domain/reason.ts";
import { submitRetryDelayMs } from "../domain/retry-schedule.ts";
import { errorAfter, lateAnswerMs, type UncertainPolicy, uncertainAttemptsMax } from "../domain/uncertain-policy.ts";
import type { SubmitOutcome } from "../providers/provider.ts";
import type { MessageRow } from "../store/messages.ts";
import type { Tables } from "../store/store.ts";
import { storeParts } from "./receipts.ts";

/** Where and when a submit ended, and the policy there. */
export interface OutcomeContext {
  routeId: number;
  /** The sender's number of routes: a temporary refusal tries the next at once, and waits after each round. */
  routeCount: number;
  policy: UncertainPolicy;
  /** When to first ask the carrier about a missing receipt; null for never. */
  firstQueryAt: number | null;
  /** Epoch milliseconds. */
  now: number;
  /** In [0, 1). */
  jitter: number;
}

type Outcome<Kind extends SubmitOutcome["kind"]> = Extract<SubmitOutcome, { kind: Kind }>;

/** Stores the outcome of a submit. `message` is the row as claimed; returns the row afterwards. */
export function applyOutcome(
  tables: Tables,
  message: MessageRow,
  outcome: SubmitOutcome,
  context: OutcomeContext,
): MessageRow | null {
  if (outcome.kind === "accepted") return accepted(tables, message, outcome, context);
  tables.timeline.add(message.id, {
    at: context.now,
    kind: outcome.kind,
    routeId: context.routeId,
    reason: outcome.reason,
  });
  if (isRefusal(outcome.kind) && message.isTest === 0) {
    tables.refusals.add(context.routeId, outcome.kind, refusalCode(outcome.reason), context.now);
  }
  switch (outcome.kind) {
    case "rejected":
      return failed(tables, message, outcome.error, context);
    case "temporary":
      return refusedForNow(tables, message, outcome, context);
    case "throttled":
      return retried(tables, message, context.now + outcome.retryAfterMs, message.attempts - 1, context);
    case "not_sent":
      return retried(tables, message, context.now, message.attempts - 1, context);
    case "uncertain":
      return uncertain(tables, message, outcome, context);
  }
}

function accepted(tables: Tables, message: MessageRow, outcome: Outcome<"accepted">, context: OutcomeContext) {
  const sent = tables.messages.move(message, { to: "submitted", at: context.now });
  if (sent !== null) storeParts(tables, sent, outcome.partIds, context);
  return sent;
}

function failed(tables: Tables, message: MessageRow, errorCode: MessageErrorCode, { now }: OutcomeContext) {
  return tables.messages.move(message, {
    to: "failed",
    at: now,
    errorCode: errorAfter(message.uncertainAttempts, errorCode),
  });
}

function retried(tables: Tables, message: MessageRow, dueAt: number, attempts: number, { now }: OutcomeContext) {
  return tables.messages.move(message, {
    to: "retry_wait",
    at: now,
    dueAt: Math.min(dueAt, message.validUntil),
    attempts,
  });
}

function refusedForNow(
  tables: Tables,
  message: MessageRow,
  outcome: Outcome<"temporary">,
  context: OutcomeContext,
): MessageRow | null {
  if (outcome.attemptsMax !== undefined && message.attempts >= outcome.attemptsMax) {
    return failed(tables, message, outcome.error ?? "rejected_by_network", context);
  }
  const round = Math.ceil(message.attempts / context.routeCount);
  const roundEnds = message.attempts % context.routeCount === 0;
  const delayMs = roundEnds ? submitRetryDelayMs(round, context.jitter) : 0;
  return retried(tables, message, context.now + delayMs, message.attempts, context);
}

function uncertain(
  tables: Tables,
  message: MessageRow,
  outcome: Outcome<"uncertain">,
  context: OutcomeContext,
): MessageRow | null {
  const { now, policy } = context;
  if (!outcome.lateAnswer) return unanswered(tables, message, context, outcome.waitMs);
  return tables.messages.move(message, {
    to: "uncertain",
    at: now,
    dueAt: now + (policy.resendAfterMs ?? lateAnswerMs),
    uncertainAttempts: message.uncertainAttempts + 1,
  });
}

/** An attempt ended and can no longer be answered: the message is sent again after the route's wait, or fails. */
export function unanswered(
  tables: Tables,
  message: MessageRow,
  context: OutcomeContext,
  waitMs = 0,
): MessageRow | null {
  const uncertainAttempts = message.uncertainAttempts + 1;
  return applyPolicy(tables, { ...message, uncertainAttempts }, context, context.policy.resendAfterMs ?? waitMs);
}

/** Applies the route's policy to a message whose last attempt was counted and not answered. */
export function applyPolicy(
  tables: Tables,
  message: MessageRow,
  context: OutcomeContext,
  waitMs = 0,
): MessageRow | null {
  if (message.uncertainAttempts >= uncertainAttemptsMax(context.policy)) {
    return failed(tables, message, "undeliverable", context);
  }
  return retried(tables, message, context.now + waitMs, message.attempts, context);
}

/** Stores a late answer. It counts only while the message waits for it; after a resend it is merely recorded. */
export function applyLateOutcome(
  tables: Tables,
  messageId: number,
  outcome: SubmitOutcome,
  context: OutcomeContext,
): void {
  const message = tables.messages.byId(messageId);
  if (message === null) return;
  if (message.state === "uncertain") {
    // It adds nothing new: the answer is still to come.
    if (outcome.kind === "uncertain" && outcome.lateAnswer) return;
    // The attempt now has its answer.
    const uncertainAttempts = message.uncertainAttempts - 1;
    applyOutcome(tables, { ...message, uncertainAttempts }, outcome, context);
    return;
  }
  const reason: Reason = outcome.kind === "accepted" ? { code: "accepted_late", ids: outcome.partIds } : outcome.reason;
  tables.timeline.add(messageId, { at: context.now, kind: "late_answer", routeId: context.routeId, reason });
}
