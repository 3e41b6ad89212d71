/**
 * Limits concurrent attempts with slots: queues with something due take turns, and slow ones together hold at most half
 * of the slots.
 */
import type { WebhookQueue } from "./webhook-queues.ts";

export interface ConcurrencyLimits {
  attemptsMax: number;
  attemptsOfQueueMax: number;
  /** For all queues of one group together; null for no limit. */
  attemptsOfGroupMax: number | null;
}

/** docs/api-rules.md, "Webhooks". */
export const webhookLimits: ConcurrencyLimits = { attemptsMax: 64, attemptsOfQueueMax: 2, attemptsOfGroupMax: null };

export class ConcurrencyLimiter {
  readonly #limits: ConcurrencyLimits;
  readonly #prompt: WebhookQueue[] = [];
  readonly #slow: WebhookQueue[] = [];
  /** By group: attempts in progress, and queues whose turn came while their group was at its limit. */
  readonly #inFlightOf = new Map<number, number>();
  readonly #parked = new Map<number, WebhookQueue[]>();
  #inFlight = 0;
  #slowInFlight = 0;
  #isSlowTurn = false;

  constructor(limits: ConcurrencyLimits = webhookLimits) {
    this.#limits = limits;
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  /** The queue waits for its turn, unless it is already waiting or at its limit. */
  enqueue(queue: WebhookQueue): void {
    if (queue.isWaiting || queue.inFlight >= this.#limits.attemptsOfQueueMax) return;
    queue.isWaiting = true;
    this.#lineOf(queue).push(queue);
  }

  /** The next queue that may start an attempt, or null if no slot is free or no queue waits. */
  next(): WebhookQueue | null {
    if (this.#inFlight >= this.#limits.attemptsMax) return null;
    for (;;) {
      const queue = this.#shift();
      if (queue === null) return null;
      if (!this.#isGroupFull(queue)) {
        queue.isWaiting = false;
        return queue;
      }
      const parked = this.#parked.get(queue.group);
      if (parked === undefined) this.#parked.set(queue.group, [queue]);
      else parked.push(queue);
    }
  }

  /** Takes a slot for the queue; returns a function that frees it. */
  acquire(queue: WebhookQueue): () => void {
    const { isSlow, group } = queue;
    queue.inFlight += 1;
    this.#inFlight += 1;
    if (isSlow) this.#slowInFlight += 1;
    this.#count(group, 1);
    return () => {
      queue.inFlight -= 1;
      this.#inFlight -= 1;
      if (isSlow) this.#slowInFlight -= 1;
      this.#count(group, -1);
      for (const parked of this.#parked.get(group) ?? []) this.#lineOf(parked).push(parked);
      this.#parked.delete(group);
    };
  }

  /** An endpoint that hangs holds its slot for ten seconds: slow ones must not hold them all. */
  #shift(): WebhookQueue | null {
    const maySlow = this.#slow.length > 0 && this.#slowInFlight < this.#limits.attemptsMax / 2;
    this.#isSlowTurn = !this.#isSlowTurn;
    const waiting = maySlow && (this.#isSlowTurn || this.#prompt.length === 0) ? this.#slow : this.#prompt;
    return waiting.shift() ?? null;
  }

  #lineOf(queue: WebhookQueue): WebhookQueue[] {
    return queue.isSlow ? this.#slow : this.#prompt;
  }

  #isGroupFull({ group }: WebhookQueue): boolean {
    const { attemptsOfGroupMax } = this.#limits;
    return attemptsOfGroupMax !== null && (this.#inFlightOf.get(group) ?? 0) >= attemptsOfGroupMax;
  }

  #count(group: number, change: 1 | -1): void {
    if (this.#limits.attemptsOfGroupMax === null) return;
    const count = (this.#inFlightOf.get(group) ?? 0) + change;
    if (count > 0) this.#inFlightOf.set(group, count);
    else this.#inFlightOf.delete(group);
  }
}
