/** Messages that a commit moved to a new public status, reported to the metrics once the commit is on disk. */
import type { GatheredWrites } from "./group-transaction.ts";
import type { message } from "./schema.ts";

type MessageRow = typeof message.$inferSelect;

/** Called after each commit that moved messages; the list is reused for the next one. */
export type ReachedObserver = (messages: readonly MessageRow[]) => void;

export class ReachedStatuses implements GatheredWrites {
  readonly #reached: MessageRow[] = [];
  /** How many of them stay; see GatheredWrites. */
  #kept = 0;

  constructor(private readonly observer: ReachedObserver) {}

  add(message: MessageRow): void {
    this.#reached.push(message);
  }

  reset(): void {
    this.#reached.length = 0;
    this.#kept = 0;
  }

  flush(): void {}

  keep(): void {
    this.#kept = this.#reached.length;
  }

  undo(): void {
    this.#reached.length = this.#kept;
  }

  committed(): void {
    if (this.#reached.length > 0) this.observer(this.#reached);
  }
}
