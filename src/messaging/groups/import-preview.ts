/** Looks through a file of members or numbers before it is imported: its columns, its first rows, and what is wrong with it. */
import type { ImportLineProblem } from "../../domain/import-problem.ts";
import { type MemberColumn, memberColumnOf } from "../../domain/member-columns.ts";
import { parseMobileNumber, type RecipientNumbers } from "../../domain/phone-number.ts";
import { Slices } from "../../platform/next-turn.ts";
import type { Random } from "../../platform/random.ts";
import { type CsvLayout, firstRecords, readMemberCsv } from "./member-csv.ts";

export interface MemberFilePreview {
  /** What was chosen, or else what the file looks like. */
  layout: CsvLayout;
  /** The first rows as they stand, a header among them. */
  sample: readonly (readonly string[])[];
  /** Numbers, each once. */
  members: number;
  /** Lines that repeat a number of an earlier one. */
  repeated: number;
  problemCount: number;
  /** The first of them. */
  problems: readonly ImportLineProblem[];
}

const sampleRows = 20;
const problemsTold = 100;

export interface ImportPreviewDeps {
  defaultRegion: string;
  numbers: RecipientNumbers;
  random: Pick<Random, "bytes">;
}

/** Stores nothing, and lets other work run in between. `chosen`: null for what the file looks like. Throws what aborts `signal`. */
export async function previewImport(
  { defaultRegion, numbers, random }: ImportPreviewDeps,
  file: Uint8Array,
  chosen: CsvLayout | null,
  signal: AbortSignal,
): Promise<MemberFilePreview> {
  const sample = await firstRecords(file, sampleRows);
  const isNumber = (cell: string) => parseMobileNumber(cell, defaultRegion, numbers) !== null;
  const layout = chosen ?? layoutLike(sample, isNumber);
  const found = new NumberSet(random);
  const problems: ImportLineProblem[] = [];
  const slices = new Slices();
  let [repeated, problemCount] = [0, 0];
  for await (const line of readMemberCsv(oneChunk(file), defaultRegion, numbers, layout)) {
    await slices.pause();
    signal.throwIfAborted();
    if (line.kind === "problem") {
      problemCount += 1;
      if (problems.length < problemsTold) problems.push({ line: line.line, ...line.problem });
    } else if (line.kind === "member") {
      if (!found.add(line.member.recipient)) repeated += 1;
    }
  }
  return { layout, sample, members: found.size, repeated, problemCount, problems };
}

/**
 * Numbers, each once, in many sets: one of a million is written anew as it grows, which holds everybody for a tenth of a second.
 * Which set is another one in each preview, so that nobody chooses numbers that share one.
 */
class NumberSet {
  readonly #sets = Array.from({ length: 61 }, () => new Set<number>());
  readonly #seed: number;
  size = 0;

  constructor(random: Pick<Random, "bytes">) {
    this.#seed = Buffer.from(random.bytes(4)).readUInt32LE();
  }

  /** `number`: E.164. False where it is in it already. */
  add(number: string): boolean {
    const set = this.#sets[Bun.hash.xxHash32(number, this.#seed) % this.#sets.length];
    const digits = Number(number);
    if (set === undefined || set.has(digits)) return false;
    set.add(digits);
    this.size += 1;
    return true;
  }
}

async function* oneChunk(file: Uint8Array): AsyncGenerator<Uint8Array> {
  yield file;
}

/** By the names in the first line; where none is known, the column with the most numbers is the number. */
function layoutLike(sample: readonly (readonly string[])[], isNumber: (cell: string) => boolean): CsvLayout {
  const [first = [], ...others] = sample;
  const named = first.map(memberColumnOf);
  const columns = named.map((column, at) => (named.indexOf(column) === at ? column : null));
  const hasHeader = columns.some((column) => column !== null) || !first.some(isNumber);
  if (columns.includes("mobile")) return { columns, hasHeader };
  const rows = hasHeader ? others : sample;
  const numbersIn = (at: number) => rows.filter((cells) => cells.length > at && isNumber(cells[at] ?? "")).length;
  const free = columns.flatMap((column, at) => (column === null ? [{ at, numbers: numbersIn(at) }] : []));
  const best = free.filter(({ numbers }) => numbers > 0).toSorted((a, b) => b.numbers - a.numbers)[0]?.at;
  const mobile: MemberColumn = "mobile";
  return { columns: columns.map((column, at) => (at === best ? mobile : column)), hasHeader };
}
