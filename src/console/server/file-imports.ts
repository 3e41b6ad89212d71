/** Imports of members and numbers that run: they go on when their page is left, and are told to whoever started them until an hour later. */
import { csvLine } from "../../domain/csv.ts";
import type { ImportProblem } from "../../domain/import-problem.ts";
import { operatorErrors } from "../../domain/operator-error.ts";
import type { ImportLine } from "../../operator/group-import.ts";
import type { Clock } from "../../platform/clock.ts";
import { jsonLines } from "../../platform/json-lines.ts";
import { nextTurn } from "../../platform/next-turn.ts";
import type { Random } from "../../platform/random.ts";
import type { ImportEnd, ImportProgressView } from "../components/import.tsx";
import type { Locale } from "../locale.ts";
import type { GroupImportView } from "../pages/groups.tsx";
import { importProblemSentence } from "../pages/import-problem.ts";
import { refusalSentence } from "../pages/refusal.ts";

/** Told line by line; the file that holds all of them is a CSV of its own. */
const problemsKept = 10_000;
const problemsShown = 50;
const keptMs = 3_600_000;
const newline = 0x0a;
/** Of a file, whose lines are counted in one turn of the event loop: some milliseconds. */
const sliceBytes = 512 * 1024;

interface WrongLine {
  line: number;
  /** The line as it stands in the file. */
  value: string;
  problem: ImportProblem;
}

/** What is imported into: a group, or a suppression list. */
export type ImportInto =
  | { kind: "group"; group: GroupImportView["group"] }
  /** Null: the list of every account. */
  | { kind: "suppression"; account: string | null };

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
  readonly #deps: FileImportsDeps;
  readonly #imports = new Map<string, RunningImport>();

  constructor(deps: FileImportsDeps) {
    this.#deps = deps;
  }

  /** Reads on by itself; returns the id under which it is found. `answer` is what the operator API streams. */
  start(userId: number, into: ImportInto, file: Uint8Array, answer: ReadableStream<Uint8Array>): string {
    const id = this.#deps.random.uuid();
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
      this.#deps.clock.after(keptMs, () => this.#imports.delete(id)),
    );
    return id;
  }

  /** Null where there is none, or it is another's. */
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
      running.end = { kind: "done", members: line.members, repeated: line.merged };
      return;
    case "wrong":
      running.end = { kind: "wrong" };
      return;
    case "refused":
      running.end = line;
  }
}

/** `refusedCsv`: path of the CSV of the lines that were refused. */
export function importProgressOf(running: RunningImport, refusedCsv: string, locale: Locale): ImportProgressView {
  const { lines, done, problems, problemCount } = running;
  const refused = problems
    .slice(0, problemsShown)
    .map(({ line, value, problem }) => ({ line, value, reason: importProblemSentence(problem, locale) }));
  return { done, total: lines, refused, refusedCount: problemCount, refusedCsv };
}

/** Null while it runs. */
export function importEndOf({ end }: RunningImport, locale: Locale): ImportEnd | null {
  return end?.kind === "refused" ? { kind: "refused", message: refusalSentence(end, locale) } : end;
}

/** A CSV of the lines that were refused, each with its reason in English. */
export function refusedLinesOf({ problems }: RunningImport): string {
  const lines = [
    ["line", "value", "reason"],
    ...problems.map(({ line, value, problem }) => [line, value, problem.message]),
  ];
  return lines.map((line) => csvLine(line)).join("");
}

/** The lines of a file, counted from 1, which are asked for from its beginning to its end: none of them is passed twice. */
class FileLines {
  readonly #file: Uint8Array;
  #line = 1;
  #start = 0;

  constructor(file: Uint8Array) {
    this.#file = file;
  }

  /** Of all of them together, a slice of the file in each turn of the event loop. */
  async count(): Promise<number> {
    let lines = 1;
    for (let from = 0; from < this.#file.length; from += sliceBytes) {
      const slice = this.#file.subarray(from, Math.min(from + sliceBytes, this.#file.length - 1));
      for (let at = slice.indexOf(newline); at !== -1; at = slice.indexOf(newline, at + 1)) lines += 1;
      await nextTurn();
    }
    return lines;
  }

  /** False where the file has fewer. */
  seek(line: number): boolean {
    if (line < this.#line) [this.#line, this.#start] = [1, 0];
    while (this.#line < line) {
      const end = this.#file.indexOf(newline, this.#start);
      if (end === -1) return false;
      this.#line += 1;
      this.#start = end + 1;
    }
    return true;
  }

  textOf(line: number): string {
    if (!this.seek(line)) return "";
    const end = this.#file.indexOf(newline, this.#start);
    return new TextDecoder().decode(this.#file.subarray(this.#start, end === -1 ? undefined : end)).trim();
  }
}
