/**
 * Imports numbers that must not receive messages: stored slice by slice as they are read, effective from a single
 * commit on.
 */

import { type ImportProblem, importProblemOf } from "../../domain/import-problem.ts";
import type { RecipientNumbers } from "../../domain/phone-number.ts";
import { suppressedNumber } from "../../domain/suppression.ts";
import { mergeSorted } from "../../platform/merge-sorted.ts";
import { nextTurn } from "../../platform/next-turn.ts";
import type { Store } from "../../store/store.ts";
import { readMemberCsv } from "../groups/member-csv.ts";
import { type FileReading, WrongLines } from "../groups/wrong-lines.ts";

export interface NumbersImportDeps {
  store: Store;
  clock: { now(): number };
  defaultRegion: string;
  numbers: RecipientNumbers;
}

export interface NumbersFile extends FileReading {
  /** The account that owns the list, or `everyAccount`. */
  accountId: number;
  /** The name of the file. */
  name: string;
}

/** Called for lines, which count from 1, the header. */
export interface NumbersObserver {
  problem(line: number, problem: ImportProblem): void;
  progress(lines: number, numbers: number): void;
}

export interface NumbersImported {
  added: number;
  /** Numbers that were already on the list, or that the file repeats. */
  known: number;
  /** Wrong lines that were left out. */
  leftOut: number;
  /** Columns that Peyk does not use. */
  ignoredHeaders: readonly string[];
}

/** Numbers per transaction: one to four milliseconds. */
const sliceNumbers = 500;
/** Numbers sorted per turn of the event loop: ten milliseconds. */
const runNumbers = 100_000;
/** Numbers merged per turn: three milliseconds. */
const mergedNumbers = 10_000;
/**
 * Numbers are sorted in batches of this size before they are stored, so that they fill page after page: with 100,000 at
 * a time, at ten million nearly every number had a page of its own, and the pages were written fifty times. A batch
 * takes 32 MB of memory.
 */
const sortedNumbers = 4_000_000;

/** Reading stops here: it is probably the wrong file. */
const problemsMax = 1_000;

/**
 * Null if the file has more wrong lines than may be left out; what was stored by then never takes effect, and `discardImport` removes it.
 */
export async function importNumbers(
  { store, clock, defaultRegion, numbers }: NumbersImportDeps,
  { accountId, name, layout, leaveOutMax }: NumbersFile,
  source: AsyncIterable<Uint8Array>,
  observer: NumbersObserver,
): Promise<NumbersImported | null> {
  const addedAt = clock.now();
  const id = await store.write(({ suppression }) =>
    suppression.begin({ accountId, source: "import", detail: name, addedAt, isPending: 1 }),
  );
  const total = { added: 0, known: 0, ignoredHeaders: [] as readonly string[] };
  const gathered = new NumberRuns();
  let lines = 0;
  const wrong = new WrongLines({ leaveOutMax }, observer);

  async function writeGathered(): Promise<void> {
    for (const merged of gathered.takeMerged()) {
      for (let from = 0; from < merged.length; from += sliceNumbers) {
        const slice = merged.slice(from, from + sliceNumbers);
        const added = await store.write(
          ({ suppression }) => slice.filter((number) => suppression.put(accountId, number, id)).length,
        );
        total.added += added;
        total.known += slice.length - added;
      }
      observer.progress(lines, total.added + total.known);
    }
  }

  for await (const found of readMemberCsv(source, defaultRegion, numbers, layout)) {
    lines = Math.max(lines, found.line);
    if (found.kind === "problem") wrong.add(found);
    else if (found.kind === "ignored") total.ignoredHeaders = found.headers;
    else {
      const number = suppressedNumber(found.member.recipient);
      if (number === null) {
        const problem = importProblemOf("too_many_digits", { number: found.member.recipient });
        wrong.add({ line: found.line, problem, stops: false });
      } else if (!wrong.stopsImport && gathered.add(number)) {
        observer.progress(lines, total.added + total.known);
        await nextTurn();
      }
      if (gathered.count >= sortedNumbers) await writeGathered();
    }
    if (wrong.count >= Math.max(problemsMax, leaveOutMax + 1)) break;
  }
  if (!wrong.stopsImport && total.added + total.known + gathered.count === 0) {
    wrong.add({ line: 1, problem: importProblemOf("no_numbers", {}), stops: true });
  }
  if (wrong.stopsImport) return null;
  await writeGathered();
  await store.write(({ suppression }) => suppression.complete(id));
  return { added: total.added, known: total.known, leftOut: wrong.count, ignoredHeaders: total.ignoredHeaders };
}

/** Numbers in runs that are sorted one at a time. */
class NumberRuns {
  count = 0;
  #sorted: Float64Array[] = [];
  #open: number[] = [];

  /** True if a run was filled and sorted. */
  add(number: number): boolean {
    this.count += 1;
    this.#open.push(number);
    if (this.#open.length < runNumbers) return false;
    this.#close();
    return true;
  }

  /** All of them in order, slice by slice; numbers added later are not included. */
  *takeMerged(): Generator<number[]> {
    this.#close();
    const runs = this.#sorted;
    this.#sorted = [];
    this.count = 0;
    let slice: number[] = [];
    for (const number of mergeSorted(runs, (a, b) => a - b)) {
      slice.push(number);
      if (slice.length < mergedNumbers) continue;
      yield slice;
      slice = [];
    }
    yield slice;
  }

  #close(): void {
    this.#sorted.push(new Float64Array(this.#open).sort());
    this.#open = [];
  }
}

/** Removes the numbers of an import that was not completed, and the import. */
export async function discardImport(store: Store, pending: { id: number; accountId: number }): Promise<void> {
  for (let after: number | null = 0; after !== null; ) {
    const from: number = after;
    after = await store.write(({ suppression }) => suppression.discard(pending, from, sliceNumbers));
  }
}
