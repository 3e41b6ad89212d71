/** Imports numbers that must not get messages: stored slice by slice as they are read, and counted from one commit on. */

import type { RecipientNumbers } from "../../domain/phone-number.ts";
import { suppressedNumber } from "../../domain/suppression.ts";
import type { Store } from "../../store/store.ts";
import { readMemberCsv } from "../groups/member-csv.ts";

export interface NumbersImportDeps {
  store: Store;
  clock: { now(): number };
  defaultRegion: string;
  numbers: RecipientNumbers;
}

/** Told of lines, which count from 1, the header's. */
export interface NumbersObserver {
  problem(line: number, message: string): void;
  progress(lines: number, numbers: number): void;
}

export interface NumbersImported {
  added: number;
  /** Numbers that the list had already, or that the file names twice. */
  known: number;
  /** Columns that say nothing to Peyk. */
  ignoredHeaders: readonly string[];
}

/** Numbers in one transaction: one to four milliseconds. */
const sliceNumbers = 500;
/**
 * Numbers that are sorted before they are stored, so that a slice changes few pages: unsorted, at ten million numbers nearly each had
 * a page of its own, and moving them from the log into the database held the event loop for 2.5 s. Sorting takes 10 ms.
 */
const sortedNumbers = 100_000;

/** Read no further: the file is another one. */
const problemsMax = 1_000;

/** Null when anything in the file is wrong; what was stored by then never counts, and `discardImport` removes it. */
export async function importNumbers(
  { store, clock, defaultRegion, numbers }: NumbersImportDeps,
  { accountId, name }: { accountId: number; name: string },
  source: AsyncIterable<Uint8Array>,
  observer: NumbersObserver,
): Promise<NumbersImported | null> {
  const addedAt = clock.now();
  const id = await store.write(({ suppression }) =>
    suppression.begin({ accountId, source: "import", detail: name, addedAt, isPending: 1 }),
  );
  const total = { added: 0, known: 0, problems: 0, ignoredHeaders: [] as readonly string[] };
  let gathered: number[] = [];
  let lines = 0;
  const complain = (line: number, message: string) => {
    total.problems += 1;
    observer.problem(line, message);
  };

  async function writeGathered(): Promise<void> {
    const sorted = new Float64Array(gathered).sort();
    gathered = [];
    for (let from = 0; from < sorted.length; from += sliceNumbers) {
      const slice = sorted.subarray(from, from + sliceNumbers);
      const added = await store.write(
        ({ suppression }) => slice.filter((number) => suppression.put(accountId, number, id)).length,
      );
      total.added += added;
      total.known += slice.length - added;
    }
    observer.progress(lines, total.added + total.known);
  }

  for await (const found of readMemberCsv(source, defaultRegion, numbers)) {
    lines = Math.max(lines, found.line);
    if (found.kind === "problem") complain(found.line, found.message);
    else if (found.kind === "ignored") total.ignoredHeaders = found.headers;
    else {
      const number = suppressedNumber(found.member.recipient);
      if (number === null) complain(found.line, `${found.member.recipient} has too many digits`);
      // Once something is wrong the rest is only read for its problems.
      else if (total.problems === 0) gathered.push(number);
      if (gathered.length >= sortedNumbers) await writeGathered();
    }
    if (total.problems >= problemsMax) break;
  }
  if (lines < 2 && total.problems === 0) complain(1, "the file holds no number");
  if (total.problems > 0) return null;
  await writeGathered();
  await store.write(({ suppression }) => suppression.complete(id));
  return { added: total.added, known: total.known, ignoredHeaders: total.ignoredHeaders };
}

/** Removes the numbers of an import that was not completed, and the import. */
export async function discardImport(store: Store, pending: { id: number; accountId: number }): Promise<void> {
  for (let after: number | null = 0; after !== null; ) {
    const from: number = after;
    after = await store.write(({ suppression }) => suppression.discard(pending, from, sliceNumbers));
  }
}
