/** The outbox: an event and its deliveries are written with what they tell of; here they wait, are taken, and end. */
import type { Database } from "bun:sqlite";

export interface NewEvent {
  publicId: string;
  accountId: number;
  kind: string;
  /** The tracking code that it speaks of; null for one that speaks of nothing (a test). */
  subject: string | null;
  /** The status that was reached; empty where the kind says it all. */
  step: string;
  body: string;
  createdAt: number;
}

/** A delivery whose turn has come, with what is needed to make it. */
export interface DueDelivery {
  id: number;
  eventId: string;
  kind: string;
  body: string;
  /** Attempts so far since the last replay, and before it. */
  attempts: number;
  attemptsBefore: number;
}

export interface NewAttempt {
  at: number;
  failure: string | null;
  detail: string;
  status: number | null;
  address: string | null;
  durationMs: number;
  excerpt: Uint8Array;
}

/** What an attempt leads to: another one at `dueAt`, or an end. */
export type DeliveryOutcome = { state: "waiting"; dueAt: number } | { state: "delivered" | "failed" };

/** A later event of the same subject waits for an earlier one through this many attempts; then it goes ahead. */
export const orderedAttemptsMax = 4;

export type OutboxTable = ReturnType<typeof outboxTable>;

/** Told which webhooks got something to do, right after the transaction that wrote it (and now and then for nothing). */
export type OutboxListener = (webhookIds: ReadonlySet<number>) => void;

