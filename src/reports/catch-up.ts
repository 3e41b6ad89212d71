/** After an upgrade, counts the messages that were there before the figures, slice by slice while the server serves. */
import { type Background, background } from "../platform/background.ts";
import { type Clock, sleep } from "../platform/clock.ts";
import type { Logger } from "../platform/log.ts";
import { StoreUnavailable } from "../store/group-commit.ts";
import type { Store } from "../store/store.ts";

/** Messages in one transaction: 4 ms. */
const sliceMessages = 1_000;
/** Between two slices, so that others are served for at least half of the time. */
const pauseMs = 4;
/** How long to leave the disk alone after it refused a slice. */
const storeRetryMs = 1_000;

export interface CatchUpDeps {
  store: Store;
  clock: Pick<Clock, "after">;
  log: Logger;
}

export class CatchUp {
  readonly #deps: CatchUpDeps;
  readonly #background: Background;
  #stopped = false;

  constructor(deps: CatchUpDeps) {
    this.#deps = deps;
    this.#background = background(deps.log);
  }

  start(): void {
    this.#background.run("count the messages of before", () => this.#untilDone());
  }

  /** From 0 to 1. */
  countedShare(): number {
    return this.#deps.store.tables.rollups.filledShare();
  }

  /** Ends after the present slice; the next start goes on from there. */
  stop(): Promise<void> {
    this.#stopped = true;
    return this.settled();
  }

  /** Resolves once everything is counted, or the work was stopped. */
  settled(): Promise<void> {
    return this.#background.settled();
  }

  async #untilDone(): Promise<void> {
    const { store, clock, log } = this.#deps;
    while (!this.#stopped && this.countedShare() < 1) {
      try {
        await store.write((tables) => tables.rollups.fill(sliceMessages));
        await sleep(clock, pauseMs);
      } catch (reason) {
        if (!(reason instanceof StoreUnavailable)) throw reason;
        log.error({ err: reason }, "counting messages waits for the disk");
        await sleep(clock, storeRetryMs);
      }
    }
  }
}
