/** Imports of members and numbers that run: they go on when their page is left, and are told to whoever started them until an hour later. */
import { csvLine } from "../../domain/csv.ts";
import type { ImportLine } from "../../operator/group-import.ts";
import type { Clock } from "../../platform/clock.ts";
import { jsonLines } from "../../platform/json-lines.ts";
import type { Random } from "../../platform/random.ts";
import type { ImportEnd, ImportProgressView } from "../components/import.tsx";
import type { GroupImportView } from "../pages/groups.tsx";

/** Told line by line; the file that holds all of them is a CSV of its own. */
const problemsKept = 10_000;
const problemsShown = 50;
const keptMs = 3_600_000;
const newline = 0x0a;

export interface ImportProblem {
  line: number;
  /** The line as it stands in the file. */
  value: string;
  reason: string;
}

/** What is imported into: a group, or a suppression list. */
export type ImportInto =
  | { kind: "group"; group: GroupImportView["group"] }
  /** Null: the list of every account. */
  | { kind: "suppression"; account: string | null };

interface RunningImport {
  userId: number;
  into: ImportInto;
  lines: number;
  done: number;
  problems: ImportProblem[];
  problemCount: number;
  repeated: number;
  end: ImportEnd | null;
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
      lines: linesIn(file),
      done: 0,
      problems: [],
      problemCount: 0,
      repeated: 0,
      end: null,
    };
    this.#imports.set(id, begun);
    void this.#follow(begun, file, answer).finally(() =>
      this.#deps.clock.after(keptMs, () => this.#imports.delete(id)),
    );
    return id;
  }

  /** Null where there is none, or it is another's. */
  of(userId: number, id: string): RunningImport | null {
    const found = this.#imports.get(id);
    return found?.userId === userId ? found : null;
  }

  async #follow(running: RunningImport, file: Uint8Array, answer: ReadableStream<Uint8Array>): Promise<void> {
    try {
      for await (const line of jsonLines<ImportLine>(answer)) take(running, line, file);
    } finally {
      running.end ??= { kind: "refused", message: "" };
      if (running.end.kind !== "refused") running.done = running.lines;
    }
  }
}

function take(running: RunningImport, line: ImportLine, file: Uint8Array): void {
  switch (line.kind) {
    case "progress":
      running.done = line.lines;
      return;
    case "problem":
      running.problemCount += 1;
      if (running.problems.length < problemsKept) {
        running.problems.push({ line: line.line, value: lineOf(file, line.line), reason: line.message });
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
      running.end = { kind: "refused", message: line.message };
  }
}

/** `refusedCsv`: path of the CSV of the lines that were refused. */
export function importProgressOf(running: RunningImport, refusedCsv: string): ImportProgressView {
  const { lines, done, problems, problemCount } = running;
  const refused = problems.slice(0, problemsShown);
  return { done, total: lines, refused, refusedCount: problemCount, refusedCsv };
}

/** A CSV of the lines that were refused, each with its reason. */
export function refusedLinesOf({ problems }: RunningImport): string {
  const lines = [["line", "value", "reason"], ...problems.map(({ line, value, reason }) => [line, value, reason])];
  return lines.map((line) => csvLine(line)).join("");
}

function linesIn(file: Uint8Array): number {
  let lines = 1;
  for (let at = file.indexOf(newline); at !== -1 && at + 1 < file.length; at = file.indexOf(newline, at + 1))
    lines += 1;
  return lines;
}

/** Counted from 1. */
function lineOf(file: Uint8Array, number: number): string {
  let start = 0;
  for (let line = 1; line < number; line += 1) {
    const end = file.indexOf(newline, start);
    if (end === -1) return "";
    start = end + 1;
  }
  const end = file.indexOf(newline, start);
  return new TextDecoder().decode(file.subarray(start, end === -1 ? undefined : end)).trim();
}
