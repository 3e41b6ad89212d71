/** The queue as the index on disk holds it: what waits in each lane, in the order of its due time. */
import type { Database } from "bun:sqlite";
import { columnsOf, type RowOf } from "./columns.ts";
import { type MessageRow, messageColumns } from "./messages.ts";
import { message } from "./schema.ts";

const laneColumns = columnsOf(message, "senderId", "class", "targetId");

/** A lane: the messages of one class that are sent under one sender by one target. */
export type LaneKey = RowOf<typeof laneColumns>;

/** A place in a lane. Pages begin after it. */
export interface QueuePosition {
  dueAt: number;
  id: number;
}

export const laneStart: QueuePosition = { dueAt: -1, id: -1 };

/** Of a clock that went back a moment ago, the newest message alone would not tell. A millisecond. */
const newestRows = 1_000;

const prepare = (database: Database) => ({
  page: database.prepare<QueuePosition, [number, number, number, number, number, number, number, number]>(
    // The row behind the index is read only where the wall clock went back: everything else is due by the index alone.
    `SELECT due_at AS dueAt, id FROM message
     WHERE sender_id = ?1 AND class = ?2 AND target_id = ?3
       AND due_at IS NOT NULL AND (due_at, id) > (?4, ?5) AND due_at <= ?7
       AND (due_at <= ?6 OR (send_at IS NULL AND state = 'ready'))
     ORDER BY due_at, id LIMIT ?8`,
  ),
  highest: database.prepare<{ submittedAt: number | null }, [number]>(
    "SELECT max(submitted_at) AS submittedAt FROM (SELECT submitted_at FROM message ORDER BY id DESC LIMIT ?)",
  ),
  nextDue: database.prepare<{ dueAt: number }, [number, number, number, number]>(
    `SELECT due_at AS dueAt FROM message
     WHERE sender_id = ? AND class = ? AND target_id = ? AND due_at > ? ORDER BY due_at LIMIT 1`,
  ),
  nextLane: database.prepare<LaneKey, [number, number, number]>(
    `SELECT ${laneColumns} FROM message
     WHERE due_at IS NOT NULL AND (sender_id, class, target_id) > (?, ?, ?)
     ORDER BY sender_id, class, target_id LIMIT 1`,
  ),
  waiting: database.prepare<MessageRow, [number, number, number, number, number, number]>(
    `SELECT ${messageColumns} FROM message
     WHERE sender_id = ? AND class = ? AND target_id = ? AND due_at IS NOT NULL AND (due_at, id) > (?, ?)
     ORDER BY due_at, id LIMIT ?`,
  ),
  submitting: database.prepare<MessageRow, [number]>(
    `SELECT ${messageColumns} FROM message WHERE state = 'submitting' ORDER BY id LIMIT ?`,
  ),
  retryingExpired: database.prepare<MessageRow, [number, number]>(
    `SELECT ${messageColumns} FROM message
     WHERE state IN ('retry_wait', 'uncertain') AND valid_until <= ? ORDER BY valid_until LIMIT ?`,
  ),
  retarget: database.prepare(
    "UPDATE message SET target_id = ?3 WHERE id = ?1 AND target_id = ?2 AND due_at IS NOT NULL",
  ),
  pullInRetries: database.prepare(
    "UPDATE message SET due_at = ?1 WHERE state IN ('retry_wait', 'uncertain') AND due_at > ?2",
  ),
  holdsReady: database.prepare<{ held: 1 }, [number, number, number, number]>(
    `SELECT 1 AS held FROM message
     WHERE sender_id = ? AND class = ? AND target_id = ? AND due_at <= ? AND state = 'ready' LIMIT 1`,
  ),
  // Time in which it may not be sent is not counted in its validity.
  postpone: database.prepare(
    `UPDATE message SET due_at = ?5, valid_until = valid_until + ?5 - ?4
     WHERE id IN (
       SELECT id FROM message
       WHERE sender_id = ?1 AND class = ?2 AND target_id = ?3 AND due_at <= ?4 AND state = 'ready'
       ORDER BY due_at, id LIMIT ?6)`,
  ),
  ahead: database.prepare<{ messages: number }, [number, number, number, number, number, number]>(
    `SELECT count(*) AS messages FROM (
       SELECT 1 FROM message
       WHERE sender_id = ? AND class = ? AND target_id = ? AND due_at IS NOT NULL AND (due_at, id) < (?, ?) LIMIT ?)`,
  ),
  depth: database.prepare<{ waiting: number; oldestDueAt: number | null }, [number, number, number, number]>(
    `SELECT count(*) AS waiting, min(due_at) AS oldestDueAt FROM (
       SELECT due_at FROM message
       WHERE sender_id = ? AND class = ? AND target_id = ? AND due_at IS NOT NULL ORDER BY due_at LIMIT ?)`,
  ),
});

