/**
 * Figures: the transaction that changes a message also counts it in one row of `rollup`. A commit's changes are
 * accumulated and written once per row. Messages of a test key are not counted.
 */
import type { Database } from "bun:sqlite";
import type { PublicStatus } from "../domain/message.ts";
import { publicStatusOf } from "../domain/status.ts";
import { columnsOf, insertInto } from "./columns.ts";
import type { GatheredWrites } from "./group-transaction.ts";
import type { HiddenRuns } from "./hidden-runs.ts";
import { type Countable, RollupCounts } from "./rollup-counts.ts";
import { message, rollup, rollupState } from "./schema.ts";

export type CountedMessage = Countable & Pick<typeof message.$inferSelect, "id" | "isTest">;

const countedColumns = columnsOf(
  message,
  "id",
  "accountId",
  "senderId",
  "routeId",
  "class",
  "network",
  "state",
  "errorCode",
  "partCount",
  "submittedAt",
  "sendAt",
  "finalAt",
  "isTest",
);

type FillState = Omit<typeof rollupState.$inferSelect, "only" | "removedTo">;

/** Time span that one transaction checks for rows without messages. */
const trimmedMs = 3_600_000;

const prepare = (database: Database) => ({
  add: database.prepare(
    `${insertInto(
      rollup,
      "slotAt",
      "accountId",
      "senderId",
      "routeId",
      "class",
      "network",
      "status",
      "errorCode",
      "deliveryTime",
      "messages",
      "parts",
    )} ON CONFLICT DO UPDATE SET messages = messages + excluded.messages, parts = parts + excluded.parts`,
  ),
  state: database.prepare<FillState, []>(
    `SELECT ${columnsOf(rollupState, "filledTo", "fillEnd", "trimmedTo")} FROM rollup_state`,
  ),
  uncounted: database.prepare<CountedMessage, [number, number, number]>(
    `SELECT ${countedColumns} FROM message WHERE id > ? AND id <= ? ORDER BY id LIMIT ?`,
  ),
  setFilledTo: database.prepare("UPDATE rollup_state SET filled_to = ?"),
  nextSlot: database.prepare<{ slotAt: number | null }, [number]>(
    "SELECT min(slot_at) AS slotAt FROM rollup WHERE slot_at >= ?",
  ),
  removeSlot: database.prepare("DELETE FROM rollup WHERE slot_at = ?"),
  setRemovedTo: database.prepare("UPDATE rollup_state SET removed_to = max(removed_to, ?)"),
  removeEmpty: database.prepare("DELETE FROM rollup WHERE slot_at >= ? AND slot_at < ? AND messages = 0"),
  setTrimmedTo: database.prepare("UPDATE rollup_state SET trimmed_to = ?"),
});

/** Growth of each outcome since startup; `sent` falls again as receipts arrive. */
export interface OutcomeCounts {
  delivered: number;
  sent: number;
  cancelled: number;
  failed: number;
}

export const outcomeNames = ["delivered", "sent", "cancelled", "failed"] as const satisfies (keyof OutcomeCounts)[];
export const noOutcomes: Readonly<OutcomeCounts> = { delivered: 0, sent: 0, cancelled: 0, failed: 0 };
const isOutcome = (status: PublicStatus): status is keyof OutcomeCounts => status in noOutcomes;

export class RollupTable implements GatheredWrites {
  readonly #sql: ReturnType<typeof prepare>;
  readonly #hidden: HiddenRuns;
  readonly #gathered = new RollupCounts();
  /** As stored on disk, as of the last write that stays, and as seen by the current transaction. */
  #stored: FillState;
  #kept: FillState;
  #state: FillState;
  readonly #outcomes: OutcomeCounts = { ...noOutcomes };
  /** For the current transaction, and of its writes that stay. */
  readonly #newOutcomes: OutcomeCounts = { ...noOutcomes };
  readonly #keptOutcomes: OutcomeCounts = { ...noOutcomes };

  constructor(database: Database, hidden: HiddenRuns) {
    this.#sql = prepare(database);
    this.#hidden = hidden;
    const state = this.#sql.state.get();
    if (state === null) throw new Error("The state of the rollups has no row");
    this.#stored = state;
    this.#kept = state;
    this.#state = state;
  }

