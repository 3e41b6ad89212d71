/** The claim: the moment at which a message stops being cancellable, decided by one transaction. */
import type { MessageRow } from "../store/messages.ts";
import type { Tables } from "../store/store.ts";
import { applyPolicy, type OutcomeContext } from "./submit-outcome.ts";

/** The route that this try of a message takes, and what to know there. */
export type ChooseRoute = (message: MessageRow) => OutcomeContext;

/**
 * Claims a message for the route that `choose` names. Returns its row as `submitting`, or null where there is nothing to
 * send: it was cancelled, sent or claimed meanwhile, its validity is over, or its route's policy gives it up.
 */
export function claim(tables: Tables, messageId: number, choose: ChooseRoute): MessageRow | null {
  const message = tables.messages.byId(messageId);
  if (message === null || message.dueAt === null) return null;
  const context = choose(message);
  if (message.validUntil <= context.now) {
    expire(tables, message, context.now);
    return null;
  }
  // The time for a late answer is over: the policy decides.
  const waiting = message.state === "uncertain" ? applyPolicy(tables, message, context) : message;
  return waiting === null || waiting.state === "failed" ? null : submitting(tables, waiting, context);
}

function submitting(tables: Tables, message: MessageRow, { routeId, now }: OutcomeContext): MessageRow | null {
  return tables.messages.move(message, { to: "submitting", at: now, routeId, attempts: message.attempts + 1 });
}

/** A message that could not be handed over within its validity. */
export function expire(tables: Tables, message: MessageRow, now: number): void {
  tables.timeline.add(message.id, {
    at: now,
    kind: "expired",
    routeId: message.routeId,
    detail: "Its validity ended.",
  });
  tables.messages.move(message, { to: "failed", at: now, errorCode: "expired" });
}
