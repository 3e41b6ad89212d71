/** The outbox: an event and its deliveries are written with the change that they report; here they wait, are read, and end. */
import type { Database } from "bun:sqlite";
import { columnsOf, insertInto, type RowOf } from "./columns.ts";
import type { AttemptRow } from "./delivery-log.ts";
import { attempt, event } from "./schema.ts";

/**
 * `subject`: the tracking code that it speaks of; null for a test. `step`: the status that was reached; empty where the kind
 * says it all.
 */
export type NewEvent = Omit<typeof event.$inferSelect, "id">;

const dueEventColumns = columnsOf(event, "kind", "body");

/** A delivery that is due, with what an attempt needs. */
export interface DueDelivery extends RowOf<typeof dueEventColumns> {
  id: number;
  eventId: string;
  /** Attempts so far since the last replay, and before it. */
  attempts: number;
  attemptsBefore: number;
}

export type NewAttempt = Omit<AttemptRow, "number">;

/** What an attempt leads to: another one at `dueAt`, or an end. */
export type DeliveryOutcome = { state: "waiting"; dueAt: number } | { state: "delivered" | "failed" };

/** A later event of the same subject waits for an earlier one through this many attempts; then it goes ahead. */
export const orderedAttemptsMax = 4;

/** Told which webhooks have something to do, right after the transaction that wrote it (and now and then for nothing). */
export type OutboxListener = (webhookIds: ReadonlySet<number>) => void;

const prepare = (database: Database) => ({
  insertEvent: database.prepare<null, [string, number, string, string | null, string, string, number]>(
    `${insertInto(event, "publicId", "accountId", "kind", "subject", "step", "body", "createdAt")}
     ON CONFLICT (subject, kind, step) WHERE subject IS NOT NULL DO NOTHING`,
  ),
  insertDelivery: database.prepare<null, [number, number, string | null, number, string]>(
    // One statement: the state depends on whether an earlier event of the subject is still on its way to this webhook.
    // CROSS JOIN keeps SQLite from beginning with all deliveries of the webhook: 1,000 instead of 10,000 callbacks a second.
    `INSERT INTO delivery (webhook_id, event_id, state, due_at, created_at)
     SELECT ?1, ?2, CASE WHEN held THEN 'held' ELSE 'waiting' END, CASE WHEN held THEN NULL ELSE ?4 END, ?4
     FROM (SELECT EXISTS (
       SELECT 1 FROM event AS earlier CROSS JOIN delivery AS ahead ON ahead.webhook_id = ?1 AND ahead.event_id = earlier.id
       WHERE earlier.subject = ?3 AND earlier.kind = ?5
         AND (ahead.state = 'held' OR (ahead.state = 'waiting' AND ahead.attempts - ahead.attempts_before < ${orderedAttemptsMax}))
     ) AS held)`,
  ),
  due: database.prepare<DueDelivery, [number, number, number]>(
    `SELECT delivery.id, event.public_id AS eventId, ${dueEventColumns},
       delivery.attempts - delivery.attempts_before AS attempts, delivery.attempts_before AS attemptsBefore
     FROM delivery JOIN event ON event.id = delivery.event_id
     WHERE delivery.webhook_id = ? AND delivery.due_at <= ? ORDER BY delivery.due_at, delivery.id LIMIT ?`,
  ),
  nextDue: database.prepare<{ dueAt: number }, [number]>(
    "SELECT due_at AS dueAt FROM delivery WHERE webhook_id = ? AND due_at IS NOT NULL ORDER BY due_at LIMIT 1",
  ),
  nextWaiting: database.prepare<{ webhookId: number }, [number]>(
    `SELECT webhook_id AS webhookId FROM delivery WHERE due_at IS NOT NULL AND webhook_id > ? ORDER BY webhook_id LIMIT 1`,
  ),
  insertAttempt: database.prepare(
    insertInto(
      attempt,
      "deliveryId",
      "number",
      "at",
      "failure",
      "detail",
      "status",
      "address",
      "durationMs",
      "excerpt",
    ),
  ),
  settle: database.prepare<
    { webhookId: number; eventId: number; attempts: number },
    [number, string, number | null, number | null]
  >(
    `UPDATE delivery SET state = ?2, due_at = ?3, ended_at = ?4, attempts = attempts + 1 WHERE id = ?1 AND state = 'waiting'
     RETURNING webhook_id AS webhookId, event_id AS eventId, attempts`,
  ),
  attemptsSinceReplay: database.prepare<{ attempts: number }, [number]>(
    "SELECT attempts - attempts_before AS attempts FROM delivery WHERE id = ?",
  ),
  release: database.prepare<null, [number, number, number]>(
    `UPDATE delivery SET state = 'waiting', due_at = ?3 WHERE id = (
       SELECT behind.id FROM event AS own JOIN event AS later ON later.subject = own.subject AND later.kind = own.kind
       JOIN delivery AS behind ON behind.webhook_id = ?1 AND behind.event_id = later.id
       WHERE own.id = ?2 AND behind.state = 'held' ORDER BY later.id LIMIT 1)`,
  ),
  stop: database.prepare<{ eventId: number }, [number, number, number, number]>(
    `UPDATE delivery SET state = 'stopped', due_at = NULL, ended_at = ?3 WHERE id IN (
       SELECT id FROM delivery WHERE webhook_id = ?1 AND due_at IS NOT NULL AND id <= ?2 ORDER BY due_at LIMIT ?4)
     RETURNING event_id AS eventId`,
  ),
  pullIn: database.prepare<null, [number, number, number]>(
    "UPDATE delivery SET due_at = ?2 WHERE webhook_id = ?1 AND due_at > ?3",
  ),
});

