/** Decides what follows an attempt (an end, or another attempt), and writes it to disk. */
import { callbackDelayMs } from "../domain/retry-schedule.ts";
import { type Clock, sleep } from "../platform/clock.ts";
import type { Logger } from "../platform/log.ts";
import type { DeliveryOutcome, NewAttempt } from "../store/outbox.ts";
import type { Store } from "../store/store.ts";
import type { WebhookHealth } from "../store/webhooks.ts";
import type { AttemptOutcome } from "./attempt.ts";

/** `attempt`: the one just made, counted from 1 since the delivery began or was last replayed. `fraction`: jitter, in [0, 1). */
export function deliveryOutcome(
  { failure, retryAfterMs }: AttemptOutcome,
  attempt: number,
  now: number,
  fraction: number,
): DeliveryOutcome {
  if (failure === null) return { state: "delivered" };
  const delayMs = callbackDelayMs(attempt, fraction);
  if (delayMs === null) return { state: "failed" };
  return { state: "waiting", dueAt: now + Math.max(delayMs, retryAfterMs ?? 0) };
}

export interface FinishedAttempt {
  deliveryId: number;
  attempt: NewAttempt;
  /** The webhook's health, if it has changed. */
  health: { webhookId: number; health: WebhookHealth } | null;
  outcome: DeliveryOutcome;
}

export interface OutcomeWriterDeps {
  store: Store;
  clock: Clock;
  log: Logger;
  /**
   * How long an outcome waits for others to share its commit. With one commit each, a disk whose fsync takes 0.5 ms
   * blocked the event loop for two thirds of the time. Outcomes lost in a crash are sent again, which receivers must
   * handle anyway.
   */
  gatherMs: number;
  /** False once the service stops: then a disk that refuses is not waited for. */
  isRunning(): boolean;
}

const attemptsPerCommitMax = 64;
const retryMs = 1_000;

export class OutcomeWriter {
  #gathered: { finished: FinishedAttempt; written: PromiseWithResolvers<void> }[] = [];

  constructor(private readonly deps: OutcomeWriterDeps) {}

  /** Resolves when the outcome is on disk. Rejects only if the disk refuses while the service stops. */
  write(finished: FinishedAttempt): Promise<void> {
    const written = Promise.withResolvers<void>();
    this.#gathered.push({ finished, written });
    const { gatherMs, clock, isRunning } = this.deps;
    if (gatherMs === 0 || !isRunning() || this.#gathered.length === attemptsPerCommitMax) this.flush();
    else if (this.#gathered.length === 1) clock.after(gatherMs, () => this.flush());
    return written.promise;
  }

  flush(): void {
    const gathered = this.#gathered;
    this.#gathered = [];
    if (gathered.length === 0) return;
    this.#writeAll(gathered.map(({ finished }) => finished)).then(
      () => {
        for (const { written } of gathered) written.resolve();
      },
      (reason) => {
        for (const { written } of gathered) written.reject(reason);
      },
    );
  }

  /**
   * Retried until the disk accepts it: a callback that a receiver confirmed must not be sent again because of our disk.
   */
  async #writeAll(attempts: readonly FinishedAttempt[]): Promise<void> {
    const { store, clock, log, isRunning } = this.deps;
    for (;;) {
      try {
        await store.write((tables) => {
          for (const { deliveryId, attempt, outcome, health } of attempts) {
            tables.outbox.settle(deliveryId, attempt, outcome);
            if (health !== null) tables.webhooks.setHealth(health.webhookId, health.health);
          }
        });
        return;
      } catch (reason) {
        if (!isRunning()) throw reason;
        log.warn({ err: reason, outcomes: attempts.length }, "The outcomes of callbacks cannot be stored yet");
        await sleep(clock, retryMs);
      }
    }
  }
}
