/**
 * Cancels the waiting messages of a revoked API key, in slices that let other writes in between, each one safe against
 * the dispatcher.
 */
import { OperatorError } from "../../domain/operator-error.ts";
import { isCancellable } from "../../domain/status.ts";
import { nextTurn } from "../../platform/next-turn.ts";
import { StoreUnavailable } from "../../store/group-commit.ts";
import type { RequestRun, RequestSlice } from "../../store/idempotency.ts";
import type { MessageRow } from "../../store/messages.ts";
import { laneStart, type QueuePosition } from "../../store/queue.ts";
import type { Store, Tables } from "../../store/store.ts";
import type { ApiKey, Directory } from "../directory/directory.ts";
import { cancelledPerWrite, cancelRow } from "./cancel.ts";

export interface WaitingCancellerDeps {
  store: Store;
  clock: { now(): number };
  directory: Pick<Directory, "accountOf" | "keysOf">;
}

export interface CancelledWaiting {
  cancelled: number;
  /** The account's waiting messages whose key is unknown: older than the column, and their request has been removed. */
  unattributed: number;
}

/** Requests examined per turn of the event loop: 1 ms. */
const sliceRequests = 5_000;

/** What a call has done and found so far. */
interface Progress {
  cancelled: number;
  /** The account's waiting messages without a stored key. */
  keyless: Set<number>;
}

export class WaitingCanceller {
  constructor(private readonly deps: WaitingCancellerDeps) {}

  /**
   * The key is already revoked, so nothing more is accepted under it. Throws `store_unavailable` if the disk refuses
   * partway: earlier cancellations stay, and another call finishes the rest, as it does after a crash.
   */
  async cancel(key: ApiKey): Promise<CancelledWaiting> {
    const progress: Progress = { cancelled: 0, keyless: new Set() };
    try {
      // Runs before lanes: messages released to the queue meanwhile are found there.
      await this.#cancelRuns(key, progress);
      const { queue } = this.deps.store.tables;
      let moved: number;
      // A change of a routing plan moves messages between lanes meanwhile.
      do {
        moved = queue.retargeted;
        await this.#cancelLanes(key, progress);
      } while (queue.retargeted !== moved);
      const unattributed = await this.#cancelKeyless(key, progress);
      return { cancelled: progress.cancelled, unattributed };
    } catch (reason) {
      if (!(reason instanceof StoreUnavailable)) throw reason;
      const { cancelled } = progress;
      throw new OperatorError("store_unavailable", { code: "cancel_unfinished", values: { cancelled } });
    }
  }

  /** Messages of a large accepted request that are not in the queue yet. */
  async #cancelRuns(key: ApiKey, progress: Progress): Promise<void> {
    for (const { firstMessageId, messageCount, publishedAt } of this.deps.store.tables.stagedRuns.all()) {
      const end = publishedAt === null ? firstMessageId : firstMessageId + messageCount;
      for (let from = firstMessageId; from < end; from += cancelledPerWrite) {
        const ids = Array.from({ length: Math.min(cancelledPerWrite, end - from) }, (_, index) => from + index);
        await this.#cancelAmong(key, progress, rowsOf(ids));
      }
    }
  }

  async #cancelLanes(key: ApiKey, progress: Progress): Promise<void> {
    const { store, directory } = this.deps;
    for (const lane of store.tables.queue.lanes()) {
      if (directory.accountOf(lane.senderId) !== key.accountId) continue;
      for (let after: QueuePosition | null = laneStart; after !== null; ) {
        const from: QueuePosition = after;
        const rows = await this.#cancelAmong(key, progress, ({ queue }) =>
          queue.waiting(lane, from, cancelledPerWrite),
        );
        const last = rows.at(-1);
        after = last === undefined ? null : { dueAt: last.dueAt ?? 0, id: last.id };
      }
    }
  }

  /** Finds the key of each message by its request. Returns how many have none. */
  async #cancelKeyless(key: ApiKey, progress: Progress): Promise<number> {
    const ids = [...progress.keyless].sort((a, b) => a - b);
    const { own, others } = await this.#attribute(key, ids);
    for (let from = 0; from < own.length; from += cancelledPerWrite) {
      await this.#cancelAmong(key, progress, rowsOf(own.slice(from, from + cancelledPerWrite)), null);
    }
    return ids.length - own.length - others;
  }

  /** Of the messages returned by `read`, cancels those of the key `apiKeyId`. One transaction. */
  async #cancelAmong(
    key: ApiKey,
    progress: Progress,
    read: (tables: Tables) => MessageRow[],
    apiKeyId: number | null = key.id,
  ): Promise<MessageRow[]> {
    const { store, clock } = this.deps;
    const belongs = (row: MessageRow) => row.apiKeyId === apiKeyId && isCancellable(row.state);
    const reason = { code: "key_revoked", keyName: key.name } as const;
    const rows = await store.write((tables) => {
      const rows = read(tables);
      for (const row of rows.filter(belongs)) cancelRow(tables, row, clock.now(), reason);
      return rows;
    });
    for (const row of rows) {
      if (belongs(row)) progress.cancelled += 1;
      else if (row.apiKeyId === null && row.accountId === key.accountId && isCancellable(row.state)) {
        progress.keyless.add(row.id);
      }
    }
    return rows;
  }

  /**
   * Which of the messages came with a request of the key, and how many with one of another key. `ids` in ascending
   * order.
   */
  async #attribute(key: ApiKey, ids: readonly number[]): Promise<{ own: number[]; others: number }> {
    const { store, directory } = this.deps;
    const own: number[] = [];
    let others = 0;
    const keyIds = directory.keysOf(key.accountId).map(({ id }) => id);
    for (let afterId = ids.length === 0 ? null : 0; afterId !== null; await nextTurn()) {
      const slice: RequestSlice = store.tables.idempotency.runsOf(keyIds, afterId, sliceRequests);
      for (const run of slice.runs) {
        const covered = idsOf(run, ids);
        if (run.apiKeyId !== key.id) others += covered.length;
        else for (const id of covered) own.push(id);
      }
      afterId = slice.nextId;
    }
    return { own, others };
  }
}

const rowsOf = (ids: readonly number[]) => (tables: Tables) => ids.flatMap((id) => tables.messages.byId(id) ?? []);

/** Those of the ascending ids that belong to the request. */
function idsOf({ firstMessageId, messageCount }: RequestRun, ids: readonly number[]): readonly number[] {
  return ids.slice(lowerBound(ids, firstMessageId), lowerBound(ids, firstMessageId + messageCount));
}

/** The index of the first id that is not below `bound`. */
function lowerBound(ids: readonly number[], bound: number): number {
  let low = 0;
  for (let high = ids.length; low < high; ) {
    const middle = (low + high) >>> 1;
    if ((ids[middle] ?? bound) < bound) low = middle + 1;
    else high = middle;
  }
  return low;
}
