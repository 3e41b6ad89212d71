/** One webhook's deliveries as the deliverer sees them: a short page of what is due, and what is under way. */
import type { Timer } from "../platform/clock.ts";
import type { DueDelivery } from "../store/outbox.ts";
import type { WebhookRow } from "../store/webhooks.ts";

/** Decisions, "Webhooks": attempts at once for one subscription. */
export const attemptsAtOnceMax = 2;
/** However many wait, so many of a webhook are in memory. */
const pageLength = 32;

export type ReadDue = (webhookId: number, now: number, limit: number) => DueDelivery[];

export class WebhookQueue {
  /** Ends what is under way. */
  readonly stop = new AbortController();
  /** Attempts that occupy a place. */
  inFlight = 0;
  /** It stands in the deliverer's row already. */
  isQueued = false;
  /** Its last attempt took all of its time: such lanes together may not take every place. */
  isSlow = false;
  timer: Timer | null = null;
  #page: DueDelivery[] = [];
  /** Taken, and their outcome not yet on disk: to the store they are still due. */
  readonly #taken = new Set<number>();

  constructor(
    readonly webhook: WebhookRow,
    readonly signingSecret: string,
  ) {}

  get isIdle(): boolean {
    return this.#taken.size === 0;
  }

  /** The next delivery that is due, or null. It counts as taken until `settled`. */
  take(now: number, readDue: ReadDue): DueDelivery | null {
    if (this.#page.length === 0) this.#page = this.#readPage(now, readDue);
    const next = this.#page.shift();
    if (next === undefined) return null;
    this.#taken.add(next.id);
    return next;
  }

  settled(deliveryId: number): void {
    this.#taken.delete(deliveryId);
  }

  #readPage(now: number, readDue: ReadDue): DueDelivery[] {
    return readDue(this.webhook.id, now, pageLength + this.#taken.size).filter(({ id }) => !this.#taken.has(id));
  }
}
