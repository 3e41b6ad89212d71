/** The events of a run: their hash distinguishes two runs, and the last lines explain a violation. */
import type { Invariant } from "./invariants.ts";
import { time } from "./virtual-time.ts";

export interface Violation {
  invariant: Invariant;
  atMs: number;
  words: string;
}

const linesKept = 2_000;
const violationsMax = 20;

export class Journal {
  readonly violations: Violation[] = [];
  readonly lines: string[] = [];
  readonly #hash = new Bun.CryptoHasher("sha256");
  readonly #isChecked: (invariant: Invariant) => boolean;
  readonly #isTold: boolean;
  events = 0;

  constructor({ isChecked, isTold }: { isChecked: (invariant: Invariant) => boolean; isTold: boolean }) {
    this.#isChecked = isChecked;
    this.#isTold = isTold;
  }

  tell(...words: readonly (string | number)[]): void {
    const line = `${time.monotonic.toFixed(2)} ${words.join(" ")}`;
    this.#hash.update(`${line}\n`);
    this.events += 1;
    if (this.#isTold) console.log(line);
    this.lines.push(line);
    if (this.lines.length > 2 * linesKept) this.lines.splice(0, linesKept);
  }

  violated(invariant: Invariant, words: string): void {
    if (!this.#isChecked(invariant)) return;
    this.tell("VIOLATED", invariant, words);
    this.violations.push({ invariant, atMs: time.monotonic, words });
  }

  /** Later events would add nothing. */
  get isOver(): boolean {
    return this.violations.length >= violationsMax;
  }

  hash(): string {
    return this.#hash.copy().digest("hex").slice(0, 16);
  }
}
