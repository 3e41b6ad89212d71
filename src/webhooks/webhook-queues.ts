/** Which webhooks have a lane: opened when something waits for one that may hear it, closed when it must stop. */
import type { Logger } from "../platform/log.ts";
import type { Tables } from "../store/store.ts";
import type { WebhookRow } from "../store/webhooks.ts";
import { WebhookQueue } from "./webhook-queue.ts";

export interface WebhookQueuesDeps {
  webhooks: Tables["webhooks"];
  log: Logger;
  openSecret(sealed: Uint8Array): string;
  isSuspended(accountId: number): boolean;
}

/** Active, there, and nothing of it is still to be ended. */
const goesOn = (webhook: WebhookRow | null): webhook is WebhookRow =>
  webhook?.active === true && webhook.removedAt === null && webhook.stoppedThrough === 0;

export class WebhookQueues {
  readonly #lanes = new Map<number, WebhookQueue>();

  constructor(readonly parts: WebhookQueuesDeps) {}

  all(): IterableIterator<WebhookQueue> {
    return this.#lanes.values();
  }

  /** The webhook's lane, or null where nothing may be sent to it now. */
  open(webhookId: number): WebhookQueue | null {
    const known = this.#lanes.get(webhookId);
    if (known !== undefined) return known;
    const webhook = this.parts.webhooks.byId(webhookId);
    if (!goesOn(webhook) || this.parts.isSuspended(webhook.accountId)) return null;
    const signingSecret = this.#secretOf(webhook);
    if (signingSecret === null) return null;
    const lane = new WebhookQueue(webhook, signingSecret);
    this.#lanes.set(webhookId, lane);
    return lane;
  }

  /** Nothing waits: the lane goes, and what is under way ends as it will. */
  dismiss(lane: WebhookQueue): void {
    this.#lanes.delete(lane.webhook.id);
  }

  /** Ends what is under way as well. */
  close(webhookId: number): void {
    const lane = this.#lanes.get(webhookId);
    lane?.timer?.cancel();
    lane?.stop.abort();
    this.#lanes.delete(webhookId);
  }

  closeUnlessGoing(webhookId: number): void {
    if (!goesOn(this.parts.webhooks.byId(webhookId))) this.close(webhookId);
  }

  /** One secret that cannot be opened must not stop every other webhook; what waits for this one stays. */
  #secretOf({ sealedSecret, publicId }: WebhookRow): string | null {
    try {
      return this.parts.openSecret(sealedSecret);
    } catch (reason) {
      const words = "The signing secret of a webhook cannot be opened: its callbacks wait";
      this.parts.log.error({ err: reason, webhook: publicId }, words);
      return null;
    }
  }
}
