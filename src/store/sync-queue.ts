/** Commits wait here, in their order, until a sync has brought their log to the disk. */
import { StoreUnavailable } from "./store-unavailable.ts";

/** Resolves once every commit made before the call is on disk. */
export type Sync = () => Promise<void>;

/** Undefined where the disk has it. */
type Settle = (failure: StoreUnavailable | undefined) => void;

/**
 * The event loop goes on while a sync is under way: what commits meanwhile shares the next one, and as many run at a time as
 * there are `syncs`. With a disk that takes 5 ms, 256 clients had 13,600 messages a second when the loop waited for it, 19,000
 * with one sync beside it, 23,000 with two; with one that takes 0.3 ms, 64 clients had a twelfth more.
 */
export class SyncQueue {
  readonly #idle: Sync[];
  readonly #onLost: (failure: StoreUnavailable) => void;
  /** For each commit its writers, and whoever has read it since. */
  readonly #waiting: Settle[][] = [];
  #committed = 0;
  /** How many of them a sync was begun for. */
  #asked = 0;
  #settled = 0;
  #lost: StoreUnavailable | undefined;

  /** `onLost` hears of the first sync that fails, before those who wait for it. */
  constructor(syncs: readonly Sync[], onLost: (failure: StoreUnavailable) => void) {
    this.#idle = [...syncs];
    this.#onLost = onLost;
  }

  /** A transaction was committed. */
  add(settle: Settle): void {
    this.#waiting.push([settle]);
    this.#committed += 1;
    const sync = this.#idle.pop();
    if (sync !== undefined) void this.#syncAll(sync);
  }

  /** Resolves once everything that is committed now is on disk; rejects with StoreUnavailable. */
  readonly drained = (): Promise<void> => {
    const newest = this.#waiting.at(-1);
    if (newest === undefined) return Promise.resolve();
    return new Promise((resolve, reject) => {
      newest.push((failure) => (failure === undefined ? resolve() : reject(failure)));
    });
  };

  async #syncAll(sync: Sync): Promise<void> {
    while (this.#asked < this.#committed) {
      const covered = this.#committed;
      this.#asked = covered;
      // Asked again after a failure, the kernel would say that all is well.
      if (this.#lost === undefined) await sync().catch((reason: unknown) => this.#lose(reason));
      this.#settleThrough(covered);
    }
    this.#idle.push(sync);
  }

  /** A sync covers all before it, also what another one was begun for that has not ended yet. */
  #settleThrough(count: number): void {
    for (; this.#settled < count; this.#settled += 1) {
      for (const settle of this.#waiting.shift() ?? []) settle(this.#lost);
    }
  }

  #lose(reason: unknown): void {
    if (this.#lost !== undefined) return;
    this.#lost = new StoreUnavailable(reason);
    this.#onLost(this.#lost);
  }
}
