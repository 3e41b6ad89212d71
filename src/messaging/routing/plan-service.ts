/** Operator actions on routing plans. Every change is on disk and effective when its promise resolves. */

import { accountIdText } from "../../domain/id-text.ts";
import { type MessageClass, messageClasses } from "../../domain/message.ts";
import { type NumberRange, parseNumberRange, rangesOverlap, rangeText } from "../../domain/number-range.ts";
import { invalidRequest, OperatorError, type OperatorProblem } from "../../domain/operator-error.ts";
import { problemOf } from "../../domain/operator-problem.ts";
import { isRegion } from "../../domain/phone-number.ts";
import { planLimits } from "../../domain/plan-limits.ts";
import type { RuleMatch } from "../../domain/routing-rule.ts";
import type { PlanRow, PlanRuleRow } from "../../store/plans.ts";
import type { Store, Tables } from "../../store/store.ts";
import { assertUnused } from "../directory/removed-senders.ts";
import { refuseTooLongSender, sendingRoute } from "../directory/route-limits.ts";
import type { Networks } from "./networks.ts";
import type { Plan, Plans } from "./plans.ts";

/** As written by the operator: names, ids, and ranges such as `+98912`. */
export interface RuleInput {
  countries: readonly string[];
  ranges: readonly string[];
  networks: readonly string[];
  classes: readonly (keyof typeof messageClasses)[];
  accounts: readonly number[];
  targets: readonly { routes: readonly string[]; weight: number }[];
}

const everything: RuleInput = { countries: [], ranges: [], networks: [], classes: [], accounts: [], targets: [] };

export interface PlanServiceDeps {
  store: Store;
  clock: { now(): number };
  plans: Plans;
  networks: Pick<Networks, "byName" | "ofPlans">;
}

/** Throws OperatorError; rejects with StoreUnavailable when the disk refuses. */
export class PlanService {
  readonly #deps: PlanServiceDeps;

  constructor(deps: PlanServiceDeps) {
    this.#deps = deps;
  }

  create(name: string): Promise<Plan> {
    return this.#commit(name, (tables) => {
      if (tables.plans.byName(name) !== null) throw new OperatorError("plan_exists");
      tables.plans.insert(name, this.#deps.clock.now());
    });
  }

  /** Refused while senders use it. */
  async remove(name: string): Promise<Plan> {
    const removed = await this.#deps.store.write((tables) => {
      const plan = presentPlan(tables, name);
      const senders = tables.senders.all().filter(({ planId }) => planId === plan.id);
      assertUnused(tables, senders, "plan_in_use", "senders_use_plan");
      for (const { id } of senders) tables.senders.update(id, { planId: null });
      tables.plans.remove(plan);
      return plan;
    });
    this.#deps.plans.reload(this.#deps.store.tables);
    return removed;
  }

  /** `number` counts from 1: the new rule is inserted before the rule with that number, or at the end if omitted. */
  addRule(name: string, input: RuleInput, number?: number): Promise<Plan> {
    return this.#commit(name, (tables) => {
      const plan = presentPlan(tables, name);
      const index = (number ?? plan.rules.length + 1) - 1;
      if (index > plan.rules.length) throw noRule(plan, index + 1);
      const match = this.#matchOf(tables, input);
      refuseTooLarge(plan, match);
      tables.plans.insertRule(plan, index, { match, targets: targetsOf(tables, plan, input.targets) });
    });
  }

  /**
   * Omitted fields stay as they are; an empty list matches everything. The rule keeps its place, and messages waiting
   * for its targets are routed again.
   */
  updateRule(name: string, number: number, change: Partial<RuleInput>): Promise<Plan> {
    return this.#commit(name, (tables) => {
      const plan = presentPlan(tables, name);
      const rule = presentRule(plan, number);
      const others = { ...plan, rules: plan.rules.filter(({ id }) => id !== rule.id) };
      const { targets, ...given } = change;
      const read = this.#matchOf(tables, { ...everything, ...change });
      const isGiven = (key: string) => Object.hasOwn(given, key);
      const match = { ...rule.match, ...Object.fromEntries(Object.entries(read).filter(([key]) => isGiven(key))) };
      refuseTooLarge(others, match);
      const next = targets === undefined ? rule.targets : targetsOf(tables, plan, targets);
      tables.plans.removeRule(rule);
      tables.plans.insertRule(others, number - 1, { match, targets: next });
    });
  }

  removeRule(name: string, number: number): Promise<Plan> {
    return this.#commit(name, (tables) => {
      const plan = presentPlan(tables, name);
      tables.plans.removeRule(presentRule(plan, number));
      tables.plans.setOrder(plan.rules.map(({ id }) => id).toSpliced(number - 1, 1));
    });
  }

  moveRule(name: string, number: number, to: number): Promise<Plan> {
    return this.#commit(name, (tables) => {
      const plan = presentPlan(tables, name);
      const { id } = presentRule(plan, number);
      presentRule(plan, to);
      const others = plan.rules.map((rule) => rule.id).filter((other) => other !== id);
      tables.plans.setOrder(others.toSpliced(to - 1, 0, id));
    });
  }

  async #commit(name: string, change: (tables: Tables) => void): Promise<Plan> {
    const { store, plans } = this.#deps;
    await store.write(change);
    plans.reload(store.tables);
    const plan = plans.byName(name);
    if (plan === null) throw new OperatorError("plan_not_found");
    return plan;
  }

  /** Reports every problem at once. */
  #matchOf(tables: Tables, { countries, ranges, networks, classes, accounts, targets }: RuleInput): RuleMatch {
    const problems: OperatorProblem[] = [];
    const usable = new Set(this.#deps.networks.ofPlans(this.#deps.plans.all()).map(({ id }) => id));
    const networkIdOf = (name: string) => {
      const id = this.#deps.networks.byName(name)?.id;
      return id !== undefined && usable.has(id) ? id : null;
    };
    const each = <From, To>(
      from: readonly From[],
      read: (one: From) => To | null,
      problem: (one: From) => OperatorProblem,
    ): To[] =>
      [...new Set(from)].flatMap((one) => {
        const value = read(one);
        if (value === null) problems.push(problem(one));
        return value ?? [];
      });
    const match = {
      countries: each(
        countries,
        (code) => (isRegion(code) ? code : null),
        (value) => problemOf("countries", "unknown_country", { value }),
      ),
      ranges: each(ranges, parseNumberRange, (value) => problemOf("ranges", "unknown_range", { value })),
      networks: each(networks, networkIdOf, (value) => problemOf("networks", "unknown_network", { value })),
      classes: [...new Set(classes)].map((one): MessageClass => messageClasses[one]),
      accounts: each(
        accounts,
        (id) => tables.accounts.byId(id)?.id ?? null,
        (id) => problemOf("accounts", "unknown_account", { value: accountIdText(id) }),
      ),
    };
    problems.push(...overlapProblems(match.ranges), ...sameTargetProblems(targets));
    if (problems.length > 0) throw invalidRequest(problems);
    return match;
  }
}

