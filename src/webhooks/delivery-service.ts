/** Operator actions on callbacks: viewing every delivery and attempt, and replaying events. */
import { callbacksCountedMax } from "../domain/backlog.ts";
import type { ListRange, PartOfList } from "../domain/list-part.ts";
import type { Clock } from "../platform/clock.ts";
import { mapInSlices } from "../platform/next-turn.ts";
import type { AttemptRow, CallbackRow, DeliveryRow, DueCallbackRow, ReplayPlace } from "../store/delivery-log.ts";
import type { Store } from "../store/store.ts";
import type { WebhookRow } from "../store/webhooks.ts";
import { endStoppedDeliveries } from "./stopped-deliveries.ts";
import type { WebhookPace } from "./webhook-pace.ts";

export interface DeliveryServiceDeps {
  store: Store;
  clock: Pick<Clock, "now">;
  /** These webhooks have something due. */
  wake(webhookIds: Iterable<number>): void;
  paceOf(webhookId: number): WebhookPace;
}

export interface DeliveryView extends DeliveryRow {
  /** Of the message that the event is about; null if it is about none, or the message is gone. */
  recipient: string | null;
  attemptsMade: readonly AttemptRow[];
}

export interface WebhookOverview {
  webhook: WebhookRow;
  pace: WebhookPace;
  /** Counted up to `callbacksCountedMax`. */
  waiting: number;
  oldestDueAt: number | null;
  latest: DeliveryRow | null;
  /** Null if it was not called yet. */
  lastAttempt: AttemptRow | null;
  /** Among the newest deliveries: how many have ended, and how many of those the receiver accepted. */
  recent: { ended: number; delivered: number };
}

export interface FailingWebhook {
  webhook: WebhookRow;
  /** Counted up to `callbacksCountedMax`. */
  waiting: number;
  /** The answer to the last attempt; null if none is stored. */
  answer: string | null;
  /** The same as data. */
  attempt: Pick<AttemptRow, "failure" | "status" | "detail"> | null;
}

/** Per webhook, to show how it has been answering. */
const recentMax = 50;
/** Among so many deliveries is the one tried last. */
const lastAmongMax = 20;
/** Nobody would read more. */
const failingShownMax = 20;
/** Per message: enough for every step at five webhooks, and some repeats. */
const callbacksShownMax = 100;
/** Rows per transaction of a replay. */
const rowsPerSlice = 200;

export class DeliveryService {
  constructor(private readonly deps: DeliveryServiceDeps) {}