export class QueueTable {
  readonly #sql: ReturnType<typeof prepare>;
  #retargeted = 0;

  constructor(database: Database) {
    this.#sql = prepare(database);
  }

  /**
   * Up to `limit` messages of the lane after `after` that are due. `clockHigh` is the highest wall time ever seen: what was
   * due at once before the clock went back is due all the same, and what was scheduled waits for its time.
   */
  page(lane: LaneKey, after: QueuePosition, now: number, clockHigh: number, limit: number): QueuePosition[] {
    const latest = Math.max(now, clockHigh);
    return this.#sql.page.all(lane.senderId, lane.class, lane.targetId, after.dueAt, after.id, now, latest, limit);
  }

  /** The latest time at which one of the newest messages was accepted, in epoch milliseconds; 0 when there is none. */
  highestSubmittedAt(): number {
    return this.#sql.highest.get(newestRows)?.submittedAt ?? 0;
  }

  /** The due time of the first message of the lane that is due later than `after`. */
  nextDue(lane: LaneKey, after: number): number | null {
    return this.#sql.nextDue.get(lane.senderId, lane.class, lane.targetId, after)?.dueAt ?? null;
  }

  /** Every lane that holds something, found by one index seek each. */
  lanes(): LaneKey[] {
    const { nextLane } = this.#sql;
    const lanes: LaneKey[] = [];
    for (let lane = nextLane.get(-1, -1, -1); lane !== null; ) {
      lanes.push(lane);
      lane = nextLane.get(lane.senderId, lane.class, lane.targetId);
    }
    return lanes;
  }

  /** The messages of a lane after `after`, those of later times too: the oldest first, so also the first to lose their validity. */
  waiting(lane: LaneKey, after: QueuePosition, limit: number): MessageRow[] {
    return this.#sql.waiting.all(lane.senderId, lane.class, lane.targetId, after.dueAt, after.id, limit);
  }

  /** Moves a waiting message to the lane of another target; false where it does not wait for this one any more. */
  retarget(id: number, from: number, to: number): boolean {
    const isMoved = this.#sql.retarget.run(id, from, to).changes > 0;
    if (isMoved) this.#retargeted += 1;
    return isMoved;
  }

  /** How many messages have changed lanes: where it grew while lanes were walked, one may have been missed. */
  get retargeted(): number {
    return this.#retargeted;
  }

  /** Messages that a crash left between claim and answer. */
  submitting(limit: number): MessageRow[] {
    return this.#sql.submitting.all(limit);
  }

  /** Messages that wait for another try and whose validity has ended. */
  retryingExpired(now: number, limit: number): MessageRow[] {
    return this.#sql.retryingExpired.all(now, limit);
  }

  /** Retries planned after `latest` become due at `now`. */
  pullInRetries(now: number, latest: number): void {
    this.#sql.pullInRetries.run(now, latest);
  }

  /** Whether something of the lane is due that was never handed over. */
  holdsReady(lane: LaneKey, now: number): boolean {
    return this.#sql.holdsReady.get(lane.senderId, lane.class, lane.targetId, now) !== null;
  }

  /** Messages of the lane that are due and were never handed over become due at `until`; returns how many of up to `limit`. */
  postpone(lane: LaneKey, now: number, until: number, limit: number): number {
    return this.#sql.postpone.run(lane.senderId, lane.class, lane.targetId, now, until, limit).changes;
  }

  /** How many of the lane are due before `position`, counted up to `limit`. */
  ahead(lane: LaneKey, position: QueuePosition, limit: number): number {
    const { senderId, class: messageClass, targetId } = lane;
    return this.#sql.ahead.get(senderId, messageClass, targetId, position.dueAt, position.id, limit)?.messages ?? 0;
  }

  /** How many wait in a lane, counted up to `limit`, and since when the oldest is due. */
  depth(lane: LaneKey, limit: number): { waiting: number; oldestDueAt: number | null } {
    return this.#sql.depth.get(lane.senderId, lane.class, lane.targetId, limit) ?? { waiting: 0, oldestDueAt: null };
  }
}
