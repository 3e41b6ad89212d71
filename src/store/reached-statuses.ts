/** Messages that a commit moved to a new public status, reported to the metrics once the commit is on disk. */
import type { GatheredWrites } from "./group-commit.ts";
import type { message } from "./schema.ts";

type MessageRow = typeof message.$inferSelect;

/** Called after each commit that moved messages; the list is reused for the next one. */
export type ReachedObserver = (messages: readonly MessageRow[]) => void;

export class ReachedStatuses implements GatheredWrites {
  readonly #observer: ReachedObserver;
  readonly #reached: MessageRow[] = [];

  constructor(observer: ReachedObserver) {
    this.#observer = observer;
  }

  add(message: MessageRow): void {
    this.#reached.push(message);
  }

  reset(): void {
    this.#reached.length = 0;
  }

  beforeCommit(): void {}

  committed(): void {
    if (this.#reached.length > 0) this.#observer(this.#reached);
  }
}
