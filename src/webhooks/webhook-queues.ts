/**
 * One queue for each webhook with waiting deliveries: a short page of what is due, and which attempts are in progress.
 */
import {
  type AttemptWidth,
  attemptsAtFirst,
  attemptsAtOnce,
  firstWidth,
  type WidthAnswer,
  widthAfter,
  widthAt,
} from "../domain/attempt-width.ts";
import type { Clock, Timer } from "../platform/clock.ts";
import { dropOldest } from "../platform/drop-oldest.ts";
import type { Logger } from "../platform/log.ts";
import type { DueDelivery, OutboxTable } from "../store/outbox.ts";
import type { Tables } from "../store/store.ts";
import type { WebhookHealth, WebhookRow } from "../store/webhooks.ts";

/** However many deliveries of a webhook wait, only this many are in memory. */
const pageLength = 32;
/** Of webhooks that nothing waits for at the moment; the oldest goes. */
const widthsMax = 1_000;

export type DueReader = Pick<OutboxTable, "due">;

/** The current secret, and the one that replaces it from `from` (epoch ms) on. */
export interface SigningSecrets {
  present: string;
  next: { secret: string; from: number } | null;
}

export class WebhookQueue {
  /** Ends the attempts in progress. */
  readonly stop = new AbortController();
  /** Attempts that hold a slot. */
  inFlight = 0;
  /** It waits for a slot. */
  isWaiting = false;
  /** Attempts that it may have at once. */
  attemptsAtOnce = attemptsAtFirst;
  /** The receiver's recent health; it is slow if its last attempt timed out. */
  health: WebhookHealth;
  /** Wakes it when its next delivery is due. */
  timer: Timer | null = null;
  #page: DueDelivery[] = [];
  /** Deliveries whose outcome is not on disk yet: to the store they are still due. */
  readonly #taken = new Set<number>();

  constructor(
    readonly webhook: WebhookRow,
    /** Changes when the secret is rotated. */
    public secrets: SigningSecrets,
    /** How its receiver has answered. */
    public width: AttemptWidth = firstWidth,
  ) {
    this.health = webhook;
  }

  /** The receiver's answer decides how many attempts it may have from now on. */
  answered(answer: WidthAnswer): void {
    this.width = widthAfter(this.width, answer);
    this.attemptsAtOnce = attemptsAtOnce(this.width, answer.at);
  }

  /** Nothing was under way for a while: what was known of its receiver may be too old, or its Retry-After over. */
  rested(now: number): void {
    this.width = widthAt(this.width, now);
    this.attemptsAtOnce = attemptsAtOnce(this.width, now);
  }

  /** Slow queues together never hold every slot. */
  get isSlow(): boolean {
    return this.health.isSlow;
  }

  get accountId(): number {
    return this.webhook.accountId;
  }

  /** The group of a customer's webhook, or the credential whose messages are called back. */
  get group(): number {
    return this.webhook.credentialId ?? 0;
  }

  signingSecretAt(now: number): string {
    const { present, next } = this.secrets;
    return next !== null && now >= next.from ? next.secret : present;
  }

  /** Nothing is in progress. */
  get isIdle(): boolean {
    return this.#taken.size === 0;
  }

  /** The next due delivery, or null. It is not returned again before `settled`. */
  take(now: number, outbox: DueReader): DueDelivery | null {
    if (this.#page.length === 0) this.#page = outbox.due(this.webhook.id, now, pageLength, this.#taken);
    const next = this.#page.shift();
    if (next === undefined) return null;
    this.#taken.add(next.id);
    return next;
  }

  settled(deliveryId: number): void {
    this.#taken.delete(deliveryId);
  }
}

export interface WebhookQueuesDeps {
  clock: Pick<Clock, "monotonic">;
  webhooks: Tables["webhooks"];
  log: Logger;
  openSecret(sealed: Uint8Array): string;
  isSuspended(accountId: number): boolean;
  /** True if these queues handle it; each webhook belongs to one deliverer. */
  isOwn(webhookId: number): boolean;
}

/** Active, not removed, and all deliveries from before it was switched off have been marked as stopped. */
const isDeliverable = (webhook: WebhookRow | null): webhook is WebhookRow =>
  webhook?.active === true && webhook.removedAt === null && webhook.stoppedThrough === 0;

export class WebhookQueues {
  readonly #byWebhook = new Map<number, WebhookQueue>();
  /** Of queues that were removed. */
  readonly #widths = new Map<number, AttemptWidth>();

  constructor(private readonly deps: WebhookQueuesDeps) {}

  all(): IterableIterator<WebhookQueue> {
    return this.#byWebhook.values();
  }

  /** The webhook's queue, or null if nothing may be sent to the webhook now. */
  open(webhookId: number): WebhookQueue | null {
    const known = this.#byWebhook.get(webhookId);
    if (known !== undefined) {
      if (known.isIdle) known.rested(this.deps.clock.monotonic());
      return known;
    }
    if (!this.deps.isOwn(webhookId)) return null;
    const webhook = this.deps.webhooks.byId(webhookId);
    if (!isDeliverable(webhook) || this.deps.isSuspended(webhook.accountId)) return null;
    const secrets = this.#secretsOf(webhook);
    if (secrets === null) return null;
    const queue = new WebhookQueue(webhook, secrets, this.#widths.get(webhookId));
    queue.rested(this.deps.clock.monotonic());
    this.#byWebhook.set(webhookId, queue);
    this.#widths.delete(webhookId);
    return queue;
  }

  /** How many attempts at once the webhook's receiver has earned. */
  widthOf(webhookId: number): AttemptWidth {
    const known = this.#byWebhook.get(webhookId)?.width ?? this.#widths.get(webhookId) ?? firstWidth;
    return widthAt(known, this.deps.clock.monotonic());
  }

  /** Nothing waits in it. What is known of its receiver stays for a while: the next event may come in a moment. */
  remove({ webhook, width }: WebhookQueue): void {
    this.#byWebhook.delete(webhook.id);
    if (width === firstWidth) return;
    this.#widths.set(webhook.id, width);
    dropOldest(this.#widths, widthsMax);
  }

  /** Also ends the attempts in progress. */
  close(webhookId: number): void {
    const queue = this.#byWebhook.get(webhookId);
    queue?.timer?.cancel();
    queue?.stop.abort();
    this.#byWebhook.delete(webhookId);
  }

  /**
   * A webhook was changed: its queue is closed if nothing may be sent to it now, otherwise it signs with the current
   * secrets.
   */
  refresh(webhookId: number): void {
    const queue = this.#byWebhook.get(webhookId);
    if (queue === undefined) return;
    const webhook = this.deps.webhooks.byId(webhookId);
    const secrets = isDeliverable(webhook) ? this.#secretsOf(webhook) : null;
    if (secrets === null) this.close(webhookId);
    else queue.secrets = secrets;
  }

  /** A secret that cannot be opened must not stop the other webhooks; this one's deliveries keep waiting. */
  #secretsOf({ sealedSecret, nextSealedSecret, nextSecretFrom, publicId }: WebhookRow): SigningSecrets | null {
    const { openSecret } = this.deps;
    try {
      const present = openSecret(sealedSecret);
      if (nextSealedSecret === null || nextSecretFrom === null) return { present, next: null };
      return { present, next: { secret: openSecret(nextSealedSecret), from: nextSecretFrom } };
    } catch (reason) {
      const message = "The signing secret of a webhook cannot be opened: its callbacks wait";
      this.deps.log.error({ err: reason, webhook: publicId }, message);
      return null;
    }
  }
}
