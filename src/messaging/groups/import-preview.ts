/** Examines a file of members or numbers before it is imported: its columns, its first rows and its problems. */
import { type ImportLineProblem, leftOutLinesMax } from "../../domain/import-problem.ts";
import { type MemberColumn, memberColumnOf } from "../../domain/member-columns.ts";
import { parseMobileNumber, type RecipientNumbers } from "../../domain/phone-number.ts";
import { Slices } from "../../platform/next-turn.ts";
import type { Random } from "../../platform/random.ts";
import { type CsvLayout, firstRecords, readMemberCsv } from "./member-csv.ts";

export interface MemberFilePreview {
  /** The chosen layout, or else the detected one. */
  layout: CsvLayout;
  /** The first rows unchanged, including any header. */
  sample: readonly (readonly string[])[];
  /** Distinct numbers. */
  members: number;
  /** Lines that repeat an earlier number. */
  repeated: number;
  problemCount: number;
  /** An import can go on without the wrong lines: each concerns only itself, and there are not too many. */
  canLeaveOut: boolean;
  /** The first problems. */
  problems: readonly ImportLineProblem[];
}

const sampleRows = 20;
const problemsTold = 100;

export interface ImportPreviewDeps {
  defaultRegion: string;
  numbers: RecipientNumbers;
  random: Pick<Random, "bytes">;
}

/**
 * Stores nothing, and yields to other work. `chosen`: null to detect the layout. Throws the reason when `signal`
 * aborts.
 */
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
  let stops = false;
  for await (const line of readMemberCsv(oneChunk(file), defaultRegion, numbers, layout)) {
    await slices.pause();
    signal.throwIfAborted();
    if (line.kind === "problem") {
      problemCount += 1;
      stops ||= line.stops;
      if (problems.length < problemsTold) problems.push({ line: line.line, ...line.problem });
    } else if (line.kind === "member") {
      if (!found.add(line.member.recipient)) repeated += 1;
    }
  }
  const canLeaveOut = !stops && problemCount > 0 && problemCount <= leftOutLinesMax && found.size > 0;
  return { layout, sample, members: found.size, repeated, problemCount, canLeaveOut, problems };
}

/**
 * A set of numbers, split into many: a single set of a million blocks everything for a tenth of a second when it grows.
 * How numbers are assigned differs per preview, so that nobody can choose numbers that share a set.
 */
class NumberSet {
  readonly #sets = Array.from({ length: 61 }, () => new Set<number>());
  readonly #seed: number;
  size = 0;

  constructor(random: Pick<Random, "bytes">) {
    this.#seed = Buffer.from(random.bytes(4)).readUInt32LE();
  }

  /** `number`: E.164. False if already present. */
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

/** Uses the names in the first line; if none is known, the column with the most phone numbers. */
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
