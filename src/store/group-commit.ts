/** Group commit: every write that gathered since the last turn of the event loop shares one transaction and one fsync. */
import type { Database } from "bun:sqlite";
import { errorCode } from "../platform/error-code.ts";

interface PendingWrite {
  run(): void;
  /** Called once, after the outcome of the transaction is known. */
  settle(): void;
  fail(reason: unknown): void;
}

/** The disk refused: nothing of the write is kept, and nobody was told otherwise. Full disk, I/O error, lost volume. */
export class StoreUnavailable extends Error {
  constructor(cause: unknown) {
    super(`The store cannot write: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    this.name = "StoreUnavailable";
  }
}

/** SQLite's primary result codes that speak of the disk, not of the statement. */
const diskErrors = /^SQLITE_(IOERR|FULL|CANTOPEN|READONLY|CORRUPT|NOTADB|NOMEM|BUSY|PROTOCOL)/;

function isDiskError(reason: unknown): boolean {
  return diskErrors.test(errorCode(reason));
}

export interface GroupCommitObserver {
  /** One transaction ended: how many writes it held, how long it took, and whether it stands. */
  committed(writes: number, durationMs: number, stands: boolean): void;
}

export interface GroupCommit {
  /**
   * Runs `change` inside the next transaction and resolves with its result once that is on disk.
   * `change` may run twice (see `commitAlone`): it must have no effect outside the database.
   * Rejects with what `change` threw, or with StoreUnavailable.
   */
  write<T>(change: () => T): Promise<T>;
  /** Commits what is pending now. For tests. */
  flush(): void;
  /**
   * Commits what is pending now, and refuses whatever comes later: a closed connection whose statements are still referred to
   * would go on writing, beside the process that opens the folder next.
   */
  close(): void;
}

export function groupCommit(database: Database, observer: GroupCommitObserver): GroupCommit {
  let pending: PendingWrite[] = [];
  let closed = false;
  const begin = database.prepare("BEGIN IMMEDIATE");
  const commit = database.prepare("COMMIT");

  function rollBack(): void {
    // SQLite has already rolled back by itself after some errors; a second ROLLBACK would throw and hide the first.
    if (database.inTransaction) database.run("ROLLBACK");
  }

  function transact(writes: readonly PendingWrite[]): unknown {
    const startedAt = performance.now();
    let failure: unknown;
    try {
      begin.run();
      for (const write of writes) write.run();
      commit.run();
    } catch (reason) {
      failure = reason ?? new Error("A write threw nothing");
      rollBack();
    }
    observer.committed(writes.length, performance.now() - startedAt, failure === undefined);
    return failure;
  }

  function settleAll(writes: readonly PendingWrite[], failure: unknown): void {
    for (const write of writes) {
      if (failure === undefined) write.settle();
      else write.fail(isDiskError(failure) ? new StoreUnavailable(failure) : failure);
    }
  }

  /** One write of a group threw: each gets a transaction of its own, so that only the guilty one fails. */
  function commitAlone(writes: readonly PendingWrite[]): void {
    for (const write of writes) settleAll([write], transact([write]));
  }

  function flush(): void {
    if (pending.length === 0) return;
    const writes = pending;
    pending = [];
    const failure = transact(writes);
    if (failure !== undefined && writes.length > 1 && !isDiskError(failure)) commitAlone(writes);
    else settleAll(writes, failure);
  }

  function close(): void {
    flush();
    closed = true;
  }

  function write<T>(change: () => T): Promise<T> {
    if (closed) return Promise.reject(new StoreUnavailable("it is closed"));
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

  return { write, flush, close };
}