/** A number would match two ranges: one of them is probably a mistake. */
function overlapProblems(ranges: readonly NumberRange[]): OperatorProblem[] {
  return ranges.flatMap((range, index) => {
    const earlier = ranges.slice(0, index).find((other) => rangesOverlap(range, other));
    if (earlier === undefined) return [];
    return problemOf("ranges", "overlapping_ranges", { value: rangeText(range), other: rangeText(earlier) });
  });
}

function sameTargetProblems(targets: RuleInput["targets"]): OperatorProblem[] {
  const routes = targets.map((target) => [...new Set(target.routes)].join());
  return routes.flatMap((one, index) => {
    const first = routes.indexOf(one);
    return first === index ? [] : problemOf("targets", "same_targets", { first: first + 1, second: index + 1 });
  });
}

function targetsOf(tables: Tables, plan: PlanRow, targets: RuleInput["targets"]) {
  const senders = tables.senders.all().filter(({ planId, removedAt }) => planId === plan.id && removedAt === null);
  return targets.map(({ routes, weight }) => ({
    weight,
    routeIds: [...new Set(routes)].map((name) => {
      const route = sendingRoute(tables, name);
      for (const { sender } of senders) refuseTooLongSender(route, sender);
      return route.id;
    }),
  }));
}

function presentPlan(tables: Tables, name: string): PlanRow {
  const plan = tables.plans.byName(name);
  if (plan === null) throw new OperatorError("plan_not_found", { code: "no_name", values: { subject: "plan", name } });
  return plan;
}

function presentRule(plan: PlanRow, number: number): PlanRuleRow {
  const rule = plan.rules[number - 1];
  if (rule === undefined) throw noRule(plan, number);
  return rule;
}

/** Throws `invalid`. */
function refuseTooLarge({ rules }: PlanRow, { ranges }: RuleMatch): void {
  if (rules.length >= planLimits.rules) {
    throw invalidRequest([problemOf("", "plan_rules", { max: planLimits.rules })]);
  }
  const present = rules.reduce((sum, { match }) => sum + match.ranges.length, 0);
  if (present + ranges.length <= planLimits.ranges) return;
  throw invalidRequest([problemOf("ranges", "plan_ranges", { max: planLimits.ranges })]);
}

function noRule({ name, rules }: PlanRow, number: number): OperatorError {
  return new OperatorError("plan_rule_not_found", {
    code: "no_rule",
    values: { plan: name, number, rules: rules.length },
  });
}
