/** Who goes next: lanes with something due take turns for 64 places, and slow ones together never hold more than half of them. */
import { attemptsAtOnceMax, type WebhookQueue } from "./webhook-queue.ts";

/** Decisions, "Webhooks": attempts at once in all. */
export const attemptsInFlightMax = 64;
/** Endpoints that hang hold their place for ten seconds; 32 of them would otherwise stop everybody else. */
const slowAttemptsMax = attemptsInFlightMax / 2;

export class ConcurrencyLimiter {
  readonly #prompt: WebhookQueue[] = [];
  readonly #slow: WebhookQueue[] = [];
  #taken = 0;
  #slowTaken = 0;
  #isSlowTurn = false;

  get taken(): number {
    return this.#taken;
  }

  /** Puts a lane at the end of its row, once. */
  enqueue(lane: WebhookQueue): void {
    if (lane.isQueued || lane.inFlight >= attemptsAtOnceMax) return;
    lane.isQueued = true;
    (lane.isSlow ? this.#slow : this.#prompt).push(lane);
  }

  /** The next lane that may take a place, or null when all is taken or nobody waits. */
  next(): WebhookQueue | null {
    if (this.#taken >= attemptsInFlightMax) return null;
    const maySlow = this.#slow.length > 0 && this.#slowTaken < slowAttemptsMax;
    this.#isSlowTurn = !this.#isSlowTurn;
    const row = maySlow && (this.#isSlowTurn || this.#prompt.length === 0) ? this.#slow : this.#prompt;
    const lane = row.shift() ?? null;
    if (lane !== null) lane.isQueued = false;
    return lane;
  }

  /** Returns what gives the place back. */
  occupy(lane: WebhookQueue): () => void {
    const { isSlow } = lane;
    lane.inFlight += 1;
    this.#taken += 1;
    if (isSlow) this.#slowTaken += 1;
    return () => {
      lane.inFlight -= 1;
      this.#taken -= 1;
      if (isSlow) this.#slowTaken -= 1;
    };
  }
}
