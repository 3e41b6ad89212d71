/** What became of every event at every webhook, for the operator, and the way to have them delivered once more. */
import type { Database } from "bun:sqlite";

export type DeliveryState = "waiting" | "held" | "delivered" | "failed" | "stopped";

export interface DeliveryRow {
  id: number;
  webhookId: number;
  eventId: string;
  kind: string;
  /** The tracking code that the event speaks of. */
  subject: string | null;
  step: string;
  state: DeliveryState;
  dueAt: number | null;
  attempts: number;
  createdAt: number;
  endedAt: number | null;
}

export interface AttemptRow {
  number: number;
  at: number;
  failure: string | null;
  detail: string;
  status: number | null;
  address: string | null;
  durationMs: number;
  excerpt: Uint8Array;
}

const columns = `delivery.id, delivery.webhook_id AS webhookId, event.public_id AS eventId, event.kind, event.subject, event.step,
  delivery.state, delivery.due_at AS dueAt, delivery.attempts, delivery.created_at AS createdAt, delivery.ended_at AS endedAt`;
const source = "delivery JOIN event ON event.id = delivery.event_id";
const replayed = "state = 'waiting', due_at = ?2, ended_at = NULL, attempts_before = attempts";
/** What is under way or waits for an earlier one needs no second push; a replay only moves it to the front. */
const replayable = "state IN ('waiting', 'delivered', 'failed', 'stopped')";

export type DeliveryLogTable = ReturnType<typeof deliveryLogTable>;

export function deliveryLogTable(database: Database) {
  const ofWebhook = database.prepare<DeliveryRow, [number, number, number]>(
    `SELECT ${columns} FROM ${source} WHERE delivery.webhook_id = ? AND delivery.event_id IN (
       SELECT event_id FROM delivery WHERE webhook_id = ?1 AND event_id < ?2 ORDER BY event_id DESC LIMIT ?3)
     ORDER BY delivery.event_id DESC`,
  );
  const attempts = database.prepare<AttemptRow, [number]>(
    `SELECT number, at, failure, detail, status, address, duration_ms AS durationMs, excerpt FROM attempt
     WHERE delivery_id = ? ORDER BY number`,
  );
  const event = database.prepare<{ id: number; accountId: number }, [string]>(
    "SELECT id, account_id AS accountId FROM event WHERE public_id = ?",
  );
  const replayEvent = database.prepare<{ webhookId: number }, [number, number, number]>(
    `UPDATE delivery SET ${replayed} WHERE event_id = ?1 AND webhook_id IN (
       SELECT id FROM webhook WHERE account_id = ?3 AND active = 1 AND removed_at IS NULL)
     AND ${replayable} RETURNING webhook_id AS webhookId`,
  );
  const slice = database.prepare<{ id: number; eventId: number; createdAt: number }, [number, number, number]>(
    `SELECT id, event_id AS eventId, created_at AS createdAt FROM delivery
     WHERE webhook_id = ? AND event_id > ? ORDER BY event_id LIMIT ?`,
  );
  const replayOne = database.prepare<null, [number, number]>(
    `UPDATE delivery SET ${replayed} WHERE id = ?1 AND ${replayable}`,
  );
  const backlog = database.prepare<{ waiting: number; oldestDueAt: number | null }, [number, number]>(
    `SELECT count(*) AS waiting, min(due_at) AS oldestDueAt FROM (
       SELECT due_at FROM delivery WHERE webhook_id = ? AND due_at IS NOT NULL ORDER BY due_at LIMIT ?)`,
  );

  return {
    /** The newest first, from below the event row `before`. */
    ofWebhook: (webhookId: number, before: number, limit: number): DeliveryRow[] =>
      ofWebhook.all(webhookId, before, limit),

    attemptsOf: (deliveryId: number): AttemptRow[] => attempts.all(deliveryId),

    /** How many deliveries of a webhook wait, counted up to `limit`, and when the first is due. */
    backlog: (webhookId: number, limit: number): { waiting: number; oldestDueAt: number | null } =>
      backlog.get(webhookId, limit) ?? { waiting: 0, oldestDueAt: null },

    /** Delivers an event again to every active webhook that had it. Null where there is no such event. */
    replayEvent(publicId: string, now: number): number[] | null {
      const found = event.get(publicId);
      if (found === null) return null;
      return replayEvent.all(found.id, now, found.accountId).map(({ webhookId }) => webhookId);
    },

    /** Of the next `limit` deliveries of a webhook, once more those created at `since` or later; `next` is null at the end. */
    replaySlice(webhookId: number, place: { afterEvent: number; since: number }, now: number, limit: number) {
      const rows = slice.all(webhookId, place.afterEvent, limit);
      let count = 0;
      for (const { id, createdAt } of rows) if (createdAt >= place.since) count += replayOne.run(id, now).changes;
      const last = rows.at(-1);
      return { count, next: last === undefined || rows.length < limit ? null : { ...place, afterEvent: last.eventId } };
    },
  };
}
