/** Starts what sends, messages and callbacks: with the server or, after a restore, when the operator releases them. */
import type { Logger } from "../platform/log.ts";
import type { Store } from "../store/store.ts";

/** What waits is counted up to here. */
const countedMax = 50_000;

export class Sending {
  readonly #store: Store;
  readonly #log: Logger;
  readonly #begin: () => Promise<void>;

  constructor(store: Store, log: Logger, begin: () => Promise<void>) {
    this.#store = store;
    this.#log = log;
    this.#begin = begin;
  }

  /** When the copy was restored whose messages wait for a release, epoch milliseconds; null where nothing is held. */
  heldSince(): number | null {
    return this.#store.tables.restoreHold.since();
  }

  /** Callbacks that wait, up to 50,000. */
  countCallbacks(): number {
    return this.#store.tables.restoreHold.countCallbacks(countedMax);
  }

  async start(): Promise<void> {
    if (this.heldSince() === null) await this.#begin();
    else this.#log.warn("a copy was restored: messages and callbacks wait until: peyk queue release");
  }

  /** False where nothing is held. */
  async release(): Promise<boolean> {
    const held = await this.#store.write(({ restoreHold }) => {
      const since = restoreHold.since();
      restoreHold.release();
      return since !== null;
    });
    if (held) await this.#begin();
    return held;
  }
}
