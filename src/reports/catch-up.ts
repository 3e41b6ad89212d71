/**
 * Work deferred from startup, done slice by slice while the server runs: the key filter, the figures of older messages,
 * the search index.
 */
import { type Background, background } from "../platform/background.ts";
import type { Clock } from "../platform/clock.ts";
import type { Logger } from "../platform/log.ts";
import { StoreUnavailable } from "../store/group-commit.ts";
import type { Store } from "../store/store.ts";

/** Messages per transaction: 1 ms, and 8 before the code is compiled. */
const sliceMessages = 1_000;
/** Ids of a run read at once: 2 ms. */
const sliceIds = 2_048;
/** How often to check whether a run is full, which takes 5 µs. A search scans the messages since the last run. */
const lookEveryMs = 500;
/** Between two slices, so that at least half of the time is left for other work. */
const pauseMs = 4;

export interface CatchUpDeps {
  store: Store;
  clock: Pick<Clock, "after">;
  log: Logger;
}

export class CatchUp {
  readonly #background: Background;
  #stopped = false;
  /** Ends the current pause. */
  #wake: (() => void) | null = null;

  constructor(private readonly deps: CatchUpDeps) {
    this.#background = background(deps.log);
  }

  start(): void {
    this.#background.run("read keys, count older messages and index new ones", () => this.#run());
  }

  /** Shares from 0 to 1. */
  progress(): { counted: number; indexed: number } {
    const { rollups, searchIndex } = this.deps.store.tables;
    return { counted: rollups.filledShare(), indexed: searchIndex.share() };
  }

  /** Stops after the current slice; the next start continues from there. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#wake?.();
    await this.#background.settled();
  }

  async #run(): Promise<void> {
    while (!this.#stopped) {
      const hasMore = await this.#step().catch((reason: unknown) => this.#refused(reason));
      await this.#pause(hasMore ? pauseMs : lookEveryMs);
    }
  }

  /** Runs a slice or a transaction; false if there is nothing to do for now. */
  async #step(): Promise<boolean> {
    const { store } = this.deps;
    const { idempotency, rollups, searchIndex } = store.tables;
    if (idempotency.readIndexSlice()) return true;
    if (rollups.filledShare() < 1) {
      await store.write((tables) => tables.rollups.fill(sliceMessages));
      return true;
    }
    const run = searchIndex.nextRun();
    if (run === null) return false;
    while (searchIndex.read(run, sliceIds)) {
      await this.#pause(pauseMs);
      if (this.#stopped) return false;
    }
    await store.write((tables) => tables.searchIndex.insert(run));
    return true;
  }

  #refused(reason: unknown): false {
    if (!(reason instanceof StoreUnavailable)) throw reason;
    this.deps.log.error({ err: reason }, "figures and search index wait for the disk");
    return false;
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
      this.deps.clock.after(ms, resolve);
    });
  }
}
