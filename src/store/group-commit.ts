/** Group commit: every write that gathered since the last turn of the event loop shares one transaction and one fsync. */
import type { Database, Statement } from "bun:sqlite";
import { errorCode, errorMessage } from "../platform/error-code.ts";
import { type Checkpointer, isSyncError, SyncFailed } from "./checkpoint.ts";
import type { WriteAheadLog } from "./write-ahead-log.ts";

const notRun = Symbol("not run");

/** One caller's share of a transaction. A class: with a closure for each of its three steps a write took a third longer. */
class PendingWrite<Result, Told> {
  readonly appends: boolean;
  readonly #change: () => Result;
  readonly #committed: (result: Result) => Told;
  readonly #resolve: (told: Told) => void;
  readonly fail: (reason: unknown) => void;
  #result: Result | typeof notRun = notRun;

  constructor(
    appends: boolean,
    change: () => Result,
    committed: (result: Result) => Told,
    resolve: (told: Told) => void,
    reject: (reason: unknown) => void,
  ) {
    this.appends = appends;
    this.#change = change;
    this.#committed = committed;
    this.#resolve = resolve;
    this.fail = reject;
  }

  run(): void {
    this.#result = this.#change();
  }

  /** Called once, when the transaction is on disk. What `committed` throws is its caller's alone. */
  settle(): void {
    try {
      if (this.#result === notRun) throw new Error("A write was settled before it ran");
      this.#resolve(this.#committed(this.#result));
    } catch (reason) {
      this.fail(reason);
    }
  }
}

const same = <Result>(result: Result): Result => result;

/** What the group asks of any caller's share. */
type AnyPendingWrite = Pick<PendingWrite<unknown, unknown>, "appends" | "run" | "settle" | "fail">;

/** The disk refused (full, I/O error, lost volume): nothing of the write is kept, and nothing was acknowledged. */
export class StoreUnavailable extends Error {
  constructor(cause: unknown) {
    super(`The store cannot write: ${errorMessage(cause)}`, { cause });
    this.name = "StoreUnavailable";
  }
}

/** SQLite's primary result codes that speak of the disk, not of the statement. */
const diskErrors = /^SQLITE_(IOERR|FULL|CANTOPEN|READONLY|CORRUPT|NOTADB|NOMEM|BUSY|PROTOCOL)/;

function isDiskError(reason: unknown): boolean {
  return reason instanceof SyncFailed || diskErrors.test(errorCode(reason));
}

/** Of the database, in place of a refusal that a write threw by itself: a quota that is used up, a name that is taken. */
function isDatabaseError(reason: unknown): boolean {
  return errorCode(reason).startsWith("SQLITE_");
}

export interface GroupCommitObserver {
  /** One transaction ended: how many writes it held, how long it took, and whether the database could make them. */
  committed(writes: number, durationMs: number, couldWrite: boolean): void;
}

export interface GroupCommitOptions {
  /** Without one the log is left to SQLite. */
  checkpointer?: Checkpointer;
  /** Told before and after each transaction, before the log is emptied, and where it must stay as it is. */
  log?: Pick<WriteAheadLog, "makeRoom" | "committed" | "checkpointed" | "beforeEmptying" | "abandon">;
  /**
   * Called once, when the disk may hold something else than the kernel shows: everything in flight is refused, and nothing more
   * is written. The process must end without closing the database.
   */
  syncFailed?(reason: SyncFailed): void;
  /** Told why each transaction failed. */
  failed?(reason: unknown): void;
}

/** Writes that gather while a transaction runs and are made at its end. */
export interface GatheredWrites {
  /** Nothing is gathered: a transaction begins, or one did not stand. */
  reset(): void;
  /** A write comes next that may read any table. */
  beforeWrite?(): void;
  beforeCommit(): void;
  /** The transaction is on disk. */
  committed?(): void;
}

export class GroupCommit {
  readonly #database: Database;
  readonly #observer: GroupCommitObserver;
  readonly #options: GroupCommitOptions;
  readonly #begin: Statement;
  readonly #commit: Statement;
  readonly #gathered: GatheredWrites[] = [];
  #pending: AnyPendingWrite[] = [];
  /** Why nothing is written any more. */
  #refusal: string | null = null;
  #syncFailed = false;
  /** Of the last transaction. */
  #durationMs = 0;

  constructor(database: Database, observer: GroupCommitObserver, options: GroupCommitOptions = {}) {
    this.#database = database;
    this.#observer = observer;
    this.#options = options;
    this.#begin = database.prepare("BEGIN IMMEDIATE");
    this.#commit = database.prepare("COMMIT");
  }

  /** From now on part of every transaction. */
  gather(gathered: GatheredWrites): void {
    this.#gathered.push(gathered);
  }

