/** The queue as stored in the index on disk: the waiting messages of each lane, by due time. */
import type { Database } from "bun:sqlite";
import { columnsOf, type RowOf } from "./columns.ts";
import { type MessageRow, messageColumns } from "./messages.ts";
import { message } from "./schema.ts";

const laneColumns = columnsOf(message, "senderId", "class", "targetId", "priority");

/** A lane: messages of one class and priority, sent under one sender by one target. */
export type LaneKey = RowOf<typeof laneColumns>;

/** A position in a lane; a page starts after it. */
export interface QueuePosition {
  dueAt: number;
  id: number;
}

/** When a waiting message was accepted, is due and expires. */
export interface WaitingTimes extends QueuePosition {
  validUntil: number;
  submittedAt: number;
}

export const laneStart: QueuePosition = { dueAt: -1, id: -1 };

/** In index order. */
const valuesOf = ({ senderId, class: messageClass, targetId, priority }: LaneKey) =>
  [senderId, messageClass, targetId, priority] as const;

/** If the clock has just gone back, the newest message alone would not show it. Reading these takes a millisecond. */
const newestRows = 1_000;

const timeColumns = "due_at AS dueAt, id, valid_until AS validUntil, submitted_at AS submittedAt FROM message";
const inLane = "sender_id = ?1 AND class = ?2 AND target_id = ?3 AND priority = ?4";

const prepare = (database: Database) => ({
  page: database.prepare<QueuePosition, [number, number, number, number, number, number, number, number, number]>(
    // The table row is read only if the wall clock went back: otherwise the index alone shows that everything is due.
    `SELECT due_at AS dueAt, id FROM message
     WHERE sender_id = ?1 AND class = ?2 AND target_id = ?3 AND priority = ?4
       AND due_at IS NOT NULL AND (due_at, id) > (?5, ?6) AND due_at <= ?8
       AND (due_at <= ?7 OR (send_at IS NULL AND state = 'ready'))
     ORDER BY due_at, id LIMIT ?9`,
  ),
  highest: database.prepare<{ submittedAt: number | null }, [number]>(
    "SELECT max(submitted_at) AS submittedAt FROM (SELECT submitted_at FROM message ORDER BY id DESC LIMIT ?)",
  ),
  nextDue: database.prepare<{ dueAt: number }, [number, number, number, number, number]>(
    `SELECT due_at AS dueAt FROM message
     WHERE sender_id = ? AND class = ? AND target_id = ? AND priority = ? AND due_at > ? ORDER BY due_at LIMIT 1`,
  ),
  // The last column takes the seek behind all messages of a lane: SQLite seeks to the first row that is equal, and with
  // four columns it stepped over each message that waits, half a second at a million.
  nextLane: database.prepare<LaneKey, [number, number, number, number]>(
    `SELECT ${laneColumns} FROM message
     WHERE due_at IS NOT NULL AND (sender_id, class, target_id, priority, due_at) > (?, ?, ?, ?, ${2n ** 63n - 1n})
     ORDER BY sender_id, class, target_id, priority, due_at LIMIT 1`,
  ),
  // Two ranges: a campaign's messages are due at the same time, and by (due_at, id) > (?, ?) SQLite steps over all of
  // them to find the next page: to read 50,000 by fifties took 1.5 s, and takes 0.07 now.
  waiting: database.prepare<MessageRow, [number, number, number, number, number, number, number]>(
    `SELECT * FROM (SELECT ${messageColumns} FROM message WHERE ${inLane} AND due_at = ?5 AND id > ?6 ORDER BY id LIMIT ?7)
     UNION ALL
     SELECT * FROM (SELECT ${messageColumns} FROM message WHERE ${inLane} AND due_at > ?5 ORDER BY due_at, id LIMIT ?7)
     LIMIT ?7`,
  ),
  times: database.prepare<WaitingTimes, [number, number, number, number, number, number, number, number]>(
    `SELECT * FROM (SELECT ${timeColumns} WHERE ${inLane} AND due_at = ?5 AND id > ?6 ORDER BY id LIMIT ?8)
     UNION ALL
     SELECT * FROM (SELECT ${timeColumns} WHERE ${inLane} AND due_at > ?5 AND due_at <= ?7 ORDER BY due_at, id LIMIT ?8)
     LIMIT ?8`,
  ),
  submitting: database.prepare<MessageRow, [number]>(
    `SELECT ${messageColumns} FROM message WHERE state = 'submitting' ORDER BY id LIMIT ?`,
  ),
  retryingExpired: database.prepare<MessageRow, [number, number]>(
    `SELECT ${messageColumns} FROM message
     WHERE state IN ('retry_wait', 'uncertain') AND valid_until <= ? ORDER BY valid_until LIMIT ?`,
  ),
  holdsReady: database.prepare<{ held: 1 }, [number, number, number, number, number]>(
    `SELECT 1 AS held FROM message
     WHERE sender_id = ? AND class = ? AND target_id = ? AND priority = ? AND due_at <= ? AND state = 'ready' LIMIT 1`,
  ),
  ahead: database.prepare<{ messages: number }, [number, number, number, number, number, number, number]>(
    `SELECT count(*) AS messages FROM (
       SELECT 1 FROM message
       WHERE sender_id = ? AND class = ? AND target_id = ? AND priority = ?
         AND due_at IS NOT NULL AND (due_at, id) < (?, ?) LIMIT ?)`,
  ),
  depth: database.prepare<{ waiting: number; oldestDueAt: number | null }, [number, number, number, number, number]>(
    `SELECT count(*) AS waiting, min(due_at) AS oldestDueAt FROM (
       SELECT due_at FROM message
       WHERE sender_id = ? AND class = ? AND target_id = ? AND priority = ? AND due_at IS NOT NULL ORDER BY due_at LIMIT ?)`,
  ),
});

