/** Routing plans in memory: the target of a message, and the routes of a target. */
import { channelOfTarget } from "../../domain/channel.ts";
import type { RoutedMessage } from "../../domain/routing-rule.ts";
import { RuleFinder } from "../../domain/rule-finder.ts";
import { sandboxTargetId } from "../../domain/sandbox.ts";
import { type PlanRow, type PlanRuleRow, type PlanTargetRow, routesOfPlan } from "../../store/plans.ts";
import type { Tables } from "../../store/store.ts";
import type { Directory } from "../directory/directory.ts";

export type Plan = PlanRow;

/** The first rule of a plan that matches a message; `number` counts from 1, as in commands. */
export interface TakingRule {
  rule: PlanRuleRow;
  number: number;
}

/** A target with its rule and plan. */
export interface PlanTarget extends TakingRule {
  target: PlanTargetRow;
  plan: Plan;
}

/** Senders and their own routes. */
type RoutedSenders = Pick<Directory, "activeSenders" | "senderById" | "routesOf" | "sandboxRoutes">;

export class Plans {
  readonly #directory: RoutedSenders;
  readonly #plans = new Map<number, Plan>();
  readonly #targets = new Map<number, PlanTarget>();
  /** Built when the first message needs it. */
  readonly #finders = new WeakMap<Plan, RuleFinder>();
  /** The distinct routes of each plan: thousands of senders may share a plan with thousands of targets. */
  readonly #planRoutes = new WeakMap<Plan, ReadonlySet<number>>();
  readonly #shares: Pick<Tables["targetShares"], "next">;
  #listener: () => void = () => {};

  constructor(tables: Tables, directory: RoutedSenders) {
    this.#directory = directory;
    this.#shares = tables.targetShares;
    this.reload(tables);
  }

  /** Call after committing a change, once `putSender` has updated the directory. */
  reload(tables: Tables): void {
    this.#plans.clear();
    this.#targets.clear();
    for (const plan of tables.plans.all()) {
      this.#plans.set(plan.id, plan);
      for (const [index, rule] of plan.rules.entries()) {
        for (const target of rule.targets) this.#targets.set(target.id, { target, plan, rule, number: index + 1 });
      }
    }
    this.#listener();
  }

  /** Called after each change. */
  onChange(listener: () => void): void {
    this.#listener = listener;
  }

  /** Sorted by name. */
  all(): Plan[] {
    return [...this.#plans.values()];
  }

  byName(name: string): Plan | null {
    return this.all().find((plan) => plan.name === name) ?? null;
  }

  byId(id: number): Plan | null {
    return this.#plans.get(id) ?? null;
  }

  target(id: number): PlanTarget | null {
    return this.#targets.get(id) ?? null;
  }

  ofSender(senderId: number): Plan | null {
    const planId = this.#directory.senderById(senderId)?.planId ?? null;
    return planId === null ? null : (this.#plans.get(planId) ?? null);
  }

  /** True if the sender's messages may wait for this target: those of its plan, and those that belong to no plan. */
  hasTarget(senderId: number, targetId: number): boolean {
    if (targetId <= 0) return true;
    const found = this.#targets.get(targetId);
    return found !== undefined && found.plan.id === this.#directory.senderById(senderId)?.planId;
  }

  /** In order of preference; empty if the target no longer belongs to the sender. */
  routesOf(senderId: number, targetId: number): readonly number[] {
    if (targetId === 0) return this.#directory.routesOf(senderId);
    if (targetId === sandboxTargetId) return this.#directory.sandboxRoutes();
    const channelId = channelOfTarget(targetId);
    if (channelId !== null) return [channelId];
    if (!this.hasTarget(senderId, targetId)) return [];
    return this.#targets.get(targetId)?.target.routeIds ?? [];
  }

  /** Every route that a message of the sender may use. */
  routesUsedBy(senderId: number): readonly number[] {
    const own = this.#directory.routesOf(senderId);
    const plan = this.ofSender(senderId);
    if (plan === null) return own;
    const ofPlan = this.#routesOfPlan(plan);
    return [...ofPlan, ...own.filter((id) => !ofPlan.has(id))];
  }

  /** The first of these, or undefined if there is none. */
  firstRouteUsedBy(senderId: number): number | undefined {
    const plan = this.ofSender(senderId);
    const [first] = plan === null ? [] : this.#routesOfPlan(plan);
    return first ?? this.#directory.routesOf(senderId)[0];
  }

  /** Every route that a message of any active sender may use. */
  usedRoutes(): ReadonlySet<number> {
    const senders = this.#directory.activeSenders();
    const plans = new Set(senders.flatMap(({ id }) => this.ofSender(id) ?? []));
    return new Set([
      ...senders.flatMap(({ id }) => this.#directory.routesOf(id)),
      ...[...plans].flatMap((plan) => [...this.#routesOfPlan(plan)]),
    ]);
  }

  #routesOfPlan(plan: Plan): ReadonlySet<number> {
    let routes = this.#planRoutes.get(plan);
    if (routes === undefined) {
      routes = new Set(routesOfPlan(plan));
      this.#planRoutes.set(plan, routes);
    }
    return routes;
  }

  /** Null if no rule matches. */
  ruleFor(plan: Plan, message: RoutedMessage): TakingRule | null {
    const index = this.#finderOf(plan).find(message);
    const rule = plan.rules[index];
    return rule === undefined ? null : { rule, number: index + 1 };
  }

  #finderOf(plan: Plan): RuleFinder {
    let finder = this.#finders.get(plan);
    if (finder === undefined) {
      finder = new RuleFinder(plan.rules.map(({ match }) => match));
      this.#finders.set(plan, finder);
    }
    return finder;
  }

  /**
   * The target whose turn it is. Whoever accepts the message counts it (see TargetShareTable), and may then find
   * another.
   */
  nextTarget({ targets }: PlanRuleRow, parts: number): PlanTargetRow | null {
    const [first] = targets;
    if (first === undefined) return null;
    const id = this.#shares.next(first.id, parts);
    return targets.find((target) => target.id === id) ?? null;
  }
}
