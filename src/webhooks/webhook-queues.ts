/** One queue for each webhook with deliveries waiting: a short page of what is due, and which attempts are under way. */
import type { Timer } from "../platform/clock.ts";
import type { Logger } from "../platform/log.ts";
import type { DueDelivery, OutboxTable } from "../store/outbox.ts";
import type { Tables } from "../store/store.ts";
import type { WebhookRow } from "../store/webhooks.ts";

/** However many deliveries of a webhook wait, only so many are in memory. */
const pageLength = 32;

export type DueReader = Pick<OutboxTable, "due">;

export class WebhookQueue {
  /** Ends the attempts under way. */
  readonly stop = new AbortController();
  /** Attempts that hold a slot. */
  inFlight = 0;
  /** It waits for a slot. */
  isWaiting = false;
  /** Its last attempt timed out: such queues together never hold every slot. */
  isSlow = false;
  /** Wakes it when its next delivery is due. */
  timer: Timer | null = null;
  #page: DueDelivery[] = [];
  /** Deliveries whose outcome is not on disk yet: to the store they are still due. */
  readonly #taken = new Set<number>();

  constructor(
    readonly webhook: WebhookRow,
    readonly signingSecret: string,
  ) {}

  /** Nothing is under way. */
  get isIdle(): boolean {
    return this.#taken.size === 0;
  }

  /** The next delivery that is due, or null. It is not given again before `settled`. */
  take(now: number, outbox: DueReader): DueDelivery | null {
    if (this.#page.length === 0) this.#page = this.#readPage(now, outbox);
    const next = this.#page.shift();
    if (next === undefined) return null;
    this.#taken.add(next.id);
    return next;
  }

  settled(deliveryId: number): void {
    this.#taken.delete(deliveryId);
  }

  #readPage(now: number, outbox: DueReader): DueDelivery[] {
    return outbox.due(this.webhook.id, now, pageLength + this.#taken.size).filter(({ id }) => !this.#taken.has(id));
  }
}

export interface WebhookQueuesDeps {
  webhooks: Tables["webhooks"];
  log: Logger;
  openSecret(sealed: Uint8Array): string;
  isSuspended(accountId: number): boolean;
}

/** Active, not removed, and no delivery from before it was switched off is still to be marked as stopped. */
const isDeliverable = (webhook: WebhookRow | null): webhook is WebhookRow =>
  webhook?.active === true && webhook.removedAt === null && webhook.stoppedThrough === 0;

export class WebhookQueues {
  readonly #deps: WebhookQueuesDeps;
  readonly #byWebhook = new Map<number, WebhookQueue>();

  constructor(deps: WebhookQueuesDeps) {
    this.#deps = deps;
  }

  all(): IterableIterator<WebhookQueue> {
    return this.#byWebhook.values();
  }

  /** The webhook's queue, or null if nothing may be sent to the webhook now. */
  open(webhookId: number): WebhookQueue | null {
    const known = this.#byWebhook.get(webhookId);
    if (known !== undefined) return known;
    const webhook = this.#deps.webhooks.byId(webhookId);
    if (!isDeliverable(webhook) || this.#deps.isSuspended(webhook.accountId)) return null;
    const signingSecret = this.#secretOf(webhook);
    if (signingSecret === null) return null;
    const queue = new WebhookQueue(webhook, signingSecret);
    this.#byWebhook.set(webhookId, queue);
    return queue;
  }

  /** Nothing waits in it. */
  remove({ webhook }: WebhookQueue): void {
    this.#byWebhook.delete(webhook.id);
  }

  /** Also ends the attempts under way. */
  close(webhookId: number): void {
    const queue = this.#byWebhook.get(webhookId);
    queue?.timer?.cancel();
    queue?.stop.abort();
    this.#byWebhook.delete(webhookId);
  }

  closeUnlessDeliverable(webhookId: number): void {
    if (!isDeliverable(this.#deps.webhooks.byId(webhookId))) this.close(webhookId);
  }

  /** One secret that cannot be opened must not stop the other webhooks; the deliveries of this one go on waiting. */
  #secretOf({ sealedSecret, publicId }: WebhookRow): string | null {
    try {
      return this.#deps.openSecret(sealedSecret);
    } catch (reason) {
      const message = "The signing secret of a webhook cannot be opened: its callbacks wait";
      this.#deps.log.error({ err: reason, webhook: publicId }, message);
      return null;
    }
  }
}