  /**
   * Runs `change` inside the next transaction and resolves with its result once that is on disk.
   * `change` may run twice (see `#commitAlone`): it must have no effect outside the database.
   * Rejects with what `change` threw, or with StoreUnavailable.
   */
  write<Result>(change: () => Result): Promise<Result> {
    return this.#enqueue(false, change, same);
  }

  /**
   * The same for a change that only appends and reads no table but those it appends to: what appending writes gather is inserted
   * together. Resolves with what `committed` makes of the result: it runs once, when the result is on disk.
   */
  append<Result, Told>(change: () => Result, committed: (result: Result) => Told): Promise<Told> {
    return this.#enqueue(true, change, committed);
  }

  #enqueue<Result, Told>(appends: boolean, change: () => Result, committed: (result: Result) => Told): Promise<Told> {
    if (this.#refusal !== null) return Promise.reject(new StoreUnavailable(this.#refusal));
    return new Promise((resolve, reject) => {
      this.#pending.push(new PendingWrite(appends, change, committed, resolve, reject));
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
    // After the answers: whoever waits for this commit need not wait for the checkpoint.
    if (this.#options.checkpointer?.isDueAfter(writes.length, this.#durationMs) === true)
      setImmediate(() => this.#checkpoint());
  }

  /**
   * Commits what is pending now, and refuses whatever comes later: a closed connection whose statements are still referred to
   * would go on writing, beside the process that opens the folder next. False: the database must not be closed (see `syncFailed`).
   */
  close(): boolean {
    this.flush();
    this.#checkpoint(true);
    this.#refusal ??= "it is closed";
    return !this.#syncFailed;
  }

  /** False where the log could not be emptied: somebody reads what is only there, or the disk refused. */
  emptyLog(): boolean {
    this.flush();
    this.#checkpoint(true);
    return this.#onLog((checkpointer) => checkpointer.empty(() => this.#options.log?.beforeEmptying())) ?? false;
  }

  /** Writes the whole file anew; nothing else happens meanwhile. Throws StoreUnavailable. */
  rewrite(): void {
    this.flush();
    if (this.#refusal !== null) throw new StoreUnavailable(this.#refusal);
    try {
      this.#database.run("VACUUM");
    } catch (reason) {
      throw isDiskError(reason) ? new StoreUnavailable(reason) : reason;
    }
  }

  #checkpoint(whole = false): void {
    const outcome = this.#onLog((checkpointer) => checkpointer.run(whole));
    if (outcome !== "not due") this.#options.log?.checkpointed();
  }

  /** Null where the disk failed, now or before. */
  #onLog<T>(work: (checkpointer: Checkpointer) => T): T | null {
    const { checkpointer } = this.#options;
    if (this.#refusal !== null || checkpointer === undefined) return null;
    try {
      return work(checkpointer);
    } catch (reason) {
      if (!(reason instanceof SyncFailed)) throw reason;
      this.#stop(reason);
      return null;
    }
  }

  /** What is pending is refused when its turn comes. */
  #stop(reason: SyncFailed): void {
    this.#refusal = reason.message;
    this.#syncFailed = true;
    this.#options.log?.abandon();
    this.#options.syncFailed?.(reason);
  }

  #transact(writes: readonly AnyPendingWrite[]): unknown {
    if (this.#refusal !== null) return new StoreUnavailable(this.#refusal);
    const startedAt = performance.now();
    let failure: unknown;
    try {
      this.#options.log?.makeRoom();
      this.#begin.run();
      for (const gathered of this.#gathered) gathered.reset();
      for (const write of writes) {
        if (!write.appends) for (const gathered of this.#gathered) gathered.beforeWrite?.();
        write.run();
      }
      for (const gathered of this.#gathered) gathered.beforeCommit();
      this.#commit.run();
      this.#options.log?.committed();
      for (const gathered of this.#gathered) gathered.committed?.();
    } catch (reason) {
      failure = reason ?? new Error("A write threw nothing");
      for (const gathered of this.#gathered) gathered.reset();
      // SQLite has already rolled back by itself after some errors; a second ROLLBACK would throw and hide the first.
      if (this.#database.inTransaction) this.#database.run("ROLLBACK");
    }
    this.#durationMs = performance.now() - startedAt;
    this.#observer.committed(writes.length, this.#durationMs, !isDatabaseError(failure));
    if (failure !== undefined) this.#options.failed?.(failure);
    if (failure instanceof SyncFailed) this.#stop(failure);
    else if (isSyncError(failure)) this.#stop(new SyncFailed(failure));
    return failure;
  }

  /** One write of a group threw: each gets a transaction of its own, so that no other write fails with it. */
  #commitAlone(writes: readonly AnyPendingWrite[]): void {
    for (const write of writes) settleAll([write], this.#transact([write]));
  }
}

function settleAll(writes: readonly AnyPendingWrite[], failure: unknown): void {
  for (const write of writes) {
    if (failure === undefined) write.settle();
    else write.fail(isDiskError(failure) ? new StoreUnavailable(failure) : failure);
  }
}
