/** Limits attempts at once: 64 slots, for which queues with something due take turns; slow ones together hold at most half. */
import type { WebhookQueue } from "./webhook-queues.ts";

/** docs/api-rules.md, "Webhooks". */
const attemptsOfWebhookMax = 2;
const attemptsMax = 64;
/** An endpoint that hangs holds its slot for ten seconds; without this limit 32 of them would stop everybody else. */
const slowAttemptsMax = attemptsMax / 2;

export class ConcurrencyLimiter {
  readonly #prompt: WebhookQueue[] = [];
  readonly #slow: WebhookQueue[] = [];
  #inFlight = 0;
  #slowInFlight = 0;
  #isSlowTurn = false;

  get inFlight(): number {
    return this.#inFlight;
  }

  /** The queue waits for its turn, unless it waits already or has all the attempts that it may have. */
  enqueue(queue: WebhookQueue): void {
    if (queue.isWaiting || queue.inFlight >= attemptsOfWebhookMax) return;
    queue.isWaiting = true;
    (queue.isSlow ? this.#slow : this.#prompt).push(queue);
  }

  /** The next queue that may begin an attempt, or null if no slot is free or no queue waits. */
  next(): WebhookQueue | null {
    if (this.#inFlight >= attemptsMax) return null;
    const maySlow = this.#slow.length > 0 && this.#slowInFlight < slowAttemptsMax;
    this.#isSlowTurn = !this.#isSlowTurn;
    const waiting = maySlow && (this.#isSlowTurn || this.#prompt.length === 0) ? this.#slow : this.#prompt;
    const queue = waiting.shift() ?? null;
    if (queue !== null) queue.isWaiting = false;
    return queue;
  }

  /** Takes a slot for the queue; returns a function that frees it. */
  acquire(queue: WebhookQueue): () => void {
    const { isSlow } = queue;
    queue.inFlight += 1;
    this.#inFlight += 1;
    if (isSlow) this.#slowInFlight += 1;
    return () => {
      queue.inFlight -= 1;
      this.#inFlight -= 1;
      if (isSlow) this.#slowInFlight -= 1;
    };
  }
}
