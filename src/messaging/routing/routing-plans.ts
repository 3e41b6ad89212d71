/** Assembles routing plans and networks: the data in memory, the traffic rules that use it, and operator actions. */

import type { MessageRow } from "../../store/messages.ts";
import type { Store } from "../../store/store.ts";
import type { Directory } from "../directory/directory.ts";
import type { ProspectiveMessage, Remark, TrafficDecision, TrafficRule } from "../rules/traffic-rules.ts";
import { NetworkService } from "./network-service.ts";
import { Networks, networkRule } from "./networks.ts";
import { planProblems } from "./plan-problems.ts";
import { PlanService } from "./plan-service.ts";
import { type PlanWords, planWords } from "./plan-words.ts";
import { type Plan, Plans } from "./plans.ts";

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
