/** Runs of messages that are stored but not yet accepted: every read leaves them out. */
import { columnsOf, type RowOf } from "./columns.ts";
import { stagedRun } from "./schema.ts";

export const stagedRunColumns = columnsOf(stagedRun);

/**
 * The messages are consecutive: `messageCount` of them, starting at `firstMessageId`. `publishedAt` (epoch
 * milliseconds) is null while they are hidden; `releasedCount` of them are in the queue.
 */
export type StagedRun = RowOf<typeof stagedRunColumns>;

/** Which messages are hidden. Held in memory, so that a look-up is free while no run is staged. */
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
