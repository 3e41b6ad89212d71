/** Assembles routing plans and networks: the data in memory, the traffic rules that use it, and operator actions. */
import type { Store } from "../../store/store.ts";
import type { Directory } from "../directory/directory.ts";
import type { TrafficRule } from "../rules/traffic-rules.ts";
import { NetworkService } from "./network-service.ts";
import { Networks, networkRule } from "./networks.ts";
import { planProblems } from "./plan-problems.ts";
import { RoutingPlanRule } from "./plan-rule.ts";
import { PlanService } from "./plan-service.ts";
import { planWords } from "./plan-words.ts";
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
