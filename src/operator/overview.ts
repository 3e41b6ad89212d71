/**
 * `/overview`: what is running and what needs attention, as data; `/status` says the same in sentences, and also checks
 * the disk.
 */

import { sandboxRouteName } from "../domain/sandbox.ts";
import { isUntouchedDefault } from "../messaging/directory/route-service.ts";
import { queueDepths } from "../messaging/messages/queue-depth.ts";
import { timeOrNull } from "./answers.ts";
import { attentionOf } from "./attention.ts";
import type { OperatorDeps } from "./deps.ts";
import { reads } from "./operation.ts";
import { waitingByRoute } from "./standing.ts";

export type OverviewAnswer = ReturnType<typeof overviewAnswer>;

function overviewAnswer(deps: OperatorDeps) {
  const { directory, live } = deps;
  const waiting = waitingByRoute(deps);
  return {
    /** Most severe first. */
    attention: attentionOf(deps, waiting),
    routes: directory.routes().map((route) => routeNow(deps, route, waiting.get(route.id) ?? 0)),
    queue: queueDepths(deps.lanes()).map(({ oldestDueAt, ...depth }) => ({
      ...depth,
      oldestDueAt: timeOrNull(oldestDueAt),
    })),
    /**
     * Minutes of the last hour, oldest first, since the process started at the earliest. `at` in epoch milliseconds.
     */
    outcomes: live.minutes().map((minute) => ({ ...minute })),
    /** What a new installation still lacks. */
    begun: {
      // A simulator that somebody added represents a carrier, as in the demo.
      carrier: directory.routes().some((route) => route.name !== sandboxRouteName && !isUntouchedDefault(route)),
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
    /** Since when it has been up or down: its links change their own state with every attempt. Null while off. */
    stateSince: timeOrNull(state?.upChangedAt ?? null),
    partsPerSecond: live.partsPerSecond(id),
    /** Null where no rate is agreed. */
    partsPerSecondMax: state?.partsPerSecondNow ?? null,
    unanswered: state?.unanswered ?? 0,
    window: state?.health.window ?? 0,
    /** Messages whose first route it is, by target or sender. */
    waiting,
  };
}

export const overviewAdmin = {
  "GET /overview": reads({ may: "status.read", run: overviewAnswer }),
};