  /** Every webhook of every account, or of one, with its backlog and its latest delivery. Each takes some 50 µs. */
  list(accountId: number | null): Promise<WebhookOverview[]> {
    const { webhooks } = this.deps.store.tables;
    const listed = accountId === null ? webhooks.all() : webhooks.ofAccount(accountId);
    return mapInSlices(listed, (webhook) => this.#overviewOf(webhook));
  }

  /** Webhooks of every account, or of one; failing ones first. */
  async part(range: ListRange, accountId?: number): Promise<PartOfList<WebhookOverview>> {
    const part = await this.deps.store.tables.webhooks.part(range, accountId);
    return { ...part, rows: part.rows.map((webhook) => this.#overviewOf(webhook)) };
  }

  /** The webhook with this id, as in `list`; null if there is none, or it was removed. */
  show(webhookId: string): WebhookOverview | null {
    const webhook = this.present(webhookId);
    return webhook === null ? null : this.#overviewOf(webhook);
  }

  /** Like `show`, without its deliveries. */
  present(webhookId: string): WebhookRow | null {
    const webhook = this.deps.store.tables.webhooks.byPublicIdAnywhere(webhookId);
    return webhook?.removedAt === null ? webhook : null;
  }

  #overviewOf(webhook: WebhookRow): WebhookOverview {
    const { deliveryLog } = this.deps.store.tables;
    const recent = deliveryLog.ofWebhook(webhook.id, Number.MAX_SAFE_INTEGER, recentMax);
    const ended = recent.filter(({ state }) => state === "delivered" || state === "failed");
    return {
      webhook,
      pace: this.deps.paceOf(webhook.id),
      ...deliveryLog.backlog(webhook.id, callbacksCountedMax),
      latest: recent[0] ?? null,
      lastAttempt: deliveryLog.lastAttempt(webhook.id, lastAmongMax),
      recent: { ended: ended.length, delivered: ended.filter(({ state }) => state === "delivered").length },
    };
  }

  /**
   * Webhooks whose every callback fails, or that the service switched off for that reason; with the last answer, if
   * any.
   */
  failing(): FailingWebhook[] {
    const { webhooks, deliveryLog } = this.deps.store.tables;
    return webhooks.failing(failingShownMax).map((webhook) => {
      const attempt = deliveryLog.lastAttempt(webhook.id, lastAmongMax);
      const answer = attempt === null ? null : (attempt.detail ?? String(attempt.status ?? attempt.failure));
      return { webhook, waiting: deliveryLog.backlog(webhook.id, callbacksCountedMax).waiting, answer, attempt };
    });
  }

  /** The first webhooks that the service switched off and nobody has switched on or removed since. */
  switchedOff(limit: number): WebhookRow[] {
    return this.deps.store.tables.webhooks.switchedOff(limit);
  }

  countSwitchedOff(): number {
    return this.deps.store.tables.webhooks.countSwitchedOff();
  }

  /**
   * The newest deliveries first, below the event `before` if given, each with its attempts; includes removed webhooks.
   * Null: no such webhook, or no such event there.
   */
  deliveries(webhookId: string, limit: number, before?: string): DeliveryView[] | null {
    const { webhooks, deliveryLog, messages } = this.deps.store.tables;
    const webhook = webhooks.byPublicIdAnywhere(webhookId);
    if (webhook === null) return null;
    const below = before === undefined ? Number.MAX_SAFE_INTEGER : deliveryLog.eventAt(webhook.id, before);
    if (below === null) return null;
    const rows = deliveryLog.ofWebhook(webhook.id, below, limit);
    return rows.map((row) => ({
      ...row,
      recipient: row.subject === null ? null : (messages.byCodeAnywhere(row.subject)?.recipient ?? null),
      attemptsMade: deliveryLog.attemptsOf(row.id),
    }));
  }

  /** The attempts to notify webhooks of a message, oldest first. */
  callbacksOf(trackingCode: string): CallbackRow[] {
    return this.deps.store.tables.deliveryLog.ofSubject(trackingCode, callbacksShownMax);
  }

  /** The next call of a webhook about a message; null if none is due. */
  nextCallbackOf(trackingCode: string): DueCallbackRow | null {
    return this.deps.store.tables.deliveryLog.dueOfSubject(trackingCode);
  }

  /**
   * Delivers one event again, with the same id, to each active webhook that had it, and returns their number. Null: no
   * such event.
   */
  async replayEvent(eventId: string): Promise<number | null> {
    const { store, clock, wake } = this.deps;
    const webhookIds = await store.write((tables) => tables.deliveryLog.replayEvent(eventId, clock.now()));
    if (webhookIds !== null) wake(webhookIds);
    return webhookIds?.length ?? null;
  }

  /** Delivers one event again to this webhook only. Null: it is not active, or never had the event. */
  async replayAt(webhookId: string, eventId: string): Promise<number | null> {
    const { store, clock, wake } = this.deps;
    const webhook = this.#active(webhookId);
    const event = webhook === null ? null : store.tables.deliveryLog.eventAt(webhook.id, eventId);
    if (webhook === null || event === null) return null;
    const isDue = await store.write((tables) => tables.deliveryLog.replayAt(webhook.id, event, clock.now()));
    wake([webhook.id]);
    return isDue ? 1 : 0;
  }

  /**
   * Delivers again everything created for a webhook at or after `since` (epoch ms), delivered or not, or only what
   * failed; returns how many. Null: no such webhook, or it is not active.
   */
  async replaySince(webhookId: string, since: number, onlyFailed = false): Promise<number | null> {
    const { store, clock, wake } = this.deps;
    const webhook = this.#active(webhookId);
    if (webhook === null) return null;
    // Otherwise the deliveries replayed here would be marked as stopped afterwards.
    await endStoppedDeliveries(store, webhook.id, clock, () => true);
    let count = 0;
    let next: ReplayPlace | null = { afterEvent: 0, since, onlyFailed };
    while (next !== null) {
      const from: ReplayPlace = next;
      const slice = await store.write((tables) =>
        tables.deliveryLog.replaySlice(webhook.id, from, clock.now(), rowsPerSlice),
      );
      count += slice.count;
      next = slice.next;
      wake([webhook.id]);
    }
    return count;
  }

  #active(webhookId: string): WebhookRow | null {
    const webhook = this.present(webhookId);
    return webhook?.active === true ? webhook : null;
  }
}
