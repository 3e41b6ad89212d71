/**
 * Routing plans with their rules and targets. Removal is final: messages waiting for a removed target are routed again.
 */

import type { Database } from "bun:sqlite";
import { asc, eq, inArray } from "drizzle-orm";
import { isMessageClass } from "../domain/message.ts";
import type { OwnedRange } from "../domain/network-ranges.ts";
import { parseNumberRange, rangeText } from "../domain/number-range.ts";
import type { RuleMatch } from "../domain/routing-rule.ts";
import { AppendedRows } from "./appended-rows.ts";
import { columnsOf, insertInto, insertRowsInto, type RowOf } from "./columns.ts";
import type { Drizzle } from "./drizzle.ts";
import {
  network,
  networkRange,
  numberLookup,
  plan,
  planRule,
  planTarget,
  planTargetRoute,
  portedTable,
} from "./schema.ts";

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
  /** The first rule that matches a message decides. */
  readonly rules: readonly PlanRuleRow[];
}

/** Across all its rules; a route may occur more than once. */
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

  /** By name. */
  all(): PlanRow[] {
    const rules = Map.groupBy(this.#rules(), ({ planId }) => planId);
    const rows = this.#drizzle.select().from(plan).orderBy(plan.name).all();
    return rows.map((row) => ({ ...row, rules: (rules.get(row.id) ?? []).map(({ rule }) => rule) }));
  }

  byId(id: number): PlanRow | null {
    return this.all().find((row) => row.id === id) ?? null;
  }

  byName(name: string): PlanRow | null {
    return this.all().find((row) => row.name === name) ?? null;
  }

  insert(name: string, createdAt: number): PlanRow {
    return { ...this.#drizzle.insert(plan).values({ name, createdAt }).returning().get(), rules: [] };
  }

  remove({ id, rules }: PlanRow): void {
    for (const rule of rules) this.removeRule(rule);
    this.#drizzle.delete(plan).where(eq(plan.id, id)).run();
  }

  /** `rules`: the plan's current rules; the new one is inserted before the rule at `index`. */
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

  /** Rules of all plans, in order. */
  #rules(): { planId: number; rule: PlanRuleRow }[] {
    const targets = Map.groupBy(this.#targets(), ({ ruleId }) => ruleId);
    const rows = this.#drizzle.select().from(planRule).orderBy(asc(planRule.position)).all();
    return rows.map((row) => ({
      planId: row.planId,
      rule: { id: row.id, match: matchOf(row), targets: (targets.get(row.id) ?? []).map(({ target }) => target) },
    }));
  }

  /** Targets of all rules, in order. */
  #targets(): { ruleId: number; target: PlanTargetRow }[] {
    const orderedRoutes = this.#drizzle.select().from(planTargetRoute).orderBy(asc(planTargetRoute.position)).all();
    const routes = Map.groupBy(orderedRoutes, ({ targetId }) => targetId);
    const rows = this.#drizzle.select().from(planTarget).orderBy(asc(planTarget.position)).all();
    return rows.map(({ id, ruleId, weight }) => ({
      ruleId,
      target: { id, weight, routeIds: (routes.get(id) ?? []).map(({ routeId }) => routeId) },
    }));
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

const networkColumns = columnsOf(network);

type NetworkRow = RowOf<typeof networkColumns>;

const portedColumns = columnsOf(portedTable, "sum", "numbers", "importedAt");

type PortedRow = RowOf<typeof portedColumns>;

/** `asked`: questions on that day; days since the epoch, UTC. */
interface LookupRow {
  sealed: Uint8Array;
  day: number;
  asked: number;
}

const prepare = (database: Database) => ({
  all: database.prepare<NetworkRow, []>(`SELECT ${networkColumns} FROM network ORDER BY id`),
  // The column compares case-insensitively.
  byName: database.prepare<NetworkRow, [string]>(`SELECT ${networkColumns} FROM network WHERE name = ?`),
  ranges: database.prepare<OwnedRange, []>(`SELECT ${columnsOf(networkRange)} FROM network_range ORDER BY first`),
  removeRanges: database.prepare("DELETE FROM network_range WHERE network_id = ?"),
  ported: database.prepare<PortedRow, []>(`SELECT ${portedColumns} FROM ported_table`),
  setPorted: database.prepare(insertInto(portedTable, "only", "sum", "numbers", "importedAt")),
  lookup: database.prepare<LookupRow, []>("SELECT sealed, day, asked FROM number_lookup"),
  setLookup: database.prepare(insertInto(numberLookup, "only", "sealed", "day", "asked")),
  removeLookup: database.prepare("DELETE FROM number_lookup"),
  countLookups: database.prepare("UPDATE number_lookup SET day = ?, asked = ?"),
  removePorted: database.prepare("DELETE FROM ported_table"),
});

/** Networks and number ranges that the operator added. */
export class NetworkTable {
  readonly #sql: ReturnType<typeof prepare>;

  constructor(private readonly database: Database) {
    this.#sql = prepare(database);
  }

  all(): NetworkRow[] {
    return this.#sql.all.all();
  }

  /** Sorted by number. */
  ranges(): OwnedRange[] {
    return this.#sql.ranges.all();
  }

  /** Case-insensitive. */
  byName(name: string): NetworkRow | null {
    return this.#sql.byName.get(name);
  }

  /** Names that are not stored yet. */
  insert(names: Iterable<string>): void {
    const rows = new AppendedRows(this.database, 1, (count) => insertRowsInto(network, ["name"], count));
    for (const name of names) rows.add([name]);
    rows.flush();
  }

  insertRanges(ranges: readonly OwnedRange[]): void {
    const rows = new AppendedRows(this.database, 3, (count) =>
      insertRowsInto(networkRange, ["first", "last", "networkId"], count),
    );
    for (const { first, last, networkId } of ranges) rows.add([first, last, networkId]);
    rows.flush();
  }

  /** The network stays: messages and figures refer to it. */
  removeRanges(networkId: number): void {
    this.#sql.removeRanges.run(networkId);
  }

  /** The table of ported numbers, by the sum of its file; null if there is none. */
  ported(): PortedRow | null {
    return this.#sql.ported.get();
  }

  /** Whom the networks of numbers are asked of; null for nobody. */
  lookup(): LookupRow | null {
    return this.#sql.lookup.get();
  }

  setLookup(row: LookupRow | null): void {
    this.#sql.removeLookup.run();
    if (row !== null) this.#sql.setLookup.run(1, row.sealed, row.day, row.asked);
  }

  countLookups(day: number, asked: number): void {
    this.#sql.countLookups.run(day, asked);
  }

  setPorted(row: PortedRow | null): void {
    this.#sql.removePorted.run();
    if (row !== null) this.#sql.setPorted.run(1, row.sum, row.numbers, row.importedAt);
  }
}
