/**
 * Runs of messages too many for one transaction: stored slice by slice under reserved ids, unseen until one small commit
 * publishes them all, and given to the queue slice by slice after that. Measured against staging them in a table of their own
 * and moving them: 50,000 rows moved in one commit held the event loop for 300 ms. Messages outside of runs pay nothing.
 */
import type { Database } from "bun:sqlite";
import type { LaneKey } from "./queue.ts";

export interface StagedRun {
  id: number;
  /** The messages lie in a row: `messageCount` of them from `firstMessageId` on. */
  firstMessageId: number;
  messageCount: number;
  /** Epoch milliseconds; null while nobody may see them. */
  publishedAt: number | null;
  /** How many of them the queue has by now. */
  releasedCount: number;
}

/** A message that was just given to the queue, and its lane. */
export interface ReleasedMessage extends LaneKey {
  id: number;
  dueAt: number;
}

/** Which messages nobody may see. Held in memory, so that a look-up costs nothing while no run is being staged. */
export class HiddenRuns {
  readonly #runs = new Map<number, StagedRun>();

  add(run: StagedRun): void {
    this.#runs.set(run.id, run);
  }

  remove(runId: number): void {
    this.#runs.delete(runId);
  }

  ranges(): { firstId: number; lastId: number }[] {
    return [...this.#runs.values()].map(({ firstMessageId, messageCount }) => ({
      firstId: firstMessageId,
      lastId: firstMessageId + messageCount - 1,
    }));
  }

  has(messageId: number): boolean {
    if (this.#runs.size === 0) return false;
    for (const { firstMessageId, messageCount } of this.#runs.values()) {
      if (messageId >= firstMessageId && messageId < firstMessageId + messageCount) return true;
    }
    return false;
  }
}

const runColumns = `id, first_message_id AS firstMessageId, message_count AS messageCount, published_at AS publishedAt,
  released_count AS releasedCount`;

export type StagedRunTable = ReturnType<typeof stagedRunTable>;

export function stagedRunTable(database: Database, hidden: HiddenRuns) {
  const all = database.prepare<StagedRun, []>(`SELECT ${runColumns} FROM staged_run ORDER BY id`);
  const insertion = database.prepare<StagedRun, [number]>(
    `INSERT INTO staged_run (first_message_id, message_count)
     VALUES ((SELECT coalesce(max(id), 0) + 1 FROM message), ?) RETURNING ${runColumns}`,
  );
  const publication = database.prepare("UPDATE staged_run SET published_at = ?2 WHERE id = ?1");
  const release = database.prepare<ReleasedMessage, [number, number, number]>(
    `UPDATE message SET due_at = ?3 WHERE id >= ?1 AND id < ?2 AND state = 'ready' AND due_at IS NULL
     RETURNING id, due_at AS dueAt, sender_id AS senderId, class`,
  );
  const progress = database.prepare("UPDATE staged_run SET released_count = ?2 WHERE id = ?1");
  const removeMessages = database.prepare(
    "DELETE FROM message WHERE id IN (SELECT id FROM message WHERE id >= ? AND id < ? ORDER BY id LIMIT ?)",
  );
  const removal = database.prepare("DELETE FROM staged_run WHERE id = ?");
  const endOf = (run: StagedRun) => run.firstMessageId + run.messageCount;

  // What a crash left unpublished stays unseen until it is discarded.
  for (const run of all.all()) if (run.publishedAt === null) hidden.add(run);

  return {
    all: (): StagedRun[] => all.all(),

    /** Sets ids aside above every message. The caller stores the run's last message with it: new ids begin after that. */
    reserve(messageCount: number): StagedRun {
      const run = insertion.get(messageCount);
      if (run === null) throw new Error("A reserved run was not returned");
      return run;
    },

    /** From this commit on the run is accepted. */
    publish(run: StagedRun, at: number): StagedRun {
      publication.run(run.id, at);
      return { ...run, publishedAt: at };
    },

    /** Gives the next messages to the queue, up to `limit`; the run's row goes with the last of them. */
    release(run: StagedRun, limit: number): { run: StagedRun; released: ReleasedMessage[] } {
      const first = run.firstMessageId + run.releasedCount;
      const end = Math.min(first + limit, endOf(run));
      const released = release.all(first, end, run.publishedAt ?? 0);
      const releasedCount = end - run.firstMessageId;
      if (releasedCount === run.messageCount) removal.run(run.id);
      else progress.run(run.id, releasedCount);
      return { run: { ...run, releasedCount }, released };
    },

    /** Removes up to `limit` messages of an unpublished run; true once nothing of it is left. */
    discard(run: StagedRun, limit: number): boolean {
      const { changes } = removeMessages.run(run.firstMessageId, endOf(run), limit);
      if (changes === limit) return false;
      removal.run(run.id);
      return true;
    },

    /** Called once the reservation is on disk, and by nobody inside a write. */
    hide: (run: StagedRun): void => hidden.add(run),

    /** Called once a run is published or discarded, and by nobody inside a write. */
    reveal: (run: StagedRun): void => hidden.remove(run.id),
  };
}
