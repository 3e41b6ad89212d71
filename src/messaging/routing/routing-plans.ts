/** Assembles routing plans and networks: the data in memory, the traffic rules that use it, and operator actions. */

import { accountIdText } from "../../domain/id-text.ts";
import { className } from "../../domain/message.ts";
import { rangeText } from "../../domain/number-range.ts";
import { isAnyNumber, type RuleMatch } from "../../domain/routing-rule.ts";
import type { MessageRow } from "../../store/messages.ts";
import type { PlanTargetRow } from "../../store/plans.ts";
import type { Store } from "../../store/store.ts";
import type { Directory } from "../directory/directory.ts";
import type {
  AddressedMessage,
  ProspectiveMessage,
  Remark,
  TrafficDecision,
  TrafficRule,
} from "../rules/traffic-rules.ts";
import { NetworkService } from "./network-service.ts";
import { Networks, networkRule } from "./networks.ts";
import { planProblems } from "./plan-problems.ts";
import { PlanService } from "./plan-service.ts";
import { type Plan, Plans, type TakingRule } from "./plans.ts";
import { PortedNumbers } from "./ported-numbers.ts";

export interface RoutingPlansOptions {
  store: Store;
  directory: Directory;
  clock: { now(): number };
}

export type RoutingPlans = ReturnType<typeof openRoutingPlans>;

export function openRoutingPlans({ store, directory, clock }: RoutingPlansOptions) {
  const networks = new Networks(store.tables);
  const plans = new Plans(store.tables, directory);
  const words = planWords(directory, networks);
  const rules: { network: TrafficRule; plan: TrafficRule } = {
    network: networkRule(networks),
    plan: new RoutingPlanRule(plans, words),
  };
  return {
    networks,
    ported: new PortedNumbers({ store, networks, clock }),
    plans,
    words,
    rules,
    service: new PlanService({ store, clock, plans, networks }),
    networkService: new NetworkService({ store, networks }),
    problemsOf: (plan: Plan) => planProblems(plan, { directory, networks }),
  };
}

const rule = "plan";

/** Chooses the target of a message in its sender's routing plan. */
class RoutingPlanRule implements TrafficRule {
  readonly #plans: Plans;
  readonly #words: PlanWords;

  constructor(plans: Plans, words: PlanWords) {
    this.#plans = plans;
    this.#words = words;
  }

  apply(message: ProspectiveMessage, decision: TrafficDecision, remarks?: Remark[]): TrafficDecision {
    // An earlier rule has already chosen, so the plan does not apply.
    if (decision.targetId !== 0) return decision;
    const plan = this.#plans.ofSender(message.senderId);
    if (plan === null) {
      remarks?.push({ rule, words: this.#words.noPlan(message.senderId) });
      return decision;
    }
    const { accountId, class: messageClass, recipient, partCount } = message;
    const taking = this.#plans.ruleFor(plan, { accountId, class: messageClass, recipient, network: decision.network });
    if (taking === null) {
      remarks?.push({ rule, words: this.#words.noRule(plan, message.senderId) });
      return decision;
    }
    const target = this.#plans.nextTarget(taking.rule, partCount);
    if (target !== null) remarks?.push({ rule, words: this.#words.taken(plan, taking, target) });
    return { ...decision, targetId: target?.id ?? 0 };
  }

  needsNetwork({ accountId, senderId, class: messageClass }: AddressedMessage): boolean {
    const isAmong = (id: number, ids: readonly number[]) => ids.length === 0 || ids.includes(id);
    const rules = this.#plans.ofSender(senderId)?.rules ?? [];
    return rules.some(
      ({ match: { networks, classes, accounts } }) =>
        networks.length > 0 && isAmong(messageClass, classes) && isAmong(accountId, accounts),
    );
  }

  recall({ targetId, senderId }: Pick<MessageRow, "targetId" | "senderId">): Remark | null {
    // Chosen by another rule.
    if (targetId < 0) return null;
    if (targetId > 0) {
      const found = this.#plans.target(targetId);
      const words =
        found === null
          ? "The target that it was accepted for is gone."
          : this.#words.taken(found.plan, found, found.target);
      return { rule, words };
    }
    const plan = this.#plans.ofSender(senderId);
    return { rule, words: plan === null ? this.#words.noPlan(senderId) : this.#words.noRule(plan, senderId) };
  }
}

type PlanWords = ReturnType<typeof planWords>;

/** Plans, their rules and targets as text. */
function planWords(
  directory: Pick<Directory, "routeById" | "senderById" | "routesOf" | "account">,
  networks: Pick<Networks, "nameOf">,
) {
  const senderName = (senderId: number) => directory.senderById(senderId)?.sender ?? `sender ${senderId}`;
  const routeName = (routeId: number) => directory.routeById(routeId)?.name ?? `route ${routeId}`;
  const inOrder = (routeIds: readonly number[]) => routeIds.map(routeName).join(", then ");

  const matchText = (match: RuleMatch): string => {
    const { countries, ranges, networks: networkIds, classes, accounts } = match;
    const numbers = [...networkIds.map((id) => networks.nameOf(id)), ...countries, ...ranges.map(rangeText)];
    const names = classes.map(className);
    return [
      isAnyNumber(match) ? "all numbers" : `numbers of ${numbers.join(", ")}`,
      ...(names.length === 0 ? [] : [`class ${names.join(", ")}`]),
      ...(accounts.length === 0
        ? []
        : [`of ${accounts.map((id) => directory.account(id)?.name ?? accountIdText(id)).join(", ")}`]),
    ].join("; ");
  };

  return {
    matchText,

    noPlan(senderId: number): string {
      const own = directory.routesOf(senderId);
      if (own.length === 0) return `${senderName(senderId)} uses no routing plan, and there is no route for it.`;
      return `${senderName(senderId)} uses no routing plan; it goes by the sender's own routes: ${inOrder(own)}.`;
    },

    noRule({ name }: Plan, senderId: number): string {
      const own = directory.routesOf(senderId);
      if (own.length === 0)
        return `No rule of plan ${name} takes it, and ${senderName(senderId)} has no routes of its own.`;
      return `No rule of plan ${name} takes it, so the sender's own routes do: ${inOrder(own)}.`;
    },

    taken({ name }: Plan, { rule, number }: TakingRule, target: PlanTargetRow): string {
      const sum = rule.targets.reduce((total, { weight }) => total + weight, 0);
      const share = rule.targets.length === 1 ? "" : `, by its target with ${target.weight} of ${sum} parts`;
      return `Rule ${number} of plan ${name} takes it (${matchText(rule.match)})${share}. Routes: ${inOrder(target.routeIds)}.`;
    },
  };
}
