/**
 * Starts the sending of messages and callbacks: with the server or, after a restore, when the operator releases them.
 */
import type { Logger } from "../platform/log.ts";
import type { Store } from "../store/store.ts";

/** Waiting messages are counted up to here. */
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

  /** When the copy whose messages await release was restored, epoch milliseconds; null if nothing is held. */
  heldSince(): number | null {
    return this.#store.tables.restoreHold.since();
  }

  /** Waiting callbacks, up to 50,000. */
  countCallbacks(): number {
    return this.#store.tables.restoreHold.countCallbacks(countedMax);
  }

  async start(): Promise<void> {
    if (this.heldSince() === null) await this.#begin();
    else this.#log.warn("a copy was restored: messages and callbacks wait until: peyk queue release");
  }

  /** False if nothing is held. */
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
