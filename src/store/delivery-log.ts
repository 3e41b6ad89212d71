/** The delivery history of events at webhooks, for the operator, and replays. */
import type { Database } from "bun:sqlite";
import { columnsOf, type RowOf } from "./columns.ts";
import { attempt, delivery, event, webhook } from "./schema.ts";

const deliveryColumns = columnsOf(delivery, "id", "webhookId", "state", "dueAt", "attempts", "createdAt", "endedAt");
const eventColumns = columnsOf(event, "kind", "subject", "step");
const attemptColumns = columnsOf(
  attempt,
  "number",
  "at",
  "failure",
  "detail",
  "status",
  "address",
  "durationMs",
  "excerpt",
);
const sliceColumns = columnsOf(delivery, "id", "eventId", "createdAt", "state");

/** `subject`: the tracking code that the event is about. */
export type DeliveryRow = RowOf<typeof deliveryColumns> & RowOf<typeof eventColumns> & { eventId: string };
export type AttemptRow = RowOf<typeof attemptColumns>;

const callbackColumns = [
  columnsOf(event, "step"),
  columnsOf(attempt, "at", "failure", "status", "durationMs"),
  columnsOf(webhook, "publicId", "url"),
] as const;

/** An attempt to notify a webhook of one step of a message. */
export type CallbackRow = RowOf<(typeof callbackColumns)[0]> &
  RowOf<(typeof callbackColumns)[1]> &
  RowOf<(typeof callbackColumns)[2]>;

const dueColumns = [
  columnsOf(event, "step"),
  columnsOf(delivery, "dueAt", "attempts"),
  columnsOf(webhook, "url"),
] as const;

/** A delivery of one step of a message that is still to be made. */
export type DueCallbackRow = RowOf<(typeof dueColumns)[0]> &
  RowOf<(typeof dueColumns)[1]> &
  RowOf<(typeof dueColumns)[2]>;

/** Waiting deliveries of a webhook, and when the first is due. */
export interface DeliveryBacklog {
  waiting: number;
  oldestDueAt: number | null;
}

/** How far a replay of a webhook's deliveries has got. `since` is in epoch milliseconds. */
export interface ReplayPlace {
  afterEvent: number;
  since: number;
  onlyFailed: boolean;
}

const replayed = "state = 'waiting', due_at = ?2, ended_at = NULL, attempts_before = attempts";
/** A held delivery is not replayed: it waits for an earlier event. Replaying a waiting one only makes it due now. */
const replayable = "state IN ('waiting', 'delivered', 'failed', 'stopped')";

const prepare = (database: Database) => ({
  ofWebhook: database.prepare<DeliveryRow, [number, number, number]>(
    `SELECT ${deliveryColumns}, ${eventColumns}, event.public_id AS eventId
     FROM delivery JOIN event ON event.id = delivery.event_id WHERE delivery.webhook_id = ? AND delivery.event_id IN (
       SELECT event_id FROM delivery WHERE webhook_id = ?1 AND event_id < ?2 ORDER BY event_id DESC LIMIT ?3)
     ORDER BY delivery.event_id DESC`,
  ),
  attempts: database.prepare<AttemptRow, [number]>(
    `SELECT ${attemptColumns} FROM attempt WHERE delivery_id = ? ORDER BY number`,
  ),
  // In a backlog the newest deliveries were not tried yet: those tried last are due last, or came before it.
  lastAttempt: database.prepare<AttemptRow, [number, number]>(
    `SELECT ${attemptColumns} FROM attempt WHERE delivery_id IN (
       SELECT id FROM (SELECT id FROM delivery WHERE webhook_id = ?1 ORDER BY event_id DESC LIMIT ?2)
       UNION SELECT id FROM (
         SELECT id FROM delivery WHERE webhook_id = ?1 AND due_at IS NOT NULL ORDER BY due_at DESC LIMIT ?2)
       UNION SELECT id FROM (
         SELECT id FROM delivery WHERE webhook_id = ?1 AND event_id < (
           SELECT event_id FROM delivery WHERE webhook_id = ?1 AND due_at IS NOT NULL ORDER BY due_at, id LIMIT 1)
         ORDER BY event_id DESC LIMIT ?2))
     ORDER BY at DESC, delivery_id DESC, number DESC LIMIT 1`,
  ),
  ofSubject: database.prepare<CallbackRow, [string, number]>(
    // In this order, because deliveries are indexed by webhook.
    `SELECT ${callbackColumns.join(", ")} FROM event
     CROSS JOIN webhook ON webhook.account_id = event.account_id
     CROSS JOIN delivery ON delivery.webhook_id = webhook.id AND delivery.event_id = event.id
     CROSS JOIN attempt ON attempt.delivery_id = delivery.id
     WHERE event.subject = ? ORDER BY attempt.at, attempt.delivery_id, attempt.number LIMIT ?`,
  ),
  dueOfSubject: database.prepare<DueCallbackRow, [string]>(
    `SELECT ${dueColumns.join(", ")} FROM event
     CROSS JOIN webhook ON webhook.account_id = event.account_id
     CROSS JOIN delivery ON delivery.webhook_id = webhook.id AND delivery.event_id = event.id
     WHERE event.subject = ? AND delivery.due_at IS NOT NULL ORDER BY delivery.due_at LIMIT 1`,
  ),
  event: database.prepare<{ id: number; accountId: number }, [string]>(
    `SELECT ${columnsOf(event, "id", "accountId")} FROM event WHERE public_id = ?`,
  ),
  replayEvent: database.prepare<{ webhookId: number }, [number, number, number]>(
    `UPDATE delivery SET ${replayed} WHERE event_id = ?1 AND webhook_id IN (
       SELECT id FROM webhook WHERE account_id = ?3 AND active = 1 AND removed_at IS NULL)
     AND ${replayable} RETURNING webhook_id AS webhookId`,
  ),
  replayAt: database.prepare<null, [number, number, number]>(
    `UPDATE delivery SET ${replayed} WHERE event_id = ?1 AND webhook_id = ?3 AND ${replayable}`,
  ),
  eventAt: database.prepare<{ id: number }, [string, number]>(
    `SELECT event.id FROM event JOIN delivery ON delivery.webhook_id = ?2 AND delivery.event_id = event.id
     WHERE event.public_id = ?1`,
  ),
  slice: database.prepare<RowOf<typeof sliceColumns>, [number, number, number]>(
    `SELECT ${sliceColumns} FROM delivery WHERE webhook_id = ? AND event_id > ? ORDER BY event_id LIMIT ?`,
  ),
  replayOne: database.prepare<null, [number, number]>(
    `UPDATE delivery SET ${replayed} WHERE id = ?1 AND ${replayable}`,
  ),
  backlog: database.prepare<DeliveryBacklog, [number, number]>(
    `SELECT count(*) AS waiting, min(due_at) AS oldestDueAt FROM (
       SELECT due_at FROM delivery WHERE webhook_id = ? AND due_at IS NOT NULL ORDER BY due_at LIMIT ?)`,
  ),
});