export function outboxTable(database: Database) {
  const event = database.prepare<null, [string, number, string, string | null, string, string, number]>(
    `INSERT INTO event (public_id, account_id, kind, subject, step, body, created_at) VALUES (?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (subject, kind, step) WHERE subject IS NOT NULL DO NOTHING`,
  );
  const delivery = database.prepare<null, [number, number, string | null, number, string]>(
    // One statement: the state depends on whether an earlier event of the subject is still on its way to this webhook.
    // CROSS JOIN keeps SQLite from beginning with all deliveries of the webhook: 1,000 instead of 10,000 callbacks a second.
    `INSERT INTO delivery (webhook_id, event_id, state, due_at, created_at)
     SELECT ?1, ?2, CASE WHEN held THEN 'held' ELSE 'waiting' END, CASE WHEN held THEN NULL ELSE ?4 END, ?4
     FROM (SELECT EXISTS (
       SELECT 1 FROM event AS earlier CROSS JOIN delivery AS ahead ON ahead.webhook_id = ?1 AND ahead.event_id = earlier.id
       WHERE earlier.subject = ?3 AND earlier.kind = ?5
         AND (ahead.state = 'held' OR (ahead.state = 'waiting' AND ahead.attempts - ahead.attempts_before < ${orderedAttemptsMax}))
     ) AS held)`,
  );
  const due = database.prepare<DueDelivery, [number, number, number]>(
    `SELECT delivery.id, event.public_id AS eventId, event.kind, event.body,
       delivery.attempts - delivery.attempts_before AS attempts, delivery.attempts_before AS attemptsBefore
     FROM delivery JOIN event ON event.id = delivery.event_id
     WHERE delivery.webhook_id = ? AND delivery.due_at <= ? ORDER BY delivery.due_at, delivery.id LIMIT ?`,
  );
  const nextDue = database.prepare<{ dueAt: number }, [number]>(
    "SELECT due_at AS dueAt FROM delivery WHERE webhook_id = ? AND due_at IS NOT NULL ORDER BY due_at LIMIT 1",
  );
  const nextWaiting = database.prepare<{ webhookId: number }, [number]>(
    `SELECT webhook_id AS webhookId FROM delivery WHERE due_at IS NOT NULL AND webhook_id > ? ORDER BY webhook_id LIMIT 1`,
  );
  const attempt = database.prepare<
    null,
    [number, number, number, string | null, string, number | null, string | null, number, Uint8Array]
  >(
    `INSERT INTO attempt (delivery_id, number, at, failure, detail, status, address, duration_ms, excerpt)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const settlement = database.prepare<
    { webhookId: number; eventId: number; attempts: number },
    [number, string, number | null, number | null]
  >(
    `UPDATE delivery SET state = ?2, due_at = ?3, ended_at = ?4, attempts = attempts + 1 WHERE id = ?1 AND state = 'waiting'
     RETURNING webhook_id AS webhookId, event_id AS eventId, attempts`,
  );
  const attemptsInRound = database.prepare<{ attempts: number }, [number]>(
    "SELECT attempts - attempts_before AS attempts FROM delivery WHERE id = ?",
  );
  const release = database.prepare<null, [number, number, number]>(
    `UPDATE delivery SET state = 'waiting', due_at = ?3 WHERE id = (
       SELECT behind.id FROM event AS own JOIN event AS later ON later.subject = own.subject AND later.kind = own.kind
       JOIN delivery AS behind ON behind.webhook_id = ?1 AND behind.event_id = later.id
       WHERE own.id = ?2 AND behind.state = 'held' ORDER BY later.id LIMIT 1)`,
  );
  const stopped = database.prepare<{ eventId: number }, [number, number, number, number]>(
    `UPDATE delivery SET state = 'stopped', due_at = NULL, ended_at = ?3 WHERE id IN (
       SELECT id FROM delivery WHERE webhook_id = ?1 AND due_at IS NOT NULL AND id <= ?2 ORDER BY due_at LIMIT ?4)
     RETURNING event_id AS eventId`,
  );
  const pullIn = database.prepare<null, [number, number, number]>(
    "UPDATE delivery SET due_at = ?2 WHERE webhook_id = ?1 AND due_at > ?3",
  );

  const listeners = new Set<OutboxListener>();
  let touched = new Set<number>();

  function touch(webhookId: number): void {
    // A commit is one synchronous stretch: a microtask runs when it is over, whichever way it ended.
    if (touched.size === 0) {
      queueMicrotask(() => {
        const told = touched;
        touched = new Set();
        for (const listener of listeners) listener(told);
      });
    }
    touched.add(webhookId);
  }

  return {
    /** Writes an event and its deliveries. False: it was written before, and nothing is written twice. */
    record(e: NewEvent, webhookIds: readonly number[]): boolean {
      const inserted = event.run(e.publicId, e.accountId, e.kind, e.subject, e.step, e.body, e.createdAt);
      if (inserted.changes === 0) return false;
      const eventId = Number(inserted.lastInsertRowid);
      for (const webhookId of webhookIds) {
        delivery.run(webhookId, eventId, e.subject, e.createdAt, e.kind);
        touch(webhookId);
      }
      return true;
    },

    /** Up to `limit` deliveries of the webhook that are due, the longest due first. */
    due: (webhookId: number, now: number, limit: number): DueDelivery[] => due.all(webhookId, now, limit),

    /** When the webhook's first delivery is due; null when none waits. */
    nextDue: (webhookId: number): number | null => nextDue.get(webhookId)?.dueAt ?? null,

    /** Every webhook that has something waiting, found by one index seek each. */
    waitingWebhooks(): number[] {
      const ids: number[] = [];
      for (let row = nextWaiting.get(-1); row !== null; row = nextWaiting.get(row.webhookId)) ids.push(row.webhookId);
      return ids;
    },

    /** Records an attempt and what it led to. False: the delivery was stopped meanwhile, and stays so. */
    settle(deliveryId: number, made: NewAttempt, fate: DeliveryOutcome): boolean {
      const dueAt = fate.state === "waiting" ? fate.dueAt : null;
      const settled = settlement.get(deliveryId, fate.state, dueAt, dueAt === null ? made.at : null);
      if (settled === null) return false;
      const { at, failure, detail, status, address, durationMs, excerpt } = made;
      attempt.run(deliveryId, settled.attempts, at, failure, detail, status, address, Math.round(durationMs), excerpt);
      const isStillAhead =
        fate.state === "waiting" && (attemptsInRound.get(deliveryId)?.attempts ?? 0) < orderedAttemptsMax;
      if (!isStillAhead) this.release(settled.webhookId, settled.eventId, made.at);
      return true;
    },

    /** The next event of the same subject has its way. */
    release(webhookId: number, eventId: number, now: number): void {
      if (release.run(webhookId, eventId, now).changes > 0) touch(webhookId);
    },

    /** Ends up to `limit` waiting deliveries of a webhook, and with the last one the ones held behind them. Returns how many. */
    stop(webhookId: number, through: number, now: number, limit: number): number {
      const ended = stopped.all(webhookId, through, now, limit);
      for (const { eventId } of ended) this.release(webhookId, eventId, now);
      return ended.length;
    },

    /** What is planned after `latest`, which no schedule asks for, becomes due at `now`: the wall clock went back. */
    pullIn: (webhookId: number, now: number, latest: number): void => void pullIn.run(webhookId, now, latest),

    /** Returns what ends the listening. */
    subscribe(listener: OutboxListener): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
