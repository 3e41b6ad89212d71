/** Writes what attempts led to: many in one transaction, and again until the disk takes them. */
import { type Clock, sleep } from "../platform/clock.ts";
import type { Logger } from "../platform/log.ts";
import type { DeliveryOutcome, NewAttempt } from "../store/outbox.ts";
import type { Store } from "../store/store.ts";

export interface AttemptOutcome {
  deliveryId: number;
  attempt: NewAttempt;
  outcome: DeliveryOutcome;
}

export interface OutcomeWriterDeps {
  store: Store;
  clock: Clock;
  log: Logger;
  /**
   * How long the first outcome waits for company. A commit for each held the event loop for two thirds of the time on a disk
   * with an fsync of 0.5 ms. What is lost in a crash is sent once more, which receivers must be ready for anyway.
   */
  gatherMs: number;
}

const gatheredMax = 64;
const retryMs = 1_000;

export class OutcomeWriter {
  #gathered: { outcome: AttemptOutcome; written: PromiseWithResolvers<void> }[] = [];

  constructor(
    readonly parts: OutcomeWriterDeps,
    /** False once the service stops: then a disk that refuses is not waited for. */
    readonly goesOn: () => boolean,
  ) {}

  /** Resolves when the outcome is on disk. Rejects only where the service stops and the disk refuses. */
  write(outcome: AttemptOutcome): Promise<void> {
    const written = Promise.withResolvers<void>();
    this.#gathered.push({ outcome, written });
    const { gatherMs, clock } = this.parts;
    if (gatherMs === 0 || !this.goesOn() || this.#gathered.length === gatheredMax) this.flush();
    else if (this.#gathered.length === 1) clock.after(gatherMs, () => this.flush());
    return written.promise;
  }

  flush(): void {
    const gathered = this.#gathered;
    this.#gathered = [];
    if (gathered.length === 0) return;
    this.#keepWriting(gathered.map(({ outcome }) => outcome)).then(
      () => {
        for (const { written } of gathered) written.resolve();
      },
      (reason) => {
        for (const { written } of gathered) written.reject(reason);
      },
    );
  }

  /** A disk that refuses must not make anybody hear the same event again and again: the outcomes wait for it. */
  async #keepWriting(outcomes: readonly AttemptOutcome[]): Promise<void> {
    const { store, clock, log } = this.parts;
    for (;;) {
      try {
        await store.write((tables) => {
          for (const { deliveryId, attempt, outcome } of outcomes) tables.outbox.settle(deliveryId, attempt, outcome);
        });
        return;
      } catch (reason) {
        if (!this.goesOn()) throw reason;
        log.warn({ err: reason, outcomes: outcomes.length }, "The outcomes of callbacks cannot be stored yet");
        await sleep(clock, retryMs);
      }
    }
  }
}
