/**
 * The outbox: an event and its deliveries are written with the change they report, then wait here until they are
 * delivered or end.
 */

import type { Database } from "bun:sqlite";
import { firstReported, unfinished } from "../domain/status.ts";
import { columnsOf, insertInto, type RowOf } from "./columns.ts";
import type { AttemptRow } from "./delivery-log.ts";
import { event } from "./schema.ts";
import { TouchedIds } from "./touched-ids.ts";

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

const selectDue = `SELECT delivery.id, event.public_id AS eventId, ${dueEventColumns},
    delivery.attempts - delivery.attempts_before AS attempts, delivery.attempts_before AS attemptsBefore
  FROM delivery JOIN event ON event.id = delivery.event_id`;

/** Of a delivery `ahead`: later events of its subject wait for it. */
const blocks = `(ahead.state = 'held'
  OR (ahead.state = 'waiting' AND ahead.attempts - ahead.attempts_before < ${orderedAttemptsMax}))`;

/** So many are read one by one in less time than together with all that are taken. */
const readSinglyMax = 8;

const prepare = (database: Database) => ({
  insertEvent: database.prepare<null, [string, number, string, string | null, string, string, number]>(
    `${insertInto(event, "publicId", "accountId", "kind", "subject", "step", "body", "createdAt")}
     ON CONFLICT (subject, kind, step) WHERE subject IS NOT NULL DO NOTHING`,
  ),
  insertFirst: database.prepare<null, [number, number, number]>(
    `INSERT INTO delivery (webhook_id, event_id, state, due_at, created_at) VALUES (?1, ?2, 'waiting', ?3, ?3)`,
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
         AND ${blocks}) AS held)`,
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
  insertAttempt: database.prepare<
    null,
    [number, number, string | null, string, number | null, string | null, number, Uint8Array]
  >(
    `INSERT INTO attempt (delivery_id, number, at, failure, detail, status, address, duration_ms, excerpt)
     SELECT id, attempts, ?2, ?3, ?4, ?5, ?6, ?7, ?8 FROM delivery WHERE id = ?1`,
  ),
  settle: database.prepare<null, [number, string, number | null, number | null]>(
    `UPDATE delivery SET state = ?2, due_at = ?3, ended_at = ?4, attempts = attempts + 1 WHERE id = ?1 AND state = 'waiting'`,
  ),
  attemptsSinceReplay: database.prepare<{ attempts: number }, [number]>(
    "SELECT attempts - attempts_before AS attempts FROM delivery WHERE id = ?",
  ),
  pullIn: database.prepare<null, [number, number, number]>(
    "UPDATE delivery SET due_at = ?2 WHERE webhook_id = ?1 AND due_at > ?3",
  ),
});

const prepareEnds = (database: Database) => ({
  release: database.prepare<null, [number, number]>(
    // Nothing waits behind a final status, which a third of all events report. What was released before may itself be
    // waited for, when one that it passed is attempted again.
    `UPDATE delivery SET state = 'waiting', due_at = ?2 WHERE id = (
       SELECT min(behind.id) FROM delivery AS ended CROSS JOIN event AS own ON own.id = ended.event_id
       CROSS JOIN event AS later ON later.subject = own.subject AND later.kind = own.kind
       CROSS JOIN delivery AS behind ON behind.webhook_id = ended.webhook_id AND behind.event_id = later.id
       WHERE ended.id = ?1 AND (${unfinished.map((step) => `own.step = '${step}'`).join(" OR ")}) AND behind.state = 'held')
     AND NOT EXISTS (
       SELECT 1 FROM event AS own CROSS JOIN event AS earlier ON earlier.subject = own.subject AND earlier.kind = own.kind
       CROSS JOIN delivery AS ahead ON ahead.webhook_id = delivery.webhook_id AND ahead.event_id = earlier.id
       WHERE own.id = delivery.event_id AND earlier.id < own.id AND ${blocks})`,
  ),
  webhookOf: database.prepare<{ webhookId: number }, [number]>(
    "SELECT webhook_id AS webhookId FROM delivery WHERE id = ?",
  ),
  stop: database.prepare<{ id: number }, [number, number, number, number]>(
    `UPDATE delivery SET state = 'stopped', due_at = NULL, ended_at = ?3 WHERE id IN (
       SELECT id FROM delivery WHERE webhook_id = ?1 AND due_at IS NOT NULL AND id <= ?2 ORDER BY due_at LIMIT ?4)
     RETURNING id`,
  ),
  stopEvent: database.prepare<{ id: number }, [number, number, number]>(
    `UPDATE delivery SET state = 'stopped', due_at = NULL, ended_at = ?3
     WHERE webhook_id IN (SELECT id FROM webhook WHERE account_id = ?1) AND event_id = ?2 AND state IN ('waiting', 'held')
     RETURNING id`,
  ),
});

export class OutboxTable {
  readonly #sql: ReturnType<typeof prepare> & ReturnType<typeof prepareEnds>;
  readonly #touched = new TouchedIds();
  readonly subscribe = this.#touched.subscribe;

  constructor(database: Database) {
    this.#sql = { ...prepare(database), ...prepareEnds(database) };
  }

  /** Writes an event and its deliveries. False if it was already written; then nothing is written again. */
  record(e: NewEvent, webhookIds: readonly number[]): boolean {
    const inserted = this.#sql.insertEvent.run(e.publicId, e.accountId, e.kind, e.subject, e.step, e.body, e.createdAt);
    if (inserted.changes === 0) return false;
    const eventId = Number(inserted.lastInsertRowid);
    for (const webhookId of webhookIds) {
      // Nothing of its subject can be ahead of the first, which a third of all events are.
      if (e.step === firstReported) this.#sql.insertFirst.run(webhookId, eventId, e.createdAt);
      else this.#sql.insertDelivery.run(webhookId, eventId, e.subject, e.createdAt, e.kind);
      this.#touched.add(webhookId);
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
    const { settle, insertAttempt, attemptsSinceReplay } = this.#sql;
    const { changes } = settle.run(deliveryId, outcome.state, dueAt, dueAt === null ? made.at : null);
    if (changes === 0) return false;
    const { at, failure, detail, status, address, durationMs, excerpt } = made;
    insertAttempt.run(deliveryId, at, failure, detail, status, address, Math.round(durationMs), excerpt);
    const isStillAhead =
      outcome.state === "waiting" && (attemptsSinceReplay.get(deliveryId)?.attempts ?? 0) < orderedAttemptsMax;
    if (!isStillAhead) this.#release(deliveryId, made.at);
    return true;
  }

  /** The delivery has ended, or may be passed: the next event of its subject no longer has to wait. */
  #release(deliveryId: number, now: number): void {
    const { release, webhookOf } = this.#sql;
    if (release.run(deliveryId, now).changes === 0) return;
    const row = webhookOf.get(deliveryId);
    if (row !== null) this.#touched.add(row.webhookId);
  }

  /**
   * Ends up to `limit` waiting deliveries of a webhook; with the last one, also those held behind them. Returns how
   * many.
   */
  stop(webhookId: number, through: number, now: number, limit: number): number {
    const ended = this.#sql.stop.all(webhookId, through, now, limit);
    for (const { id } of ended) this.#release(id, now);
    return ended.length;
  }

  /** Ends the deliveries of an event of the account; those held behind them no longer have to wait. */
  stopEvent(accountId: number, eventId: number, now: number): void {
    for (const { id } of this.#sql.stopEvent.all(accountId, eventId, now)) this.#release(id, now);
  }

  /**
   * After the wall clock went back: deliveries due after `latest`, later than any schedule allows, become due at `now`.
   */
  pullIn(webhookId: number, now: number, latest: number): void {
    this.#sql.pullIn.run(webhookId, now, latest);
  }
}
