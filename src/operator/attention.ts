/** What needs an operator's attention, as data: current problems, and further notes for the first page. */
import type { CodedCondition } from "../conditions/conditions.ts";
import type { Reason } from "../domain/reason.ts";
import { troubleOf } from "../providers/provider.ts";
import type { OperatorDeps } from "./deps.ts";
import { accountIdText } from "./ids.ts";
import { standing } from "./standing.ts";

/** Moments in epoch milliseconds. `reason`: the same as `cause`, as data. */
export type Attention =
  | ({ kind: "condition" } & CodedCondition)
  /** The condition of this name, with details from the running route. */
  | { kind: "routeDown"; route: string; since: number; waiting: number; cause: string; reason: Reason | null }
  | {
      kind: "callbacksFailing";
      webhook: string;
      account: string;
      host: string;
      since: number;
      waiting: number;
      /** Null: the service has switched the webhook off. */
      answer: string | null;
      /** The same as data; `failure`: as named in callback attempts. */
      attempt: { failure: string | null; status: number | null; detail: string | null } | null;
    }
  /** `more`: senders besides the named ones. `account`: its id, if it is a single sender. */
  | { kind: "simulator"; senders: readonly string[]; more: number; account: string | null };

/** How many senders on a simulator are named. */
const sendersNamedMax = 5;

/** Most severe first. */
export function attentionOf(deps: OperatorDeps, waitingByRoute: ReadonlyMap<number, number>): Attention[] {
  const wrong = standing(deps, "now").map((found): Attention => {
    const { code, values } = found;
    if (code === "RouteDown") return routeDown(deps, values.route, waitingByRoute);
    return { kind: "condition", ...({ code, values } as CodedCondition) };
  });
  return [...wrong, ...callbacksFailing(deps), ...simulated(deps)];
}

function routeDown(
  { directory, running }: OperatorDeps,
  route: string,
  waitingByRoute: ReadonlyMap<number, number>,
): Attention {
  const { id = 0 } = directory.route(route) ?? {};
  const state = running.state(id);
  const broken = state === null ? null : troubleOf(state.health);
  const told = { cause: broken?.lastError ?? "", reason: broken?.lastReason ?? null };
  return { kind: "routeDown", route, since: state?.upChangedAt ?? 0, waiting: waitingByRoute.get(id) ?? 0, ...told };
}

function callbacksFailing({ webhooks, directory }: OperatorDeps): Attention[] {
  return webhooks.failing().map(({ webhook, waiting, answer, attempt }) => ({
    kind: "callbacksFailing",
    webhook: webhook.publicId,
    account: directory.account(webhook.accountId)?.name ?? accountIdText(webhook.accountId),
    host: new URL(webhook.url).host,
    since: webhook.failingSince ?? webhook.switchedOffAt ?? webhook.updatedAt,
    waiting,
    answer,
    attempt: attempt === null ? null : { failure: attempt.failure, status: attempt.status, detail: attempt.detail },
  }));
}

/** With simulated routes everything looks delivered, but no message reaches a phone. */
function simulated({ directory, routingPlans: { plans } }: OperatorDeps): Attention[] {
  const first = (senderId: number) => directory.routeById(plans.firstRouteUsedBy(senderId) ?? 0);
  const senders = directory.activeSenders().filter(({ id }) => first(id)?.kind === "simulator");
  if (senders.length === 0) return [];
  const named = senders.slice(0, sendersNamedMax).map(({ sender }) => sender);
  const [only, ...others] = senders;
  const account = only !== undefined && others.length === 0 ? accountIdText(only.accountId) : null;
  return [{ kind: "simulator", senders: named, more: senders.length - named.length, account }];
}
