/**
 * Quotas and their usage. They are held in memory and checked at every acceptance; a commit's usage is written once per
 * quota, so memory never runs ahead of the disk.
 */
import type { Database } from "bun:sqlite";
import { columnsOf, insertInto } from "./columns.ts";
import type { GatheredWrites } from "./group-transaction.ts";
import { type HeldValue, HeldValues } from "./held-values.ts";
import { quota, type quotaPeriods, type quotaSubjects } from "./schema.ts";

export type QuotaRow = Readonly<typeof quota.$inferSelect>;
export type QuotaSubjectKind = (typeof quotaSubjects)[number];
export type QuotaPeriod = (typeof quotaPeriods)[number];

/** The owner of a quota. */
export interface QuotaSubject {
  subject: QuotaSubjectKind;
  subjectId: number;
}

/** In parts; null lifts the quota, and an omitted one stays as it is. */
export type QuotaLimits = { readonly [Period in QuotaPeriod]?: number | null | undefined };

/** Called after a commit for each quota that it used. */
export type QuotaListener = (before: QuotaRow, after: QuotaRow) => void;

/** A quota with its count as seen by the current transaction; outside one, as stored on disk. */
export interface CountedQuota {
  /** As stored on disk. */
  readonly row: QuotaRow;
  readonly startsAt: number;
  readonly partsUsed: number;
}

type Usage = Pick<QuotaRow, "startsAt" | "partsUsed">;

class QuotaState implements CountedQuota, HeldValue<Usage> {
  row: QuotaRow;
  stored: Usage;
  kept: Usage;
  present: Usage;
  /** Quotas were changed, and another object has replaced this one. */
  isReplaced = false;

  constructor(row: QuotaRow) {
    this.row = row;
    this.stored = this.kept = this.present = row;
  }

  get startsAt(): number {
    return this.present.startsAt;
  }

  get partsUsed(): number {
    return this.present.partsUsed;
  }
}

const prepare = (database: Database) => ({
  all: database.prepare<QuotaRow, []>(`SELECT ${columnsOf(quota)} FROM quota ORDER BY subject, subject_id, period`),
  set: database.prepare(
    `${insertInto(quota, "subject", "subjectId", "period", "partsMax", "startsAt", "partsUsed")}
     ON CONFLICT DO UPDATE SET parts_max = excluded.parts_max`,
  ),
  remove: database.prepare("DELETE FROM quota WHERE subject = ? AND subject_id = ? AND period = ?"),
  use: database.prepare(
    "UPDATE quota SET starts_at = ?4, parts_used = ?5 WHERE subject = ?1 AND subject_id = ?2 AND period = ?3",
  ),
});

type StatesBySubject = Readonly<Record<QuotaSubjectKind, ReadonlyMap<number, QuotaState[]>>>;

const noQuotas: readonly CountedQuota[] = [];

export class QuotaTable implements GatheredWrites {
  readonly #sql: ReturnType<typeof prepare>;
  readonly #listeners: QuotaListener[] = [];
  #states: StatesBySubject;
  readonly #held = new HeldValues<QuotaState>();
  /** The current transaction sets or lifts a quota. */
  #isChanged = false;
  /** Replaces the whole state when such a transaction commits. */
  #next: StatesBySubject | null = null;

  constructor(database: Database) {
    this.#sql = prepare(database);
    this.#states = this.#read();
  }

  /** Sorted by subject and period. */
  all(): QuotaRow[] {
    const { account, key } = this.#states;
    return [...account.values(), ...key.values()].flat().map(({ row }) => row);
  }

  of(subject: QuotaSubjectKind, subjectId: number): readonly CountedQuota[] {
    return this.#states[subject].get(subjectId) ?? noQuotas;
  }

  /** Adds `parts` to the usage of the period that begins at `startsAt`. Writes. */
  use(counted: CountedQuota, startsAt: number, parts: number): void {
    if (!(counted instanceof QuotaState) || counted.isReplaced) {
      throw new Error(`The quota of ${counted.row.subject} ${counted.row.subjectId} is not the present one`);
    }
    counted.present = { startsAt, partsUsed: usedIn(counted, startsAt) + parts };
    this.#held.add(counted);
  }

  /** Usage so far stays counted; a new quota starts from zero. Writes. */
  set(subject: QuotaSubject, { day, month }: QuotaLimits): void {
    if (day !== undefined) this.#set(subject, "day", day);
    if (month !== undefined) this.#set(subject, "month", month);
  }

  #set({ subject, subjectId }: QuotaSubject, period: QuotaPeriod, partsMax: number | null): void {
    this.#isChanged = true;
    if (partsMax === null) this.#sql.remove.run(subject, subjectId, period);
    else this.#sql.set.run(subject, subjectId, period, partsMax, 0, 0);
  }

  /** Registers `listener`, which must not write. */
  onUsed(listener: QuotaListener): void {
    this.#listeners.push(listener);
  }

  reset(): void {
    this.#held.reset();
    this.#isChanged = false;
    this.#next = null;
  }

  flush(): void {
    for (const { row, startsAt, partsUsed } of this.#held.changed) {
      this.#sql.use.run(row.subject, row.subjectId, row.period, startsAt, partsUsed);
    }
    if (this.#isChanged) this.#next = this.#read();
  }

  keep(): void {
    this.#held.keep();
  }

  /** If quotas were set, they are read again before COMMIT. */
  undo(): void {
    this.#held.undo();
  }

  committed(): void {
    for (const state of this.#held.all) {
      const before = state.row;
      state.row = { ...before, ...state.present };
      for (const listener of this.#listeners) listener(before, state.row);
    }
    this.#held.committed();
    if (this.#next !== null) {
      for (const states of [...this.#states.account.values(), ...this.#states.key.values()]) {
        for (const state of states) state.isReplaced = true;
      }
      this.#states = this.#next;
    }
    this.#isChanged = false;
    this.#next = null;
  }

  #read(): StatesBySubject {
    const rows = this.#sql.all.all();
    const statesOf = (subject: QuotaSubjectKind) => {
      const states = rows.filter((row) => row.subject === subject).map((row) => new QuotaState(row));
      return Map.groupBy(states, ({ row }) => row.subjectId);
    };
    return { account: statesOf("account"), key: statesOf("key") };
  }
}

/** Usage in the period that begins at `startsAt`: zero if another period was counted last. */
export const usedIn = (counted: Pick<QuotaRow, "startsAt" | "partsUsed">, startsAt: number): number =>
  counted.startsAt === startsAt ? counted.partsUsed : 0;
