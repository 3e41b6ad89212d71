/**
 * Runs of messages too large for one transaction: stored slice by slice under reserved ids, hidden until one small
 * commit publishes them, then released to the queue slice by slice. Alternative measured: staging in a separate table
 * and moving 50,000 rows in one commit blocked the event loop for 300 ms. Messages outside runs pay nothing.
 */
import type { Database } from "bun:sqlite";
import { type HiddenRuns, type StagedRun, stagedRunColumns } from "./hidden-runs.ts";
import type { LaneKey } from "./queue.ts";

/** A message just released to the queue, and its lane. */
export interface ReleasedMessage extends LaneKey {
  id: number;
  dueAt: number;
  /** When its run was accepted. */
  submittedAt: number;
}

const prepare = (database: Database) => ({
  all: database.prepare<StagedRun, []>(`SELECT ${stagedRunColumns} FROM staged_run ORDER BY id`),
  reserve: database.prepare<StagedRun, [number]>(
    `INSERT INTO staged_run (first_message_id, message_count)
     VALUES ((SELECT coalesce(max(id), 0) + 1 FROM message), ?) RETURNING ${stagedRunColumns}`,
  ),
  publish: database.prepare("UPDATE staged_run SET published_at = ?2 WHERE id = ?1"),
  release: database.prepare<ReleasedMessage, [number, number, number]>(
    `UPDATE message SET due_at = max(?3, coalesce(send_at, 0)) WHERE id >= ?1 AND id < ?2 AND state = 'ready' AND due_at IS NULL
     RETURNING id, due_at AS dueAt, sender_id AS senderId, class, target_id AS targetId, priority, ?3 AS submittedAt`,
  ),
  setReleased: database.prepare("UPDATE staged_run SET released_count = ?2 WHERE id = ?1"),
  removeMessages: database.prepare(
    "DELETE FROM message WHERE id IN (SELECT id FROM message WHERE id >= ? AND id < ? ORDER BY id LIMIT ?)",
  ),
  remove: database.prepare("DELETE FROM staged_run WHERE id = ?"),
});

const endOf = (run: StagedRun) => run.firstMessageId + run.messageCount;

export class StagedRunTable {
  readonly #sql: ReturnType<typeof prepare>;
  readonly #hidden: HiddenRuns;

  constructor(database: Database, hidden: HiddenRuns) {
    this.#sql = prepare(database);
    this.#hidden = hidden;
    // Runs that a crash left unpublished stay hidden until they are discarded.
    for (const run of this.all()) if (run.publishedAt === null) hidden.add(run);
  }

  all(): StagedRun[] {
    return this.#sql.all.all();
  }

  /**
   * Reserves ids above every message. The caller stores the run's last message in the same transaction, so that new ids
   * start after it.
   */
  reserve(messageCount: number): StagedRun {
    const run = this.#sql.reserve.get(messageCount);
    if (run === null) throw new Error("A reserved run was not returned");
    return run;
  }

  /** The run is accepted with this commit. */
  publish(run: StagedRun, at: number): StagedRun {
    this.#sql.publish.run(run.id, at);
    return { ...run, publishedAt: at };
  }

  /** Releases the next messages to the queue, up to `limit`; the run's row is removed with the last of them. */
  release(run: StagedRun, limit: number): { run: StagedRun; released: ReleasedMessage[] } {
    const first = run.firstMessageId + run.releasedCount;
    const end = Math.min(first + limit, endOf(run));
    const released = this.#sql.release.all(first, end, run.publishedAt ?? 0);
    const releasedCount = end - run.firstMessageId;
    if (releasedCount === run.messageCount) this.#sql.remove.run(run.id);
    else this.#sql.setReleased.run(run.id, releasedCount);
    return { run: { ...run, releasedCount }, released };
  }

  /** Removes up to `limit` messages of an unpublished run; true once none are left. */
  discard(run: StagedRun, limit: number): boolean {
    const { changes } = this.#sql.removeMessages.run(run.firstMessageId, endOf(run), limit);
    if (changes === limit) return false;
    this.#sql.remove.run(run.id);
    return true;
  }

  /** Call once the reservation is on disk, outside any write. */
  hide(run: StagedRun): void {
    this.#hidden.add(run);
  }

  /** Call once a run is published or discarded, outside any write. */
  reveal(run: StagedRun): void {
    this.#hidden.remove(run.id);
  }
}