  /** A message was accepted. */
  accepted(row: Parameters<RollupCounts["addAccepted"]>[0]): void {
    this.#gathered.addAccepted(row);
  }

  /** This transaction accepts a run of messages; they were counted slice by slice as they were stored. */
  acceptedRun(counts: RollupCounts): void {
    this.#write(counts);
  }

  /** A message changed. */
  moved(before: CountedMessage, after: CountedMessage): void {
    if (after.isTest !== 0 || !this.#isCounted(after.id)) return;
    const from = publicStatusOf(before.state);
    const to = publicStatusOf(after.state);
    if (before.routeId === after.routeId && from === to) return;
    this.#gathered.add(before, -1);
    this.#gathered.add(after);
    if (isOutcome(from)) this.#newOutcomes[from] -= 1;
    if (isOutcome(to)) this.#newOutcomes[to] += 1;
  }

  /** Outcomes since startup: kept only in memory, for figures of the current hour. */
  outcomes(): OutcomeCounts {
    return { ...this.#outcomes };
  }

  /** Counts the next `limit` messages that are older than `rollup`; false once all are counted. */
  fill(limit: number): boolean {
    const { filledTo, fillEnd } = this.#state;
    if (filledTo >= fillEnd) return false;
    const rows = this.#sql.uncounted.all(filledTo, fillEnd, limit);
    for (const row of rows) if (row.isTest === 0 && !this.#hidden.has(row.id)) this.#gathered.add(row);
    const next = rows.length < limit ? fillEnd : (rows.at(-1)?.id ?? fillEnd);
    this.#sql.setFilledTo.run(next);
    this.#state = { ...this.#state, filledTo: next };
    return next < fillEnd;
  }

  /** From 0 to 1: the share of messages older than `rollup` that are counted. Below 1, none of them may be removed. */
  filledShare(): number {
    const { filledTo, fillEnd } = this.#stored;
    return filledTo >= fillEnd ? 1 : filledTo / fillEnd;
  }

  /** Removes the oldest slot if it begins before `before`; false if there is none. */
  removeSlot(before: number): boolean {
    const slotAt = this.#sql.nextSlot.get(0)?.slotAt ?? before;
    if (slotAt >= before) return false;
    this.#sql.removeSlot.run(slotAt);
    this.#sql.setRemovedTo.run(slotAt + 1);
    return true;
  }

  /**
   * Removes rows that no message is counted in any more, in the next hour of slots before `before`; false once there
   * are no more slots.
   */
  trim(before: number): boolean {
    const from = this.#sql.nextSlot.get(this.#state.trimmedTo)?.slotAt ?? before;
    if (from >= before) return false;
    const to = Math.min(from + trimmedMs, before);
    this.#sql.removeEmpty.run(from, to);
    this.#sql.setTrimmedTo.run(to);
    this.#state = { ...this.#state, trimmedTo: to };
    return to < before;
  }

  reset(): void {
    Object.assign(this.#keptOutcomes, noOutcomes);
    this.#kept = this.#stored;
    this.undo();
  }

  flush(): void {
    this.#write(this.#gathered);
    this.#gathered.clear();
  }

  keep(): void {
    Object.assign(this.#keptOutcomes, this.#newOutcomes);
    this.#kept = this.#state;
  }

  undo(): void {
    this.#gathered.clear();
    Object.assign(this.#newOutcomes, this.#keptOutcomes);
    this.#state = this.#kept;
  }

  committed(): void {
    for (const outcome of outcomeNames) this.#outcomes[outcome] += this.#newOutcomes[outcome];
    this.#stored = this.#state;
  }

  /** A message older than `rollup` that `fill` has not reached is left to it, to be counted in its state by then. */
  #isCounted(id: number): boolean {
    return id <= this.#state.filledTo || id > this.#state.fillEnd;
  }

  #write(counts: RollupCounts): void {
    for (const row of counts.rows()) {
      this.#sql.add.run(
        row.slotAt,
        row.accountId,
        row.senderId,
        row.routeId,
        row.class,
        row.network,
        row.status,
        row.errorCode,
        row.deliveryTime,
        row.messages,
        row.parts,
      );
    }
  }
}
