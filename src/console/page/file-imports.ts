/**
 * Running imports of members and numbers: they continue when their page is closed, and the user who started them can
 * see them for another hour.
 */
import { csvLine } from "../../domain/csv.ts";
import { type ImportProblem, leftOutLinesMax } from "../../domain/import-problem.ts";
import { operatorErrors } from "../../domain/operator-error.ts";
import { csvAnswer } from "../../operator/csv-answer.ts";
import type { ImportLine } from "../../operator/group-import.ts";
import type { Clock } from "../../platform/clock.ts";
import { jsonLines } from "../../platform/json-lines.ts";
import { nextTurn } from "../../platform/next-turn.ts";
import type { Random } from "../../platform/random.ts";
import { persianErrors } from "../../words/fa/operator-error.ts";
import type { ImportEnd, ImportProgressView } from "../components/import.tsx";
import type { Locale } from "../locale.ts";
import { importProblemSentence } from "./import-problem.ts";

const problemsKept = leftOutLinesMax;
/** Shown line by line; the full list is available as a CSV file. */
const problemsShown = 50;
const keptMs = 3_600_000;
const newline = 0x0a;
/** The lines of one slice of a file are counted in one turn of the event loop: a few milliseconds. */
const sliceBytes = 512 * 1024;
/** Written per turn into the CSV of the refused lines. */
const pieceCharacters = 64 * 1024;

interface WrongLine {
  line: number;
  /** The line as it is in the file. */
  value: string;
  problem: ImportProblem;
}

/** The import's destination, with the address of its page. */
export interface ImportInto {
  kind: "group" | "suppression";
  /** A group's; null for a list of numbers. */
  name: string | null;
  href: string;
}

type Refused = { kind: "refused" };

interface RunningImport {
  userId: number;
  into: ImportInto;
  lines: number;
  done: number;
  problems: WrongLine[];
  problemCount: number;
  repeated: number;
  end: Exclude<ImportEnd, Refused> | Extract<ImportLine, Refused> | null;
}

export interface FileImportsDeps {
  random: Pick<Random, "uuid">;
  clock: Pick<Clock, "after">;
}

export class FileImports {
  readonly #imports = new Map<string, RunningImport>();

  constructor(private readonly deps: FileImportsDeps) {}

  /** Keeps reading in the background; returns the id for retrieving it. `answer`: the operator API's stream. */
  start(userId: number, into: ImportInto, file: Uint8Array, answer: ReadableStream<Uint8Array>): string {
    const id = this.deps.random.uuid();
    const begun = {
      userId,
      into,
      lines: 1,
      done: 0,
      problems: [],
      problemCount: 0,
      repeated: 0,
      end: null,
    };
    this.#imports.set(id, begun);
    void this.#follow(begun, new FileLines(file), answer).finally(() =>
      this.deps.clock.after(keptMs, () => this.#imports.delete(id)),
    );
    return id;
  }

  /** Null if there is none, or it belongs to another user. */
  of(userId: number, id: string): RunningImport | null {
    const found = this.#imports.get(id);
    return found?.userId === userId ? found : null;
  }

  async #follow(running: RunningImport, file: FileLines, answer: ReadableStream<Uint8Array>): Promise<void> {
    try {
      running.lines = await file.count();
      for await (const line of jsonLines<ImportLine>(answer)) take(running, line, file);
    } finally {
      running.end ??= { kind: "refused", code: "internal_error", message: operatorErrors.internal_error.meaning };
      if (running.end.kind !== "refused") running.done = running.lines;
    }
  }
}

function take(running: RunningImport, line: ImportLine, file: FileLines): void {
  switch (line.kind) {
    case "progress":
      running.done = line.lines;
      file.seek(line.lines);
      return;
    case "problem":
      running.problemCount += 1;
      if (running.problems.length < problemsKept) {
        running.problems.push({ line: line.line, value: file.textOf(line.line), problem: line });
      }
      return;
    case "repeated":
      running.repeated += 1;
      return;
    case "done":
      running.end = { kind: "done", members: line.members, repeated: line.merged, leftOut: line.leftOut };
      return;
    case "wrong":
      running.end = { kind: "wrong" };
      return;
    case "refused":
      running.end = line;
  }
}

/** `refusedCsv`: the path of the CSV with the refused lines. */
export function importProgressOf(running: RunningImport, refusedCsv: string, locale: Locale): ImportProgressView {
  const { lines, done, problems, problemCount } = running;
  const refused = problems
    .slice(0, problemsShown)
    .map(({ line, value, problem }) => ({ line, value, reason: importProblemSentence(problem, locale) }));
  return { done, total: lines, refused, refusedCount: problemCount, refusedCsv };
}

/** Null while it runs. */
export function importEndOf({ end }: RunningImport, locale: Locale): ImportEnd | null {
  return end?.kind === "refused"
    ? { kind: "refused", message: locale.language === "fa" ? persianErrors[end.code] : end.message }
    : end;
}

/** A CSV of the refused lines, each with its reason: in English, or in the reader's language. */
export const refusedLinesOf = (
  running: Pick<RunningImport, "problems">,
  locale: Locale | null = null,
): ReadableStream<Uint8Array> => csvAnswer(refusedPieces(running, locale)).body;

/** Lines may be long: ten thousand of them at once took a tenth of a second. */
async function* refusedPieces(
  { problems }: Pick<RunningImport, "problems">,
  locale: Locale | null,
): AsyncGenerator<string> {
  let piece = csvLine(["line", "value", "reason"]);
  for (const { line, value, problem } of problems) {
    const reason = locale === null ? problem.message : importProblemSentence(problem, locale);
    piece += csvLine([line, value, reason]);
    if (piece.length < pieceCharacters) continue;
    yield piece;
    piece = "";
    await nextTurn();
  }
  yield piece;
}

/** The lines of a file, numbered from 1 and requested in ascending order, so that it is read only once. */
class FileLines {
  #line = 1;
  #start = 0;

  constructor(private readonly file: Uint8Array) {}

  /** Counts all lines, one slice of the file per turn of the event loop. */
  async count(): Promise<number> {
    let lines = 1;
    for (let from = 0; from < this.file.length; from += sliceBytes) {
      const slice = this.file.subarray(from, Math.min(from + sliceBytes, this.file.length - 1));
      for (let at = slice.indexOf(newline); at !== -1; at = slice.indexOf(newline, at + 1)) lines += 1;
      await nextTurn();
    }
    return lines;
  }

  /** False if the file has fewer lines. */
  seek(line: number): boolean {
    if (line < this.#line) [this.#line, this.#start] = [1, 0];
    while (this.#line < line) {
      const end = this.file.indexOf(newline, this.#start);
      if (end === -1) return false;
      this.#line += 1;
      this.#start = end + 1;
    }
    return true;
  }

  textOf(line: number): string {
    if (!this.seek(line)) return "";
    const end = this.file.indexOf(newline, this.#start);
    return new TextDecoder().decode(this.file.subarray(this.#start, end === -1 ? undefined : end)).trim();
  }
}
