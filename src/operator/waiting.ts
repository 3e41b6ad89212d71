/** Why messages wait: the same conditions, in the same order, that decide whether the queue may hand them over. */
import type { Reason } from "../domain/reason.ts";
import type { LaneDepth } from "../messaging/messages/queue-depth.ts";
import type { MessageRow } from "../store/messages.ts";
import type { OperatorDeps } from "./deps.ts";

type WaitingDeps = Pick<OperatorDeps, "directory" | "routingPlans" | "running" | "clock" | "quietHours"> & {
  sending: Pick<OperatorDeps["sending"], "heldSince">;
};

type LaneOfMessage = Pick<MessageRow, "senderId" | "class" | "targetId">;

/** Null for a message that does not wait: it is being handed over, was sent, or is final. */
export function waitOf(
  deps: WaitingDeps,
  { dueAt, attempts, ...message }: LaneOfMessage & Pick<MessageRow, "dueAt" | "attempts">,
): Reason | null {
  return dueAt === null ? null : waitAt(deps, message, dueAt, attempts > 0);
}

/** For the message of a lane that is due first. */
export function laneWait(deps: WaitingDeps, { oldestDueAt, ...lane }: LaneDepth): Reason | null {
  return oldestDueAt === null ? null : waitAt(deps, lane, oldestDueAt, false);
}

/** When the quiet hours that delay it end: the current ones, or those that its due time was moved out of. */
function quietUntil({ directory, quietHours, clock }: WaitingDeps, lane: LaneOfMessage, dueAt: number): number | null {
  const accountId = directory.senderById(lane.senderId)?.accountId ?? 0;
  const now = clock.now();
  if (dueAt <= now) return quietHours.until(accountId, lane.class, now);
  return quietHours.until(accountId, lane.class, dueAt - 1) === dueAt ? dueAt : null;
}

function waitAt(deps: WaitingDeps, lane: LaneOfMessage, dueAt: number, isRetry: boolean): Reason {
  const { directory, sending, clock } = deps;
  const heldSince = sending.heldSince();
  if (heldSince !== null) return { code: "waits_release", since: heldSince };
  if (directory.isSuspended(directory.senderById(lane.senderId)?.accountId ?? 0))
    return { code: "waits_account_suspended" };
  const quiet = quietUntil(deps, lane, dueAt);
  if (quiet !== null) return { code: "waits_quiet_hours", until: quiet };
  if (dueAt > clock.now()) return { code: isRetry ? "waits_next_attempt" : "waits_due", at: dueAt };
  return routeWait(deps, lane);
}

/** A due message waits for its turn on the first available route, or for a route to become available. */
export function routeWait(deps: WaitingDeps, { senderId, targetId }: LaneOfMessage): Reason {
  const { directory, routingPlans, running } = deps;
  const routes = routingPlans.plans.routesOf(senderId, targetId).flatMap((id) => {
    const status = running.state(id);
    return status === null ? [] : [{ name: directory.routeById(id)?.name ?? String(id), status }];
  });
  if (routes.length === 0) return noRoute(deps, senderId, targetId);
  const taking = routes.find(({ status }) => status.health.up && status.health.window > 0 && !status.isDraining);
  if (taking === undefined) {
    const draining = routes.filter(({ status }) => status.isDraining);
    if (draining.length > 0) return { code: "waits_routes_drain", routes: draining.map(({ name }) => name) };
    const since = Math.max(...routes.map(({ status }) => status.upChangedAt));
    return { code: "waits_routes_down", routes: routes.map(({ name }) => name), since };
  }
  const { name: route, status } = taking;
  if (status.unanswered >= status.health.window)
    return { code: "waits_window_full", route, unanswered: status.unanswered };
  if (status.waitMs > 0) return { code: "waits_rate", route, partsPerSecond: status.partsPerSecondNow };
  return { code: "waits_turn", route };
}

function noRoute({ routingPlans: { plans } }: WaitingDeps, senderId: number, targetId: number): Reason {
  const plan = plans.ofSender(senderId);
  if (plan === null || targetId < 0) return { code: "waits_no_route" };
  return { code: targetId === 0 ? "waits_no_rule" : "waits_no_route_of_target", plan: plan.name };
}
