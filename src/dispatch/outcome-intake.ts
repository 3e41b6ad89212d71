/** Stores the outcomes of submits, however long the disk refuses them. */
import { type Clock, sleep } from "../platform/clock.ts";
import type { Logger } from "../platform/log.ts";
import { afterThisStretch } from "../platform/next-turn.ts";
import { StoreUnavailable } from "../store/group-commit.ts";
import type { MessageRow } from "../store/messages.ts";
import type { Store, Tables } from "../store/store.ts";

/** How long to wait after the disk refused a write. */
export const storeRetryMs = 1_000;

export interface WaitingOutcome {
  /** Stores it, and returns the message's row afterwards. Runs in a transaction, and may run twice. */
  apply(tables: Tables): MessageRow | null;
  stored(after: MessageRow | null): void;
  /** It cannot be stored, although the disk would take it. */
  refused(reason: unknown): void;
}

export interface OutcomeIntakeDeps {
  store: Store;
  clock: Clock;
  log: Logger;
}

/**
 * Stores the outcomes that one packet of a carrier brought in one write: with a write and its promises for each of
 * them, an outcome took a seventh longer.
 */
export class OutcomeIntake {
  #waiting: WaitingOutcome[] = [];

  constructor(private readonly deps: OutcomeIntakeDeps) {}

  /** Either `stored` or `refused` follows. */
  take(outcome: WaitingOutcome): void {
    this.#waiting.push(outcome);
    if (this.#waiting.length > 1) return;
    afterThisStretch(() => {
      const group = this.#waiting;
      this.#waiting = [];
      void this.#storeAll(group);
    });
  }

  async #storeAll(group: readonly WaitingOutcome[]): Promise<void> {
    const rows = await this.#untilStored(group);
    if (rows !== null) for (const [index, { stored }] of group.entries()) stored(rows[index] ?? null);
  }

  /**
   * Retries until the disk takes them, because a submit cannot be undone; meanwhile they occupy their route's window.
   * Null if they were not stored together.
   */
  async #untilStored(group: readonly WaitingOutcome[]): Promise<(MessageRow | null)[] | null> {
    const { store, log, clock } = this.deps;
    for (;;) {
      try {
        return await store.write((tables) => group.map(({ apply }) => apply(tables)));
      } catch (reason) {
        if (reason instanceof StoreUnavailable) {
          log.error({ err: reason }, "answers wait for the disk");
          await sleep(clock, storeRetryMs);
          continue;
        }
        if (group.length === 1) for (const { refused } of group) refused(reason);
        // One of them cannot be stored; the others must still succeed.
        else for (const one of group) void this.#storeAll([one]);
        return null;
      }
    }
  }
}
