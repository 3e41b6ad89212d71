/** What an operator does with callbacks: look at every delivery and attempt, and have events delivered once more. */
import { callbacksCountedMax } from "../domain/backlog.ts";
import type { Clock } from "../platform/clock.ts";
import type { AttemptRow, DeliveryRow } from "../store/delivery-log.ts";
import type { Store } from "../store/store.ts";
import type { WebhookRow } from "../store/webhooks.ts";
import { endStopped } from "./end-stopped.ts";

export interface DeliveryServiceDeps {
  store: Store;
  clock: Pick<Clock, "now">;
  /** These webhooks have something due. */
  wake(webhookIds: Iterable<number>): void;
}

export interface DeliveryView extends DeliveryRow {
  attemptsMade: readonly AttemptRow[];
}

export interface WebhookOverview {
  webhook: WebhookRow;
  waiting: number;
  oldestDueAt: number | null;
  latest: DeliveryRow | null;
}

/** Rows in one transaction of a replay. */
const sliceRows = 200;

export type DeliveryService = ReturnType<typeof deliveryService>;

export function deliveryService({ store, clock, wake }: DeliveryServiceDeps) {
  const { webhooks, deliveryLog } = store.tables;
  return {
    /** Every webhook of every account, or of one, with what waits for it (counted up to `callbacksCountedMax`) and its latest delivery. */
    list(accountId: number | null): WebhookOverview[] {
      const rows = accountId === null ? webhooks.all() : webhooks.ofAccount(accountId);
      return rows.map((webhook) => ({
        webhook,
        ...deliveryLog.backlog(webhook.id, callbacksCountedMax),
        latest: deliveryLog.ofWebhook(webhook.id, Number.MAX_SAFE_INTEGER, 1)[0] ?? null,
      }));
    },

    /** The newest deliveries first, each with its attempts; also of a removed webhook. Null where there never was one. */
    deliveries(webhookId: string, limit: number): DeliveryView[] | null {
      const webhook = webhooks.byPublicIdAnywhere(webhookId);
      if (webhook === null) return null;
      const rows = deliveryLog.ofWebhook(webhook.id, Number.MAX_SAFE_INTEGER, limit);
      return rows.map((row) => ({ ...row, attemptsMade: deliveryLog.attemptsOf(row.id) }));
    },

    /** Delivers one event again, with the same id, to each active webhook that had it; returns how many. Null: no such event. */
    async replayEvent(eventId: string): Promise<number | null> {
      const webhookIds = await store.write((tables) => tables.deliveryLog.replayEvent(eventId, clock.now()));
      if (webhookIds !== null) wake(webhookIds);
      return webhookIds?.length ?? null;
    },

    /**
     * Delivers again whatever was created for a webhook at `since` (epoch ms) or later, delivered or not; returns how many.
     * Null: no such webhook, or it is not active.
     */
    async replaySince(webhookId: string, since: number): Promise<number | null> {
      const webhook = webhooks.byPublicIdAnywhere(webhookId);
      if (webhook === null || webhook.removedAt !== null || !webhook.active) return null;
      // What was switched off ends first; else it would end what is replayed here.
      await endStopped(store, webhook.id, clock, () => true);
      let count = 0;
      let place: { afterEvent: number; since: number } | null = { afterEvent: 0, since };
      while (place !== null) {
        const from: { afterEvent: number; since: number } = place;
        const slice = await store.write((tables) =>
          tables.deliveryLog.replaySlice(webhook.id, from, clock.now(), sliceRows),
        );
        count += slice.count;
        place = slice.next;
        wake([webhook.id]);
      }
      return count;
    },
  };
}
