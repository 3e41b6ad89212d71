/** Group commit: every write that gathered since the last turn of the event loop shares one transaction and one fsync. */
import type { Database, Statement } from "bun:sqlite";
import { errorCode } from "../platform/error-code.ts";

interface PendingWrite {
  run(): void;
  /** Called once, after the outcome of the transaction is known. */
  settle(): void;
  fail(reason: unknown): void;
}

/** The disk refused (full, I/O error, lost volume): nothing of the write is kept, and nothing was acknowledged. */
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

export class GroupCommit {
  readonly #database: Database;
  readonly #observer: GroupCommitObserver;
  readonly #begin: Statement;
  readonly #commit: Statement;
  #pending: PendingWrite[] = [];
  #closed = false;

  constructor(database: Database, observer: GroupCommitObserver) {
    this.#database = database;
    this.#observer = observer;
    this.#begin = database.prepare("BEGIN IMMEDIATE");
    this.#commit = database.prepare("COMMIT");
  }

  /**
   * Runs `change` inside the next transaction and resolves with its result once that is on disk.
   * `change` may run twice (see `#commitAlone`): it must have no effect outside the database.
   * Rejects with what `change` threw, or with StoreUnavailable.
   */
  write<T>(change: () => T): Promise<T> {
    if (this.#closed) return Promise.reject(new StoreUnavailable("it is closed"));
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
      this.#pending.push(entry);
      if (this.#pending.length === 1) setImmediate(() => this.flush());
    });
  }

  /** Commits what is pending now. For tests. */
  flush(): void {
    if (this.#pending.length === 0) return;
    const writes = this.#pending;
    this.#pending = [];
    const failure = this.#transact(writes);
    if (failure !== undefined && writes.length > 1 && !isDiskError(failure)) this.#commitAlone(writes);
    else settleAll(writes, failure);
  }

  /**
   * Commits what is pending now, and refuses whatever comes later: a closed connection whose statements are still referred to
   * would go on writing, beside the process that opens the folder next.
   */
  close(): void {
    this.flush();
    this.#closed = true;
  }

  #transact(writes: readonly PendingWrite[]): unknown {
    const startedAt = performance.now();
    let failure: unknown;
    try {
      this.#begin.run();
      for (const write of writes) write.run();
      this.#commit.run();
    } catch (reason) {
      failure = reason ?? new Error("A write threw nothing");
      // SQLite has already rolled back by itself after some errors; a second ROLLBACK would throw and hide the first.
      if (this.#database.inTransaction) this.#database.run("ROLLBACK");
    }
    this.#observer.committed(writes.length, performance.now() - startedAt, failure === undefined);
    return failure;
  }

  /** One write of a group threw: each gets a transaction of its own, so that no other write fails with it. */
  #commitAlone(writes: readonly PendingWrite[]): void {
    for (const write of writes) settleAll([write], this.#transact([write]));
  }
}

function settleAll(writes: readonly PendingWrite[], failure: unknown): void {
  for (const write of writes) {
    if (failure === undefined) write.settle();
    else write.fail(isDiskError(failure) ? new StoreUnavailable(failure) : failure);
  }
}
