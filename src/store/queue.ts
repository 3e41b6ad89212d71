/** The queue as the index on disk holds it: what waits in each lane, in the order of its due time. */
import type { Database } from "bun:sqlite";
import type { MessageClass } from "../domain/message.ts";
import { type MessageRow, messageColumns } from "./messages.ts";

/** One lane: the messages of one class that go out under one sender. */
export interface LaneKey {
  senderId: number;
  class: MessageClass;
}

/** A place in a lane. Pages begin after it. */
export interface QueuePosition {
  dueAt: number;
  id: number;
}

export const laneStart: QueuePosition = { dueAt: -1, id: -1 };

export type QueueTable = ReturnType<typeof queueTable>;

export function queueTable(database: Database) {
  const page = database.prepare<QueuePosition, [number, number, number, number, number, number, number]>(
    // The row behind the index is read only where the wall clock went back: everything else is due by the index alone.
    `SELECT due_at AS dueAt, id FROM message
     WHERE sender_id = ?1 AND class = ?2 AND due_at IS NOT NULL AND (due_at, id) > (?3, ?4) AND due_at <= ?6
       AND (due_at <= ?5 OR (send_at IS NULL AND state = 'ready'))
     ORDER BY due_at, id LIMIT ?7`,
  );
  const newest = database.prepare<{ submittedAt: number }, []>(
    "SELECT submitted_at AS submittedAt FROM message ORDER BY id DESC LIMIT 1",
  );
  const nextDue = database.prepare<{ dueAt: number }, [number, number, number]>(
    `SELECT due_at AS dueAt FROM message WHERE sender_id = ? AND class = ? AND due_at > ? ORDER BY due_at LIMIT 1`,
  );
  const nextLane = database.prepare<LaneKey, [number, number]>(
    `SELECT sender_id AS senderId, class FROM message
     WHERE due_at IS NOT NULL AND (sender_id, class) > (?, ?) ORDER BY sender_id, class LIMIT 1`,
  );
  const head = database.prepare<MessageRow, [number, number, number]>(
    `SELECT ${messageColumns} FROM message
     WHERE sender_id = ? AND class = ? AND due_at IS NOT NULL ORDER BY due_at, id LIMIT ?`,
  );
  const submitting = database.prepare<MessageRow, [number]>(
    `SELECT ${messageColumns} FROM message WHERE state = 'submitting' ORDER BY id LIMIT ?`,
  );
  const retryingExpired = database.prepare<MessageRow, [number, number]>(
    `SELECT ${messageColumns} FROM message
     WHERE state IN ('retry_wait', 'uncertain') AND valid_until <= ? ORDER BY valid_until LIMIT ?`,
  );
  const pullInRetries = database.prepare(
    "UPDATE message SET due_at = ?1 WHERE state IN ('retry_wait', 'uncertain') AND due_at > ?2",
  );
  const depth = database.prepare<{ waiting: number; oldestDueAt: number | null }, [number, number, number]>(
    `SELECT count(*) AS waiting, min(due_at) AS oldestDueAt FROM (
       SELECT due_at FROM message WHERE sender_id = ? AND class = ? AND due_at IS NOT NULL ORDER BY due_at LIMIT ?)`,
  );

  return {
    /**
     * Up to `limit` messages of the lane after `after` that are due. `clockHigh` is the highest wall time ever seen: what was
     * due at once before the clock went back is due all the same, and what was scheduled waits for its time.
     */
    page: (lane: LaneKey, after: QueuePosition, now: number, clockHigh: number, limit: number): QueuePosition[] =>
      page.all(lane.senderId, lane.class, after.dueAt, after.id, now, Math.max(now, clockHigh), limit),

    /** When the newest message was accepted, in epoch milliseconds; 0 when there is none. */
    newestSubmittedAt: (): number => newest.get()?.submittedAt ?? 0,

    /** The due time of the first message of the lane that is due later than `after`. */
    nextDue: (lane: LaneKey, after: number): number | null =>
      nextDue.get(lane.senderId, lane.class, after)?.dueAt ?? null,

    /** Every lane that holds something, found by one index seek each. */
    lanes(): LaneKey[] {
      const lanes: LaneKey[] = [];
      for (let lane = nextLane.get(-1, -1); lane !== null; lane = nextLane.get(lane.senderId, lane.class))
        lanes.push(lane);
      return lanes;
    },

    /** The first messages of a lane: the oldest, so also the first to lose their validity. */
    head: (lane: LaneKey, limit: number): MessageRow[] => head.all(lane.senderId, lane.class, limit),

    /** Messages that a crash left between claim and answer. */
    submitting: (limit: number): MessageRow[] => submitting.all(limit),

    /** Messages that wait for another try and whose validity has ended. */
    retryingExpired: (now: number, limit: number): MessageRow[] => retryingExpired.all(now, limit),

    /** Retries planned after `latest` become due at `now`. */
    pullInRetries(now: number, latest: number): void {
      pullInRetries.run(now, latest);
    },

    /** How many wait in a lane, counted up to `limit`, and since when the oldest is due. */
    depth: (lane: LaneKey, limit: number): { waiting: number; oldestDueAt: number | null } =>
      depth.get(lane.senderId, lane.class, limit) ?? { waiting: 0, oldestDueAt: null },
  };
}
