/** A replication that keeps commits when its test says so. */
import type { ChangedPages } from "../../src/store/log-frames.ts";
import type { Replication } from "../../src/store/replication.ts";

export class HeldReplication implements Replication {
  readonly pages: (ChangedPages | null)[] = [];
  #waiting: (() => void)[] = [];
  #listener: () => void = () => {};
  isAway = false;
  checkpoints = 0;
  isClosed = false;
  canClose = true;

  committed(pages: ChangedPages | null, kept: () => void): void {
    this.pages.push(pages);
    this.#waiting.push(kept);
  }

  get isDrained(): boolean {
    return this.#waiting.length === 0;
  }

  refusal = (): string | null => (this.isAway ? "the log of the cluster does not answer" : null);

  onDrained(listener: () => void): void {
    this.#listener = listener;
  }

  checkpointed(): void {
    this.checkpoints += 1;
  }

  closed(): boolean {
    this.isClosed = this.canClose;
    return this.canClose;
  }

  /** All that have arrived so far. */
  keep(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const kept of waiting) kept();
    if (this.isDrained) this.#listener();
  }
}
