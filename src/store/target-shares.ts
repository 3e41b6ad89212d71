/**
 * Shares the messages of a rule among its targets by weight. The transaction that accepts a message counts it, so that
 * the shares stay exact despite refused requests, restarts and crashes; a commit's changes are written once per target.
 */
import type { Database } from "bun:sqlite";
import { WeightedShares } from "../domain/weighted-shares.ts";
import { columnsOf, type RowOf } from "./columns.ts";
import type { GatheredWrites } from "./group-transaction.ts";
import { type HeldValue, HeldValues } from "./held-values.ts";
import type { NewMessage } from "./messages.ts";
import { planTarget } from "./schema.ts";

const targetColumns = columnsOf(planTarget, "id", "weight", "lacks");

const prepare = (database: Database) => ({
  ofRule: database.prepare<RowOf<typeof targetColumns>, [number]>(
    `SELECT ${targetColumns} FROM plan_target
     WHERE rule_id = (SELECT rule_id FROM plan_target WHERE id = ?) ORDER BY position`,
  ),
  // 1.5 µs a target; a single UPDATE … FROM for all took 8 to 18.
  write: database.prepare("UPDATE plan_target SET lacks = ? WHERE id = ?"),
});

/** A rule with several targets. */
interface SharedRule extends HeldValue<WeightedShares> {
  readonly targetIds: readonly number[];
}

export class TargetShareTable implements GatheredWrites {
  readonly #sql: ReturnType<typeof prepare>;
  /** Keyed by target id, which is never reused; null for a target that is the only one of its rule. */
  readonly #rules = new Map<number, SharedRule | null>();
  readonly #held = new HeldValues<SharedRule>();

  constructor(database: Database) {
    this.#sql = prepare(database);
  }

  /** The target whose turn it is, among those of the same rule. */
  next(targetId: number, parts: number): number {
    const rule = this.#ruleOf(targetId);
    return rule === null ? targetId : nextIn(rule, rule.present, parts);
  }

  /** The current transaction gives the target this many parts. */
  count(targetId: number, parts: number): void {
    const rule = this.#ruleOf(targetId);
    if (rule !== null) this.#changing(rule).count(rule.targetIds.indexOf(targetId), parts);
  }

  /** Assigns a message being accepted to the target whose turn it is. */
  take(row: NewMessage): void {
    const { targetId = 0, partCount } = row;
    if (targetId <= 0) return;
    row.targetId = this.next(targetId, partCount);
    this.count(row.targetId, partCount);
  }

  /** For messages that are stored before they are accepted. */
  beginRun(): RunShares {
    return new RunShares((targetId) => this.#ruleOf(targetId));
  }

  /** This transaction accepts the messages of a run. */
  acceptedRun(run: RunShares): void {
    for (const [targetId, parts] of run.given) this.count(targetId, parts);
  }

  reset(): void {
    this.#held.reset();
  }

  flush(): void {
    for (const { targetIds, present } of this.#held.changed) {
      for (const [index, id] of targetIds.entries()) this.#sql.write.run(present.lacks[index] ?? 0, id);
    }
  }

  keep(): void {
    this.#held.keep();
  }

  undo(): void {
    this.#held.undo();
  }

  committed(): void {
    this.#held.committed();
  }

  /** The shares that the current write may count in. */
  #changing(rule: SharedRule): WeightedShares {
    if (!this.#held.changed.has(rule)) {
      rule.present = rule.present.copy();
      this.#held.add(rule);
    }
    return rule.present;
  }

  #ruleOf(targetId: number): SharedRule | null {
    const known = this.#rules.get(targetId);
    if (known !== undefined || targetId <= 0) return known ?? null;
    const targets = this.#sql.ofRule.all(targetId);
    const weights = targets.map(({ weight }) => weight);
    const lacks = targets.map((target) => target.lacks);
    const targetIds = targets.map(({ id }) => id);
    const stored = new WeightedShares(weights, lacks);
    const rule = targets.length < 2 ? null : { targetIds, stored, kept: stored, present: stored };
    for (const id of rule?.targetIds ?? [targetId]) this.#rules.set(id, rule);
    return rule;
  }
}

/**
 * The shares within a run of messages: starts from what the targets lacked at that time, and counts as a whole or not
 * at all.
 */
export class RunShares {
  readonly #ruleOf: (targetId: number) => SharedRule | null;
  readonly #shares = new Map<SharedRule, WeightedShares>();
  /** Parts by target. */
  readonly given = new Map<number, number>();

  constructor(ruleOf: (targetId: number) => SharedRule | null) {
    this.#ruleOf = ruleOf;
  }

  take(row: NewMessage): void {
    const { targetId = 0, partCount } = row;
    const rule = this.#ruleOf(targetId);
    if (rule === null) return;
    const shares = this.#shares.get(rule) ?? rule.stored.copy();
    this.#shares.set(rule, shares);
    const index = shares.take(partCount);
    const taken = rule.targetIds[index] ?? targetId;
    row.targetId = taken;
    this.given.set(taken, (this.given.get(taken) ?? 0) + partCount);
  }
}

const nextIn = ({ targetIds }: Pick<SharedRule, "targetIds">, shares: WeightedShares, parts: number): number =>
  targetIds[shares.next(parts)] ?? 0;
