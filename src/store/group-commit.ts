/** Group commit: every write that gathered since the last turn of the event loop shares one transaction, and is answered once that is on disk. */
import type { Database } from "bun:sqlite";
import { StoreUnavailable } from "./store-unavailable.ts";
import { type Sync, SyncQueue } from "./sync-queue.ts";

interface PendingWrite {
  run(): void;
  /** Called once, after the outcome of the transaction is known. */
  settle(): void;
  fail(reason: unknown): void;
}

/** SQLite's primary result codes that speak of the disk, not of the statement. */
const diskErrors = /^SQLITE_(IOERR|FULL|CANTOPEN|READONLY|CORRUPT|NOTADB|NOMEM|BUSY|PROTOCOL)/;

function isDiskError(reason: unknown): boolean {
  return reason instanceof Error && "code" in reason && diskErrors.test(String(reason.code));
}

const toldAs = (failure: unknown): unknown => (isDiskError(failure) ? new StoreUnavailable(failure) : failure);

export interface GroupCommitObserver {
  /** One transaction ended: how many writes it held, how long it took until it was on disk, and whether it stands. */
  committed(writes: number, durationMs: number, stands: boolean): void;
  /**
   * The disk failed to keep what was committed. What it holds now only a new start can tell, since the kernel forgets what it
   * failed to write: from here on every write is refused, and the process should end.
   */
  lost?: ((reason: unknown) => void) | undefined;
}

export interface GroupCommit {
  /**
   * Runs `change` inside the next transaction and resolves with its result once that is on disk.
   * `change` may run twice (see `commitAlone`): it must have no effect outside the database.
   * Rejects with what `change` threw, or with StoreUnavailable.
   */
  write<T>(change: () => T): Promise<T>;
  /** Resolves once everything that can be read now is on disk; rejects with StoreUnavailable. */
  synced(): Promise<void>;
  /** Commits what is pending now. For tests. */
  flush(): void;
  /**
   * Commits what is pending now, and refuses whatever comes later: a closed connection whose statements are still referred to
   * would go on writing, beside the process that opens the folder next.
   */
  close(): void;
}

/** As many syncs run at a time as there are `syncs`. */
export function groupCommit(database: Database, syncs: readonly Sync[], observer: GroupCommitObserver): GroupCommit {
  let pending: PendingWrite[] = [];
  const unsynced = new SyncQueue(syncs, lose);
  /** Why no write is taken any more; null as long as they are. */
  let closed: StoreUnavailable | null = null;
  const begin = database.prepare("BEGIN IMMEDIATE");
  const commit = database.prepare("COMMIT");

  function rollBack(): void {
    // SQLite has already rolled back by itself after some errors; a second ROLLBACK would throw and hide the first.
    if (database.inTransaction) database.run("ROLLBACK");
  }

  /** Undefined where it is committed: its writes are answered once it is synced. */
  function transact(writes: readonly PendingWrite[]): unknown {
    const startedAt = performance.now();
    const told = (stands: boolean) => observer.committed(writes.length, performance.now() - startedAt, stands);
    try {
      begin.run();
      for (const write of writes) write.run();
      commit.run();
    } catch (reason) {
      rollBack();
      told(false);
      return reason ?? new Error("A write threw nothing");
    }
    unsynced.add((failure) => {
      told(failure === undefined);
      settleAll(writes, failure);
    });
    return undefined;
  }

  function lose(failure: StoreUnavailable): void {
    closed = failure;
    observer.lost?.(failure.cause);
  }

  function settleAll(writes: readonly PendingWrite[], failure: unknown): void {
    for (const write of writes) {
      if (failure === undefined) write.settle();
      else write.fail(failure);
    }
  }

  /** One write of a group threw: each gets a transaction of its own, so that only the guilty one fails. */
  function commitAlone(writes: readonly PendingWrite[]): void {
    for (const write of writes) {
      const failure = transact([write]);
      if (failure !== undefined) write.fail(toldAs(failure));
    }
  }

  function flush(): void {
    if (pending.length === 0) return;
    const writes = pending;
    pending = [];
    if (closed !== null) {
      settleAll(writes, closed);
      return;
    }
    const failure = transact(writes);
    if (failure === undefined) return;
    if (writes.length > 1 && !isDiskError(failure)) commitAlone(writes);
    else settleAll(writes, toldAs(failure));
  }

  function close(): void {
    flush();
    closed ??= new StoreUnavailable("it is closed");
  }

  function write<T>(change: () => T): Promise<T> {
    if (closed !== null) return Promise.reject(closed);
    return new Promise<T>((resolve, reject) => {
      let result: { value: T } | null = null;
      const entry: PendingWrite = {
        run: () => {
          result = { value: change() };
        },
        settle: () => {
          if (result === null) reject(new Error("A write was settled before it ran"));
          else resolve(result.value);
        },
        fail: reject,
      };
      pending.push(entry);
      if (pending.length === 1) setImmediate(flush);
    });
  }

  return { write, synced: unsynced.drained, flush, close };
}
