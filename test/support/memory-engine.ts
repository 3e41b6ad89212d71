/** An in-memory engine for a cluster's log: it answers, and fails, when a test says so. */
import type { Head, LogWriter } from "../../src/cluster/engine.ts";
import type { Entry } from "../../src/cluster/entry.ts";

/** The fate of an append: it may be stored even though its answer is lost. */
export type AppendFate = "stored" | "lost" | "stored, answer lost";

export class MemoryEngine implements LogWriter {
  readonly entries: Entry[] = [];
  readonly pieces: { sequence: number; epoch: number; piece: number }[] = [];
  /** Consumed one by one; afterwards everything is stored. */
  fates: AppendFate[] = [];
  newestEpoch = 1;
  confirmations = 0;
  reconnects = 0;
  #first: Uint8Array;
  #hold: Promise<void> = Promise.resolve();
  #release: () => void = () => {};

  constructor(firstSum: Uint8Array) {
    this.#first = firstSum;
  }

  /** From now on nothing is answered until `release`. */
  hold(): void {
    this.#hold = new Promise((resolve) => {
      this.#release = resolve;
    });
  }

  release(): void {
    this.#release();
  }

  async addPiece({ sequence, epoch }: Entry, piece: number): Promise<void> {
    await this.#hold;
    this.pieces.push({ sequence, epoch, piece });
  }

  async append(entry: Entry, before: Uint8Array): Promise<boolean> {
    await this.#hold;
    const fate = this.fates.shift() ?? "stored";
    if (fate === "lost") throw new Error("the connection broke");
    const head = this.#head();
    const fits = entry.epoch === this.newestEpoch && head.sequence === entry.sequence - 1;
    if (!fits || Buffer.compare(head.sum, before) !== 0) return false;
    this.entries.push(entry);
    if (fate === "stored, answer lost") throw new Error("the connection broke");
    return true;
  }

  head = async (): Promise<Head> => {
    await this.#hold;
    return this.#head();
  };

  async epoch(): Promise<number> {
    await this.#hold;
    return this.newestEpoch;
  }

  async confirm(epoch: number): Promise<boolean> {
    await this.#hold;
    this.confirmations += 1;
    return epoch === this.newestEpoch;
  }

  reconnect(): void {
    this.reconnects += 1;
  }

  #head(): Head {
    const newest = this.entries.at(-1);
    return newest ?? { epoch: 0, sequence: 0, sum: this.#first };
  }
}
