/** Current problems, as shown in the operator's views. */
import { statSync } from "node:fs";
import { join } from "node:path";
import type { ConditionFacts, View } from "../conditions/condition.ts";
import { type ConditionFinding, isPresent, isShownIn, presentFindings } from "../conditions/conditions.ts";
import { credentialIdText } from "../domain/id-text.ts";
import { freeBytes } from "../platform/disk-space.ts";
import type { Shipping } from "../platform/shipping.ts";
import { targetCopiedAt } from "../platform/target-state.ts";
import type { OperatorDeps } from "./deps.ts";
import { usedRoutes } from "./used-routes.ts";

export type FactDeps = Pick<
  OperatorDeps,
  | "damage"
  | "sending"
  | "wallClock"
  | "bookingClock"
  | "directory"
  | "running"
  | "routingPlans"
  | "otpPlans"
  | "lookups"
  | "messages"
  | "webhooks"
  | "backups"
  | "certificateEndsAt"
  | "credentials"
  | "lanes"
  | "cluster"
  | "clock"
> & { dataDir: string };

/** Conditions that can be evaluated immediately, and what the alerts have found about the others. */
export function standing(deps: Omit<FactDeps, "dataDir"> & Pick<OperatorDeps, "alerts" | "facts">, view: View) {
  const watched = deps.alerts
    .firing()
    .filter((alert): alert is typeof alert & ConditionFinding => alert.code !== undefined && !isPresent(alert.code));
  return [
    ...presentFindings(conditionFacts({ ...deps, dataDir: deps.facts.dataDir }), view),
    ...watched.filter(({ code }) => isShownIn(view, code)),
  ];
}

export function conditionFacts(deps: FactDeps): ConditionFacts {
  const { damage, sending, wallClock, bookingClock, webhooks, backups, certificateEndsAt, clock, dataDir } = deps;
  return {
    now: clock.now(),
    damage: () => damage.damage(),
    heldSince: () => sending.heldSince(),
    clockAheadMs: () => wallClock.doubt()?.aheadMs ?? null,
    booksAheadMs: () => bookingClock.aheadMs(),
    routesDown: () => routesDown(deps),
    receiptsUnmatched: (ageMsMin) => receiptsUnmatched(deps, ageMsMin),
    freeBytes: () => freeBytes(dataDir),
    walBytes: () => walBytes(dataDir),
    nightlyAt: backups.nightlyAt,
    frequentAt: backups.frequentAt,
    frequentIntervalMs: backups.intervalMs,
    shippedAt: () => shippedAt(backups.shipping()),
    target: () => targetFacts(backups),
    certificateEndsAt,
    webhooksSwitchedOff: () => webhooks.countSwitchedOff(),
    portedProblem: () => deps.routingPlans.ported.state()?.problem ?? deps.lookups.state()?.problem ?? null,
    cluster: deps.cluster,
    notTaken: () => notTaken(deps),
    guesses: () => deps.credentials.guesses(),
  };
}

export function walBytes(dataDir: string): number {
  return statSync(join(dataDir, "peyk.db-wal"), { throwIfNoEntry: false })?.size ?? 0;
}

/** An attempt that never succeeded counts as infinitely old. */
export function shippedAt({ madeAt, failure }: Shipping): number | null {
  return madeAt ?? (failure === null ? null : 0);
}

function targetFacts({ target }: FactDeps["backups"]): ReturnType<ConditionFacts["target"]> {
  const state = target();
  return state && { copiedAt: targetCopiedAt(state), begunAt: state.upload?.begunAt ?? null, failure: state.failure };
}

/** Messages whose first route it is, by target or sender. */
export function waitingByRoute({ lanes, routingPlans: { plans } }: Pick<FactDeps, "lanes" | "routingPlans">) {
  const counts = new Map<number, number>();
  for (const { senderId, targetId, waiting } of lanes()) {
    const [first = 0] = plans.routesOf(senderId, targetId);
    counts.set(first, (counts.get(first) ?? 0) + waiting);
  }
  return counts;
}

function routesDown(deps: FactDeps): ReturnType<ConditionFacts["routesDown"]> {
  const { directory, running } = deps;
  const down = directory.routes().filter(({ id, enabled }) => enabled && running.state(id)?.health.up === false);
  if (down.length === 0) return [];
  const used = usedRoutes(deps);
  const waiting = waitingByRoute(deps);
  return down.map(({ id, name }) => ({ route: name, isNeeded: used.has(id) || (waiting.get(id) ?? 0) > 0 }));
}

/** Routes with receipts of which none has ever matched. */
function receiptsUnmatched({ directory, running, messages, clock }: FactDeps, ageMsMin: number) {
  return directory.routes().flatMap(({ id, name: route }) => {
    if (running.state(id)?.receiptsMatched !== 0) return [];
    const aged = messages.unmatchedReceipts(id).filter(({ receivedAt }) => clock.now() - receivedAt > ageMsMin);
    return aged.length === 0 ? [] : [{ route, count: aged.length }];
  });
}

/** Nobody can receive those of a suspended account or a revoked key. */
function notTaken({ credentials }: FactDeps): ReturnType<ConditionFacts["notTaken"]> {
  return credentials.waiting().flatMap(({ credentialId, oldestAt }) => {
    const owner = credentials.directory.owner(credentialId);
    if (owner === null || owner.account.status !== "active") return [];
    return [{ credential: credentialIdText(credentialId), name: owner.credential.name, oldestAt }];
  });
}