const prepareMoves = (database: Database) => ({
  retarget: database.prepare(
    "UPDATE message SET target_id = ?3 WHERE id = ?1 AND target_id = ?2 AND due_at IS NOT NULL",
  ),
  pullInRetries: database.prepare(
    "UPDATE message SET due_at = ?1 WHERE state IN ('retry_wait', 'uncertain') AND due_at > ?2",
  ),
  pullIn: database.prepare(
    "UPDATE message SET due_at = ?2 WHERE id = ?1 AND due_at > ?2 AND send_at IS NULL AND state = 'ready'",
  ),
  // Time during which it may not be sent does not count towards its validity.
  postpone: database.prepare(
    `UPDATE message SET due_at = ?6, valid_until = valid_until + ?6 - ?5
     WHERE id IN (
       SELECT id FROM message
       WHERE sender_id = ?1 AND class = ?2 AND target_id = ?3 AND priority = ?4 AND due_at <= ?5 AND state = 'ready'
       ORDER BY due_at, id LIMIT ?7)`,
  ),
});

export class QueueTable {
  readonly #sql: ReturnType<typeof prepare> & ReturnType<typeof prepareMoves>;
  #retargeted = 0;

  constructor(database: Database) {
    this.#sql = { ...prepare(database), ...prepareMoves(database) };
  }

  /**
   * Up to `limit` due messages of the lane after `after`. `clockHigh` is the highest wall time ever seen: a message
   * that was due at once before the clock went back is still due, while a scheduled one waits for its time.
   */
  page(lane: LaneKey, after: QueuePosition, now: number, clockHigh: number, limit: number): QueuePosition[] {
    const latest = Math.max(now, clockHigh);
    return this.#sql.page.all(...valuesOf(lane), after.dueAt, after.id, now, latest, limit);
  }

  /** The latest acceptance time among the newest messages, in epoch milliseconds; 0 if there are none. */
  highestSubmittedAt(): number {
    return this.#sql.highest.get(newestRows)?.submittedAt ?? 0;
  }

  /** The due time of the lane's first message due later than `after`. */
  nextDue(lane: LaneKey, after: number): number | null {
    return this.#sql.nextDue.get(...valuesOf(lane), after)?.dueAt ?? null;
  }

  /** Every non-empty lane; one index seek each. */
  lanes(): LaneKey[] {
    const { nextLane } = this.#sql;
    const lanes: LaneKey[] = [];
    for (let lane = nextLane.get(-1, -1, -1, -1); lane !== null; ) {
      lanes.push(lane);
      lane = nextLane.get(...valuesOf(lane));
    }
    return lanes;
  }

  /** The times of the lane's messages after `after` that are due by `until`, in order. */
  times(lane: LaneKey, after: QueuePosition, until: number, limit: number): WaitingTimes[] {
    return this.#sql.times.all(...valuesOf(lane), after.dueAt, after.id, until, limit);
  }

  /** The lane's messages after `after`, including those due later: the oldest first. */
  waiting(lane: LaneKey, after: QueuePosition, limit: number): MessageRow[] {
    return this.#sql.waiting.all(...valuesOf(lane), after.dueAt, after.id, limit);
  }

  /** Moves a waiting message to the lane of another target; false if it no longer waits for this one. */
  retarget(id: number, from: number, to: number): boolean {
    const isMoved = this.#sql.retarget.run(id, from, to).changes > 0;
    if (isMoved) this.#retargeted += 1;
    return isMoved;
  }

  /** How many messages have changed lanes: if it grew during a walk over the lanes, the walk may have missed one. */
  get retargeted(): number {
    return this.#retargeted;
  }

  /** Messages that a crash left between claim and answer. */
  submitting(limit: number): MessageRow[] {
    return this.#sql.submitting.all(limit);
  }

  /** Messages waiting for a retry whose validity has ended. */
  retryingExpired(now: number, limit: number): MessageRow[] {
    return this.#sql.retryingExpired.all(now, limit);
  }

  /** Retries planned after `latest` become due at `now`. */
  pullInRetries(now: number, latest: number): number {
    return this.#sql.pullInRetries.run(now, latest).changes;
  }

  /** Makes a message that was asked for at once, and never handed over, due at `dueAt` if it is due later. */
  pullIn({ id, dueAt }: QueuePosition): void {
    this.#sql.pullIn.run(id, dueAt);
  }

  /** True if the lane has a due message that was never handed over. */
  holdsReady(lane: LaneKey, now: number): boolean {
    return this.#sql.holdsReady.get(...valuesOf(lane), now) !== null;
  }

  /** Makes due messages of the lane that were never handed over due at `until`. Returns how many, at most `limit`. */
  postpone(lane: LaneKey, now: number, until: number, limit: number): number {
    return this.#sql.postpone.run(...valuesOf(lane), now, until, limit).changes;
  }

  /** How many of the lane's messages are due before `position`, counting at most `limit`. */
  ahead(lane: LaneKey, position: QueuePosition, limit: number): number {
    return this.#sql.ahead.get(...valuesOf(lane), position.dueAt, position.id, limit)?.messages ?? 0;
  }

  /** How many messages wait in a lane, counting at most `limit`, and since when the oldest has been due. */
  depth(lane: LaneKey, limit: number): { waiting: number; oldestDueAt: number | null } {
    return this.#sql.depth.get(...valuesOf(lane), limit) ?? { waiting: 0, oldestDueAt: null };
  }
}
