/**
 * Quotas and what is used of them. They are held in memory, asked at every acceptance, and what the writes of a commit use is
 * written once for each: the memory never knows more than the disk.
 */
import type { Database } from "bun:sqlite";
import { columnsOf, insertInto } from "./columns.ts";
import type { GatheredWrites } from "./group-commit.ts";
import { quota, type quotaPeriods, type quotaSubjects } from "./schema.ts";

export type QuotaRow = Readonly<typeof quota.$inferSelect>;
export type QuotaSubjectKind = (typeof quotaSubjects)[number];
export type QuotaPeriod = (typeof quotaPeriods)[number];

/** Whose quotas. */
export interface QuotaSubject {
  subject: QuotaSubjectKind;
  subjectId: number;
}

/** Told after a commit of each quota that it used something of. */
export type QuotaListener = (before: QuotaRow, after: QuotaRow) => void;

const nameOf = ({ subject, subjectId }: QuotaSubject) => `${subject} ${subjectId}`;

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

/** A quota as it stands on disk, and as the present transaction has it. */
interface QuotaState {
  stored: QuotaRow;
  present: QuotaRow;
}

export class QuotaTable implements GatheredWrites {
  readonly #sql: ReturnType<typeof prepare>;
  readonly #listeners: QuotaListener[] = [];
  #bySubject: Map<string, QuotaState[]>;
  #used: QuotaState[] = [];
  /** The present transaction sets or lifts a quota. */
  #isChanged = false;
  /** What takes the place of the whole at the commit of such a transaction. */
  #next: Map<string, QuotaState[]> | null = null;

  constructor(database: Database) {
    this.#sql = prepare(database);
    this.#bySubject = this.#read();
  }

  all(): QuotaRow[] {
    return [...this.#bySubject.values()].flat().map(({ stored }) => stored);
  }

  /** Those of a subject as the present transaction has them; outside of one, as they stand on disk. */
  of(subject: QuotaSubjectKind, subjectId: number): readonly QuotaRow[] {
    if (this.#bySubject.size === 0) return [];
    return this.#bySubject.get(nameOf({ subject, subjectId }))?.map(({ present }) => present) ?? [];
  }

  /** `parts` more are used in the period that begins at `startsAt`. Writes. */
  use(row: QuotaRow, startsAt: number, parts: number): void {
    const state = this.#bySubject.get(nameOf(row))?.find(({ present }) => present === row);
    if (state === undefined) throw new Error(`The ${row.period} quota of ${nameOf(row)} is not the present one`);
    if (state.present === state.stored) this.#used.push(state);
    state.present = { ...row, startsAt, partsUsed: usedIn(row, startsAt) + parts };
  }

  /** A limit that is null lifts the quota. What is used already stays counted; a new quota counts from now on. Writes. */
  set({ subject, subjectId }: QuotaSubject, period: QuotaPeriod, partsMax: number | null): void {
    this.#isChanged = true;
    if (partsMax === null) this.#sql.remove.run(subject, subjectId, period);
    else this.#sql.set.run(subject, subjectId, period, partsMax, 0, 0);
  }

  /** From now on `listener` is told. It may not write. */
  onUsed(listener: QuotaListener): void {
    this.#listeners.push(listener);
  }

  reset(): void {
    for (const state of this.#used) state.present = state.stored;
    this.#used = [];
    this.#isChanged = false;
    this.#next = null;
  }

  beforeCommit(): void {
    for (const { present } of this.#used) {
      const { subject, subjectId, period, startsAt, partsUsed } = present;
      this.#sql.use.run(subject, subjectId, period, startsAt, partsUsed);
    }
    if (this.#isChanged) this.#next = this.#read();
  }

  committed(): void {
    const used = this.#used;
    this.#used = [];
    for (const state of used) {
      const before = state.stored;
      state.stored = state.present;
      for (const listener of this.#listeners) listener(before, state.stored);
    }
    this.#bySubject = this.#next ?? this.#bySubject;
    this.#isChanged = false;
    this.#next = null;
  }

  #read(): Map<string, QuotaState[]> {
    const states = this.#sql.all.all().map((row) => ({ stored: row, present: row }));
    return Map.groupBy(states, ({ stored }) => nameOf(stored));
  }
}

/** What is used in the period that begins at `startsAt`: nothing where another one was counted last. */
export const usedIn = (row: Pick<QuotaRow, "startsAt" | "partsUsed">, startsAt: number): number =>
  row.startsAt === startsAt ? row.partsUsed : 0;
