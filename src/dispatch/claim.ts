/** Claims messages for their routes, several per transaction: a claimed message can no longer be cancelled. */
import type { Reason } from "../domain/reason.ts";
import { errorAfter } from "../domain/uncertain-policy.ts";
import type { Logger } from "../platform/log.ts";
import { StoreUnavailable } from "../store/group-commit.ts";
import type { MessageRow } from "../store/messages.ts";
import type { Store, Tables } from "../store/store.ts";
import type { ClaimRules } from "./claim-rules.ts";
import type { Lane } from "./lane.ts";
import type { LaneScheduler } from "./lane-scheduler.ts";
import type { RouteChoice, RouteSelector } from "./route-selector.ts";
import { applyPolicy, type OutcomeContext } from "./submit-outcome.ts";

/** Maximum messages claimed in one transaction: more would block the event loop and delay other answers. */
const claimsMax = 256;

export interface ClaimCandidate {
  messageId: number;
  choice: RouteChoice;
  lane: Lane;
  /** Parts claimed from the limiter until the claim reads the message's real number of parts. */
  partsHeld: number;
}

/** Takes messages in turn while their routes have room. */
export function collectCandidates(lanes: LaneScheduler, selector: RouteSelector): ClaimCandidate[] {
  const candidates: ClaimCandidate[] = [];
  while (candidates.length < claimsMax) {
    const turn = lanes.take((lane) => selector.choose(lane));
    if (turn === null) break;
    // The number of parts is only known at the claim; the previous message of the lane is the best guess. With one part
    // held for each, a campaign of long texts exceeded a slow route's rate, and a one-time password behind it waited 71
    // ms instead of 19 (p99).
    const { lane, position, choice } = turn;
    const { partsHeld } = lane;
    choice.route.limiter.claim(partsHeld);
    candidates.push({ messageId: position.id, choice, lane, partsHeld });
  }
  return candidates;
}

export interface ClaimDeps {
  store: Store;
  selector: RouteSelector;
  rules: ClaimRules;
  log: Logger;
  /** False while the wall clock is in doubt: a message past its validity is then neither sent nor failed. */
  mayExpire(): boolean;
}

/**
 * Claims them all; null means that there is nothing to send for a message. If one claim throws, the others still
 * succeed. Rejects with StoreUnavailable when the disk refuses.
 */
export async function claimCandidates(
  { store, selector, rules, log, mayExpire }: ClaimDeps,
  candidates: readonly ClaimCandidate[],
): Promise<(MessageRow | null)[]> {
  const claimIn = (tables: Tables, { messageId, choice }: ClaimCandidate) =>
    claim(
      tables,
      messageId,
      (message) => selector.attemptContext(choice, message, tables.otpSteps.routesBefore(message)),
      { rules, mayExpire },
    );
  try {
    return await store.write((tables) => candidates.map((candidate) => claimIn(tables, candidate)));
  } catch (reason) {
    if (reason instanceof StoreUnavailable || candidates.length === 1) throw reason;
    const alone = candidates.map((candidate) =>
      store
        .write((tables) => claimIn(tables, candidate))
        .catch((defect: unknown) => {
          log.error({ messageId: candidate.messageId, err: defect }, "a message cannot be claimed");
          return null;
        }),
    );
    return Promise.all(alone);
  }
}

/**
 * Claims a message for the route that `contextOf` names. Returns its row as `submitting`, or null if there is nothing
 * to send: it was cancelled, sent or claimed meanwhile, its validity is over, a rule blocks it, or its route's policy
 * fails it.
 */
function claim(
  tables: Tables,
  messageId: number,
  contextOf: (message: MessageRow) => OutcomeContext,
  { rules, mayExpire }: Pick<ClaimDeps, "rules" | "mayExpire">,
): MessageRow | null {
  const message = tables.messages.byId(messageId);
  if (message === null || message.dueAt === null) return null;
  const context = contextOf(message);
  if (message.validUntil <= context.now) {
    if (mayExpire()) expire(tables, message, context.now);
    return null;
  }
  const blocked = rules.blocks(tables, message);
  if (blocked !== null) {
    block(tables, message, blocked, context.now);
    return null;
  }
  // The time for a late answer is over, so the policy decides.
  const waiting = message.state === "uncertain" ? applyPolicy(tables, message, context) : message;
  return waiting === null || waiting.state === "failed" ? null : submitting(tables, waiting, context);
}

function submitting(tables: Tables, message: MessageRow, { routeId, now }: OutcomeContext): MessageRow | null {
  return tables.messages.move(message, { to: "submitting", at: now, routeId, attempts: message.attempts + 1 });
}

function block(tables: Tables, message: MessageRow, reason: Reason, at: number): void {
  tables.timeline.add(message.id, { at, kind: "blocked", routeId: null, reason });
  tables.messages.move(message, { to: "failed", at, errorCode: errorAfter(message.uncertainAttempts, "blocked") });
}

/** Fails a message that could not be handed over within its validity. */
export function expire(tables: Tables, message: MessageRow, now: number): void {
  tables.timeline.add(message.id, {
    at: now,
    kind: "expired",
    routeId: message.routeId,
    reason: { code: "validity_ended" },
  });
  tables.messages.move(message, { to: "failed", at: now, errorCode: errorAfter(message.uncertainAttempts, "expired") });
}