export class DeliveryLogTable {
  readonly #sql: ReturnType<typeof prepare>;

  constructor(database: Database) {
    this.#sql = prepare(database);
  }

  /** Newest first, below the event row `before`. */
  ofWebhook(webhookId: number, before: number, limit: number): DeliveryRow[] {
    return this.#sql.ofWebhook.all(webhookId, before, limit);
  }

  attemptsOf(deliveryId: number): AttemptRow[] {
    return this.#sql.attempts.all(deliveryId);
  }

  /** The latest attempt of the `limit` newest deliveries, of as many that are due last, and before the first one due. */
  lastAttempt(webhookId: number, limit: number): AttemptRow | null {
    return this.#sql.lastAttempt.get(webhookId, limit);
  }

  /** Attempts to notify webhooks of a message, oldest first. */
  ofSubject(trackingCode: string, limit: number): CallbackRow[] {
    return this.#sql.ofSubject.all(trackingCode, limit);
  }

  /** The first one due of a message; null if none is. */
  dueOfSubject(trackingCode: string): DueCallbackRow | null {
    return this.#sql.dueOfSubject.get(trackingCode);
  }

  /** Counted up to `limit`. */
  backlog(webhookId: number, limit: number): DeliveryBacklog {
    return this.#sql.backlog.get(webhookId, limit) ?? { waiting: 0, oldestDueAt: null };
  }

  /**
   * Delivers an event again to every active webhook that received it, and returns their ids. Null if there is no such
   * event.
   */
  replayEvent(publicId: string, now: number): number[] | null {
    const found = this.#sql.event.get(publicId);
    if (found === null) return null;
    return this.#sql.replayEvent.all(found.id, now, found.accountId).map(({ webhookId }) => webhookId);
  }

  /** Row id of the webhook's event; null if there is none. */
  eventAt(webhookId: number, publicId: string): number | null {
    return this.#sql.eventAt.get(publicId, webhookId)?.id ?? null;
  }

  /** Delivers an event again to this webhook only. Returns whether it will. */
  replayAt(webhookId: number, eventId: number, now: number): boolean {
    return this.#sql.replayAt.run(eventId, now, webhookId).changes > 0;
  }

  /**
   * Of a webhook's next `limit` deliveries, replays those created at or after `since`, or only the failed ones; `next`
   * is null at the end.
   */
  replaySlice(webhookId: number, place: ReplayPlace, now: number, limit: number) {
    const rows = this.#sql.slice.all(webhookId, place.afterEvent, limit);
    let count = 0;
    for (const { id, createdAt, state } of rows) {
      if (createdAt >= place.since && (!place.onlyFailed || state === "failed"))
        count += this.#sql.replayOne.run(id, now).changes;
    }
    const last = rows.at(-1);
    return { count, next: last === undefined || rows.length < limit ? null : { ...place, afterEvent: last.eventId } };
  }
}
