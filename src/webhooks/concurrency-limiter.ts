/**
 * Limits concurrent attempts with slots: what is due takes turns by account, no account takes more slots than it leaves
 * free, and slow queues together hold at most half of them.
 */
import { attemptsAtOnceMax } from "../domain/attempt-width.ts";
import { QueueTurns, type TurnLimits } from "./queue-turns.ts";
import type { WebhookQueue } from "./webhook-queues.ts";

export interface ConcurrencyLimits {
  attemptsMax: number;
  /** However well its receiver answers. */
  attemptsOfQueueMax: number;
  /** For all queues of one group together; null for no limit. */
  attemptsOfGroupMax: number | null;
}

/** docs/api-rules.md, "Webhooks". */
export const webhookLimits: ConcurrencyLimits = {
  attemptsMax: 64,
  attemptsOfQueueMax: attemptsAtOnceMax,
  attemptsOfGroupMax: null,
};

export class ConcurrencyLimiter {
  readonly #limits: ConcurrencyLimits;
  readonly #prompt = new QueueTurns();
  readonly #slow = new QueueTurns();
  readonly #ofAccount = new Counts();
  readonly #ofGroup = new Counts();
  readonly #turnLimits: TurnLimits;
  #inFlight = 0;
  #slowInFlight = 0;
  #isSlowTurn = false;

  constructor(limits: ConcurrencyLimits = webhookLimits) {
    this.#limits = limits;
    const groupMax = limits.attemptsOfGroupMax ?? Number.POSITIVE_INFINITY;
    this.#turnLimits = {
      // One account alone gets half of the slots, the next half of the rest: another's first attempt finds one free.
      mayAccount: (accountId) => this.#ofAccount.of(accountId) < limits.attemptsMax - this.#inFlight,
      mayGroup: (group) => this.#ofGroup.of(group) < groupMax,
    };
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  /** The queue waits for its turn, unless it is already waiting or at its limit. */
  enqueue(queue: WebhookQueue): void {
    if (queue.isWaiting || this.isFull(queue)) return;
    queue.isWaiting = true;
    (queue.isSlow ? this.#slow : this.#prompt).add(queue);
  }

  /** True if the queue has all the attempts it may have. */
  isFull({ inFlight, attemptsAtOnce }: WebhookQueue): boolean {
    return inFlight >= Math.min(attemptsAtOnce, this.#limits.attemptsOfQueueMax);
  }

  /** The next queue that may start an attempt, or null if no slot is free for those that wait. */
  next(): WebhookQueue | null {
    while (this.#inFlight < this.#limits.attemptsMax) {
      this.#isSlowTurn = !this.#isSlowTurn;
      const prompt = () => this.#prompt.next(this.#turnLimits);
      const queue = this.#isSlowTurn ? (this.#nextSlow() ?? prompt()) : (prompt() ?? this.#nextSlow());
      if (queue === null) return null;
      queue.isWaiting = false;
      // Its receiver may have asked for less while it waited; it waits again when an attempt of it ends.
      if (!this.isFull(queue)) return queue;
    }
    return null;
  }

  /** Takes a slot for the queue; returns a function that frees it. */
  acquire(queue: WebhookQueue): () => void {
    const { isSlow, group, accountId } = queue;
    const count = (change: 1 | -1) => {
      queue.inFlight += change;
      this.#inFlight += change;
      if (isSlow) this.#slowInFlight += change;
      this.#ofAccount.add(accountId, change);
      this.#ofGroup.add(group, change);
    };
    count(1);
    return () => count(-1);
  }

  /** An endpoint that hangs holds its slot for ten seconds: slow ones must not hold them all. */
  #nextSlow(): WebhookQueue | null {
    const maySlow = this.#slowInFlight < this.#limits.attemptsMax / 2;
    return maySlow ? this.#slow.next(this.#turnLimits) : null;
  }
}

/** Attempts in progress by account or group; those without any take no room. */
class Counts {
  readonly #counts = new Map<number, number>();

  of(id: number): number {
    return this.#counts.get(id) ?? 0;
  }

  add(id: number, change: 1 | -1): void {
    const count = this.of(id) + change;
    if (count > 0) this.#counts.set(id, count);
    else this.#counts.delete(id);
  }
}
