/** Routing plans with their rules and targets. What is removed is gone: messages that wait for it are routed anew. */
import { asc, eq, inArray } from "drizzle-orm";
import { isMessageClass } from "../domain/message.ts";
import { parseNumberRange, rangeText } from "../domain/number-range.ts";
import type { RuleMatch } from "../domain/routing-rule.ts";
import type { Drizzle } from "./drizzle.ts";
import { plan, planRule, planTarget, planTargetRoute } from "./schema.ts";

export interface PlanTargetRow {
  readonly id: number;
  readonly weight: number;
  /** In order of preference. */
  readonly routeIds: readonly number[];
}

export interface PlanRuleRow {
  readonly id: number;
  readonly match: RuleMatch;
  readonly targets: readonly PlanTargetRow[];
}

export interface PlanRow extends Readonly<typeof plan.$inferSelect> {
  /** The first that takes a message decides. */
  readonly rules: readonly PlanRuleRow[];
}

/** Of all its rules; one may come more than once. */
export const routesOfPlan = ({ rules }: PlanRow): number[] =>
  rules.flatMap(({ targets }) => targets.flatMap(({ routeIds }) => routeIds));

export interface NewPlanRule {
  match: RuleMatch;
  targets: readonly Omit<PlanTargetRow, "id">[];
}

export class PlanTable {
  readonly #drizzle: Drizzle;

  constructor(drizzle: Drizzle) {
    this.#drizzle = drizzle;
  }

  all(): PlanRow[] {
    return this.#drizzle
      .select()
      .from(plan)
      .orderBy(plan.name)
      .all()
      .map((row) => this.#withRules(row));
  }

  byId(id: number): PlanRow | null {
    const row = this.#drizzle.select().from(plan).where(eq(plan.id, id)).get();
    return row === undefined ? null : this.#withRules(row);
  }

  byName(name: string): PlanRow | null {
    const row = this.#drizzle.select().from(plan).where(eq(plan.name, name)).get();
    return row === undefined ? null : this.#withRules(row);
  }

  insert(name: string, createdAt: number): PlanRow {
    return { ...this.#drizzle.insert(plan).values({ name, createdAt }).returning().get(), rules: [] };
  }

  remove({ id, rules }: PlanRow): void {
    for (const rule of rules) this.removeRule(rule);
    this.#drizzle.delete(plan).where(eq(plan.id, id)).run();
  }

  /** `rules`: those of the plan as they are now; the new one comes before the one that stands at `index`. */
  insertRule({ id, rules }: PlanRow, index: number, { match, targets }: NewPlanRule): void {
    const row = { planId: id, position: rules.length, ...columnsOfMatch(match) };
    const { id: ruleId } = this.#drizzle.insert(planRule).values(row).returning().get();
    for (const [position, { weight, routeIds }] of targets.entries()) {
      const target = this.#drizzle.insert(planTarget).values({ ruleId, position, weight }).returning().get();
      for (const [order, routeId] of routeIds.entries()) {
        this.#drizzle.insert(planTargetRoute).values({ targetId: target.id, position: order, routeId }).run();
      }
    }
    this.setOrder(rules.map((rule) => rule.id).toSpliced(index, 0, ruleId));
  }

  removeRule({ id, targets }: PlanRuleRow): void {
    const targetIds = targets.map((target) => target.id);
    this.#drizzle.delete(planTargetRoute).where(inArray(planTargetRoute.targetId, targetIds)).run();
    this.#drizzle.delete(planTarget).where(eq(planTarget.ruleId, id)).run();
    this.#drizzle.delete(planRule).where(eq(planRule.id, id)).run();
  }

  setOrder(ruleIds: readonly number[]): void {
    for (const [position, id] of ruleIds.entries()) {
      this.#drizzle.update(planRule).set({ position }).where(eq(planRule.id, id)).run();
    }
  }

  #withRules(row: typeof plan.$inferSelect): PlanRow {
    const ofPlan = eq(planRule.planId, row.id);
    const rules = this.#drizzle.select().from(planRule).where(ofPlan).orderBy(asc(planRule.position)).all();
    return {
      ...row,
      rules: rules.map((rule) => ({ id: rule.id, match: matchOf(rule), targets: this.#targetsOf(rule.id) })),
    };
  }

  #targetsOf(ruleId: number): PlanTargetRow[] {
    const targets = this.#drizzle.select().from(planTarget).where(eq(planTarget.ruleId, ruleId));
    return targets
      .orderBy(asc(planTarget.position))
      .all()
      .map(({ id, weight }) => {
        const routes = this.#drizzle.select().from(planTargetRoute).where(eq(planTargetRoute.targetId, id));
        const routeIds = routes.orderBy(asc(planTargetRoute.position)).all();
        return { id, weight, routeIds: routeIds.map(({ routeId }) => routeId) };
      });
  }
}

type MatchColumns = Pick<typeof planRule.$inferSelect, "countries" | "ranges" | "networks" | "classes" | "accounts">;

function columnsOfMatch({ countries, ranges, networks, classes, accounts }: RuleMatch): MatchColumns {
  return {
    countries: countries.join(" "),
    ranges: ranges.map(rangeText).join(" "),
    networks: networks.join(" "),
    classes: classes.join(" "),
    accounts: accounts.join(" "),
  };
}

const wordsOf = (text: string): string[] => (text === "" ? [] : text.split(" "));

function matchOf({ countries, ranges, networks, classes, accounts }: MatchColumns): RuleMatch {
  return {
    countries: wordsOf(countries),
    ranges: wordsOf(ranges).flatMap((text) => parseNumberRange(text) ?? []),
    networks: wordsOf(networks).map(Number),
    classes: wordsOf(classes).map(Number).filter(isMessageClass),
    accounts: wordsOf(accounts).map(Number),
  };
}
