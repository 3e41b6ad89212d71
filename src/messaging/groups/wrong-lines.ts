/** Counts the wrong lines of an import, and decides whether it goes on without them. */
import type { ImportProblem } from "../../domain/import-problem.ts";
import type { CsvLayout } from "./member-csv.ts";

/** How the file of an import is read. */
export interface FileReading {
  /** Null: the file's header names the columns. */
  layout: CsvLayout | null;
  /** Up to this many wrong lines are left out; with more, nothing is imported. 0: any wrong line stops the import. */
  leaveOutMax: number;
}

export const everyLine: FileReading = { layout: null, leaveOutMax: 0 };

interface ProblemObserver {
  problem(line: number, problem: ImportProblem): void;
}

export class WrongLines {
  readonly #leaveOutMax: number;
  readonly #observer: ProblemObserver;
  #stops = false;
  count = 0;

  constructor({ leaveOutMax }: Pick<FileReading, "leaveOutMax">, observer: ProblemObserver) {
    this.#leaveOutMax = leaveOutMax;
    this.#observer = observer;
  }

  /** `stops`: it concerns more than its line, so the import cannot go on without it. */
  add({ line, problem, stops }: { line: number; problem: ImportProblem; stops: boolean }): void {
    this.count += 1;
    this.#stops ||= stops || this.count > this.#leaveOutMax;
    this.#observer.problem(line, problem);
  }

  /** Nothing of the file will be kept; the rest is only checked for problems. */
  get stopsImport(): boolean {
    return this.#stops;
  }
}