export class OutboxTable {
  readonly #sql: ReturnType<typeof prepare>;
  readonly #listeners = new Set<OutboxListener>();
  #touched = new Set<number>();

  constructor(database: Database) {
    this.#sql = prepare(database);
  }

  /** Writes an event and its deliveries. False: it was written before, and nothing is written twice. */
  record(e: NewEvent, webhookIds: readonly number[]): boolean {
    const inserted = this.#sql.insertEvent.run(e.publicId, e.accountId, e.kind, e.subject, e.step, e.body, e.createdAt);
    if (inserted.changes === 0) return false;
    const eventId = Number(inserted.lastInsertRowid);
    for (const webhookId of webhookIds) {
      this.#sql.insertDelivery.run(webhookId, eventId, e.subject, e.createdAt, e.kind);
      this.#touch(webhookId);
    }
    return true;
  }

  /** Up to `limit` deliveries of the webhook that are due, the longest due first. */
  due(webhookId: number, now: number, limit: number): DueDelivery[] {
    return this.#sql.due.all(webhookId, now, limit);
  }

  /** When the webhook's first delivery is due; null when none waits. */
  nextDue(webhookId: number): number | null {
    return this.#sql.nextDue.get(webhookId)?.dueAt ?? null;
  }

  /** Every webhook that has a waiting delivery, found by one index seek each. */
  waitingWebhooks(): number[] {
    const { nextWaiting } = this.#sql;
    const ids: number[] = [];
    for (let row = nextWaiting.get(-1); row !== null; row = nextWaiting.get(row.webhookId)) ids.push(row.webhookId);
    return ids;
  }

  /** Records an attempt and its outcome. False: the delivery was stopped meanwhile, and stays so. */
  settle(deliveryId: number, made: NewAttempt, outcome: DeliveryOutcome): boolean {
    const dueAt = outcome.state === "waiting" ? outcome.dueAt : null;
    const settled = this.#sql.settle.get(deliveryId, outcome.state, dueAt, dueAt === null ? made.at : null);
    if (settled === null) return false;
    const { at, failure, detail, status, address, durationMs, excerpt } = made;
    const { insertAttempt, attemptsSinceReplay } = this.#sql;
    const duration = Math.round(durationMs);
    insertAttempt.run(deliveryId, settled.attempts, at, failure, detail, status, address, duration, excerpt);
    const isStillAhead =
      outcome.state === "waiting" && (attemptsSinceReplay.get(deliveryId)?.attempts ?? 0) < orderedAttemptsMax;
    if (!isStillAhead) this.release(settled.webhookId, settled.eventId, made.at);
    return true;
  }

  /** The next event of the same subject need not wait any longer. */
  release(webhookId: number, eventId: number, now: number): void {
    if (this.#sql.release.run(webhookId, eventId, now).changes > 0) this.#touch(webhookId);
  }

  /** Ends up to `limit` waiting deliveries of a webhook, and with the last one the ones held behind them. Returns how many. */
  stop(webhookId: number, through: number, now: number, limit: number): number {
    const ended = this.#sql.stop.all(webhookId, through, now, limit);
    for (const { eventId } of ended) this.release(webhookId, eventId, now);
    return ended.length;
  }

  /** What is planned after `latest`, which no schedule asks for, becomes due at `now`: the wall clock went back. */
  pullIn(webhookId: number, now: number, latest: number): void {
    this.#sql.pullIn.run(webhookId, now, latest);
  }

  /** Returns what ends the subscription. */
  subscribe(listener: OutboxListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #touch(webhookId: number): void {
    // A commit is one synchronous stretch: a microtask runs when it is over, whichever way it ended.
    if (this.#touched.size === 0) {
      queueMicrotask(() => {
        const touched = this.#touched;
        this.#touched = new Set();
        for (const listener of this.#listeners) listener(touched);
      });
    }
    this.#touched.add(webhookId);
  }
}
