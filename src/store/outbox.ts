/**
 * The outbox: an event and its deliveries are written with the change they report, then wait here until they are
 * delivered or end.
 */

import type { Database } from "bun:sqlite";
import { afterThisStretch } from "../platform/next-turn.ts";
import { columnsOf, insertInto, type RowOf } from "./columns.ts";
import type { AttemptRow } from "./delivery-log.ts";
import { attempt, event } from "./schema.ts";

/**
 * `subject`: the tracking code that the event is about; null for a test. `step`: the status reached; empty if the kind
 * says it all.
 */
export type NewEvent = Omit<typeof event.$inferSelect, "id">;

const dueEventColumns = columnsOf(event, "kind", "body");

/** A due delivery with what an attempt needs. */
export interface DueDelivery extends RowOf<typeof dueEventColumns> {
  id: number;
  eventId: string;
  /** Attempts since the last replay, and before it. */
  attempts: number;
  attemptsBefore: number;
}

export type NewAttempt = Omit<AttemptRow, "number">;

/** The outcome of an attempt: another one at `dueAt`, or an end. */
export type DeliveryOutcome = { state: "waiting"; dueAt: number } | { state: "delivered" | "failed" };

/** A later event of the same subject waits for an earlier one during this many attempts, then goes ahead. */
export const orderedAttemptsMax = 4;

/** Called right after a transaction commits with the webhooks that have work; sometimes called when there is none. */
export type OutboxListener = (webhookIds: ReadonlySet<number>) => void;

const selectDue = `SELECT delivery.id, event.public_id AS eventId, ${dueEventColumns},
    delivery.attempts - delivery.attempts_before AS attempts, delivery.attempts_before AS attemptsBefore
  FROM delivery JOIN event ON event.id = delivery.event_id`;

/** So many are read one by one in less time than together with all that are taken. */
const readSinglyMax = 8;

const prepare = (database: Database) => ({
  insertEvent: database.prepare<null, [string, number, string, string | null, string, string, number]>(
    `${insertInto(event, "publicId", "accountId", "kind", "subject", "step", "body", "createdAt")}
     ON CONFLICT (subject, kind, step) WHERE subject IS NOT NULL DO NOTHING`,
  ),
  insertDelivery: database.prepare<null, [number, number, string | null, number, string]>(
    // One statement: the state depends on whether an earlier event of the subject is still waiting for this webhook.
    // CROSS JOIN keeps SQLite from starting with all deliveries of the webhook: 1,000 instead of 10,000 callbacks a
    // second.
    `INSERT INTO delivery (webhook_id, event_id, state, due_at, created_at)
     SELECT ?1, ?2, CASE WHEN held THEN 'held' ELSE 'waiting' END, CASE WHEN held THEN NULL ELSE ?4 END, ?4
     FROM (SELECT EXISTS (
       SELECT 1 FROM event AS earlier CROSS JOIN delivery AS ahead ON ahead.webhook_id = ?1 AND ahead.event_id = earlier.id
       WHERE earlier.subject = ?3 AND earlier.kind = ?5
         AND (ahead.state = 'held' OR (ahead.state = 'waiting' AND ahead.attempts - ahead.attempts_before < ${orderedAttemptsMax}))
     ) AS held)`,
  ),
  due: database.prepare<DueDelivery, [number, number, number]>(
    `${selectDue} WHERE delivery.webhook_id = ? AND delivery.due_at <= ? ORDER BY delivery.due_at, delivery.id LIMIT ?`,
  ),
  dueIds: database.prepare<{ id: number }, [number, number, number]>(
    "SELECT id FROM delivery WHERE webhook_id = ? AND due_at <= ? ORDER BY due_at, id LIMIT ?",
  ),
  dueDelivery: database.prepare<DueDelivery, [number]>(`${selectDue} WHERE delivery.id = ?`),
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

  /** Writes an event and its deliveries. False if it was already written; then nothing is written again. */
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

  /**
   * Up to `limit` due deliveries of the webhook that are not among `taken`, longest due first. A busy webhook with many
   * attempts at once has little else: the index alone says so, in a third of the time that reading the taken ones takes.
   */
  due(webhookId: number, now: number, limit: number, taken: ReadonlySet<number>): DueDelivery[] {
    const { due, dueIds, dueDelivery } = this.#sql;
    if (taken.size === 0) return due.all(webhookId, now, limit);
    const isNew = ({ id }: { id: number }) => !taken.has(id);
    const ids = dueIds.all(webhookId, now, limit + taken.size).filter(isNew);
    if (ids.length > readSinglyMax) return due.all(webhookId, now, limit + taken.size).filter(isNew);
    return ids.flatMap(({ id }) => dueDelivery.get(id) ?? []);
  }

  /** When the webhook's first delivery is due; null if none waits. */
  nextDue(webhookId: number): number | null {
    return this.#sql.nextDue.get(webhookId)?.dueAt ?? null;
  }

  /** Every webhook with a waiting delivery; one index seek each. */
  waitingWebhooks(): number[] {
    const { nextWaiting } = this.#sql;
    const ids: number[] = [];
    for (let row = nextWaiting.get(-1); row !== null; row = nextWaiting.get(row.webhookId)) ids.push(row.webhookId);
    return ids;
  }

  /** Records an attempt and its outcome. False if the delivery was stopped meanwhile; it stays stopped. */
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

  /** The next event of the same subject no longer has to wait. */
  release(webhookId: number, eventId: number, now: number): void {
    if (this.#sql.release.run(webhookId, eventId, now).changes > 0) this.#touch(webhookId);
  }

  /**
   * Ends up to `limit` waiting deliveries of a webhook; with the last one, also those held behind them. Returns how
   * many.
   */
  stop(webhookId: number, through: number, now: number, limit: number): number {
    const ended = this.#sql.stop.all(webhookId, through, now, limit);
    for (const { eventId } of ended) this.release(webhookId, eventId, now);
    return ended.length;
  }

  /**
   * After the wall clock went back: deliveries due after `latest`, later than any schedule allows, become due at `now`.
   */
  pullIn(webhookId: number, now: number, latest: number): void {
    this.#sql.pullIn.run(webhookId, now, latest);
  }

  /** Returns a function that ends the subscription. */
  subscribe(listener: OutboxListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #touch(webhookId: number): void {
    // A commit is one synchronous stretch: the microtask runs after it, whether it succeeded or failed.
    if (this.#touched.size === 0) {
      afterThisStretch(() => {
        const touched = this.#touched;
        this.#touched = new Set();
        for (const listener of this.#listeners) listener(touched);
      });
    }
    this.#touched.add(webhookId);
  }
}
