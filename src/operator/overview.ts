/** `/overview`: what runs now and what needs a look, as data; `/status` says the same in sentences, and probes the disk besides. */

import { type LaneDepth, queueDepths } from "../messaging/messages/queue-depth.ts";
import { timeOrNull } from "./answers.ts";
import { attentionOf } from "./attention.ts";
import type { OperatorDeps } from "./deps.ts";
import { reads } from "./operation.ts";

export type OverviewAnswer = ReturnType<typeof overviewAnswer>;

function overviewAnswer(deps: OperatorDeps) {
  const { directory, live } = deps;
  const lanes = deps.lanes();
  const waitingByRoute = countByRoute(deps, lanes);
  return {
    /** The gravest first. */
    attention: attentionOf(deps, waitingByRoute),
    routes: directory.routes().map((route) => routeNow(deps, route, waitingByRoute.get(route.id) ?? 0)),
    queue: queueDepths(lanes).map(({ oldestDueAt, ...depth }) => ({ ...depth, oldestDueAt: timeOrNull(oldestDueAt) })),
    /** Minutes of the last hour, oldest first, as far as the process has run. `at` in epoch milliseconds. */
    outcomes: live.minutes().map((minute) => ({ ...minute })),
    /** What a new installation still lacks. */
    begun: {
      carrier: directory.routes().some(({ kind }) => kind !== "simulator"),
      account: directory.keys().length > 0,
      message: deps.hasMessages(),
    },
  };
}

type RouteOfDirectory = ReturnType<OperatorDeps["directory"]["routes"]>[number];

function routeNow({ running, live }: OperatorDeps, { id, name, kind, enabled }: RouteOfDirectory, waiting: number) {
  const state = running.state(id);
  const isUp = state?.health.up ?? false;
  return {
    name,
    kind,
    state: enabled ? (isUp ? ("up" as const) : ("down" as const)) : ("off" as const),
    partsPerSecond: live.partsPerSecond(id),
    /** Null where nothing is agreed. */
    partsPerSecondMax: state?.partsPerSecondNow ?? null,
    unanswered: state?.unanswered ?? 0,
    window: state?.health.window ?? 0,
    /** Messages whose first route it is, by their target or their sender. */
    waiting,
  };
}

function countByRoute({ routingPlans: { plans } }: OperatorDeps, lanes: readonly LaneDepth[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const { senderId, targetId, waiting } of lanes) {
    const [first = 0] = plans.routesOf(senderId, targetId);
    counts.set(first, (counts.get(first) ?? 0) + waiting);
  }
  return counts;
}

export const overviewAdmin = {
  "GET /overview": reads({ may: "status.read", scope: "none", input: {}, run: overviewAnswer }),
};
