/** Group commit: all writes since the last turn of the event loop share one transaction and one fsync. */

import type { Database } from "bun:sqlite";
import { errorMessage } from "../platform/error-code.ts";
import { inNextTurn, nextTurn } from "../platform/next-turn.ts";
import { type Checkpointer, isSyncError, SyncFailed } from "./checkpoint.ts";
import {
  type GatheredWrites,
  type GroupedWrite,
  GroupTransaction,
  isDatabaseError,
  isDiskError,
} from "./group-transaction.ts";
import type { LogFrames } from "./log-frames.ts";
import type { Replication } from "./replication.ts";
import type { WriteAheadLog } from "./write-ahead-log.ts";

/** After a commit of this many writes, a replicated store gathers more of them for the next. */
const manyWrites = 32;
/** Longest time between the beginnings of two commits while it does. */
const gatherMsMax = 5;

const notRun = Symbol("not run");

/**
 * One caller's write within a transaction. A class: with three closures per write instead, a write took a third longer.
 */
class PendingWrite<Result, Told> {
  readonly appends: boolean;
  readonly #change: () => Result;
  readonly #committed: (result: Result) => Told;
  readonly #resolve: (told: Told) => void;
  readonly fail: (reason: unknown) => void;
  #result: Result | typeof notRun = notRun;
  #refusal: { reason: unknown } | null = null;

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

  refuse(reason: unknown): void {
    this.#refusal = { reason };
  }

  /** Called once, when the transaction is on disk. If `committed` throws, only its own caller sees it. */
  settle(): void {
    if (this.#refusal !== null) {
      this.fail(this.#refusal.reason);
      return;
    }
    try {
      if (this.#result === notRun) throw new Error("A write was settled before it ran");
      this.#resolve(this.#committed(this.#result));
    } catch (reason) {
      this.fail(reason);
    }
  }
}

const same = <Result>(result: Result): Result => result;

/** The part of a pending write that does not depend on its types. */
type AnyPendingWrite = GroupedWrite & Pick<PendingWrite<unknown, unknown>, "settle" | "fail">;

/** The disk refused (full, I/O error, lost volume): nothing was kept and nothing was acknowledged. */
export class StoreUnavailable extends Error {
  constructor(cause: unknown) {
    super(`The store cannot write: ${errorMessage(cause)}`, { cause });
    this.name = "StoreUnavailable";
  }
}

export interface GroupCommitObserver {
  /** A transaction ended: how many writes it held, how long it took, and whether the database could write. */
  committed(writes: number, durationMs: number, couldWrite: boolean): void;
}

export interface GroupCommitOptions {
  /** If absent, SQLite manages the log. */
  checkpointer?: Checkpointer;
  /** Called before and after each transaction, before the log is emptied, and when it must be left untouched. */
  log?: Pick<WriteAheadLog, "makeRoom" | "committed" | "checkpointed" | "beforeEmptying" | "abandon">;
  /**
   * Callers are answered only once their commit is also kept elsewhere. `frames` reads what each commit added to the
   * log.
   */
  replicated?: { to: Replication; frames: Pick<LogFrames, "take"> };
  /** For tests; milliseconds. */
  monotonic?(): number;
  /**
   * Called once, when the disk may hold something other than what the kernel shows. Everything in flight is refused and
   * nothing more is written. The process must end without closing the database.
   */
  syncFailed?(reason: SyncFailed): void;
  /** Called with the reason whenever a transaction or one of its writes fails. */
  failed?(reason: unknown): void;
}

export class GroupCommit {
  readonly #database: Database;
  readonly #observer: GroupCommitObserver;
  readonly #options: GroupCommitOptions;
  readonly #transaction: GroupTransaction;
  #pending: AnyPendingWrite[] = [];
  /** Why no more writes are accepted. */
  #refusal: string | null = null;
  #syncFailed = false;
  readonly #monotonic: () => number;
  /** Of the last transaction. */
  #durationMs = 0;
  #begunAt = 0;
  #writes = 0;
  /** The log is to be moved into the file once everything is kept elsewhere; no commits until then. */
  #isDraining = false;
  #whenDrained: (() => void)[] = [];

  constructor(database: Database, observer: GroupCommitObserver, options: GroupCommitOptions = {}) {
    this.#database = database;
    this.#observer = observer;
    this.#options = options;
    this.#monotonic = options.monotonic ?? (() => performance.now());
    this.#transaction = new GroupTransaction(database);
    options.replicated?.to.onDrained(() => this.#drained());
  }

  /** Makes `gathered` part of every transaction from now on. */
  gather(...gathered: readonly GatheredWrites[]): void {
    this.#transaction.gather(...gathered);
  }

  /**
   * Runs `change` in the next transaction and resolves with its result once that is on disk. `change` may run twice
   * (see GroupTransaction), so it must have no effect outside the database. Rejects with what `change` threw, which
   * undoes it and nothing else, or with StoreUnavailable.
   */
  write<Result>(change: () => Result): Promise<Result> {
    return this.#enqueue(false, change, same);
  }

  /**
   * Like `write`, for a change that only appends and reads no table but those it appends to: the rows of such writes
   * are inserted together. Resolves with what `committed` makes of the result; it runs once, when the result is on
   * disk.
   */
  append<Result, Told>(change: () => Result, committed: (result: Result) => Told): Promise<Told> {
    return this.#enqueue(true, change, committed);
  }

  #enqueue<Result, Told>(appends: boolean, change: () => Result, committed: (result: Result) => Told): Promise<Told> {
    const refusal = this.#refusal ?? this.#options.replicated?.to.refusal() ?? null;
    if (refusal !== null) return Promise.reject(new StoreUnavailable(refusal));
    return new Promise((resolve, reject) => {
      this.#pending.push(new PendingWrite(appends, change, committed, resolve, reject));
      if (this.#pending.length === 1) inNextTurn(() => this.#gather(0));
    });
  }

  /**
   * What is kept elsewhere costs 1 to 2 ms of processor time a commit, most of it in PostgreSQL, whatever the commit
   * holds. Under load it waits as long as each turn of the event loop brings more writes: nobody else is idle meanwhile.
   * `seen`: how many were pending one turn ago.
   */
  #gather(seen: number): void {
    const { length } = this.#pending;
    const isGathering = this.#options.replicated !== undefined && this.#writes >= manyWrites && length > seen;
    if (!isGathering || this.#monotonic() - this.#begunAt >= gatherMsMax) this.flush();
    else void nextTurn().then(() => this.#gather(length));
  }

  /** Commits what is pending now. For tests. */
  flush(): void {
    if (this.#pending.length === 0 || this.#isDraining) return;
    const writes = this.#pending;
    this.#pending = [];
    this.#settle(writes, this.#transact(writes));
    if (this.#options.checkpointer?.isDueAfter(writes.length, this.#durationMs) !== true) return;
    // After the answers: callers waiting for this commit need not wait for the checkpoint.
    if (this.#options.replicated === undefined) inNextTurn(() => this.#checkpoint());
    else if (this.#options.checkpointer.isLong()) void this.drain();
  }

  /**
   * Resolves once every commit is kept elsewhere and the log is in the file; nothing more is committed before the next
   * turn of the event loop. Resolves at once if commits are kept only here.
   */
  drain(): Promise<void> {
    const { replicated } = this.#options;
    if (replicated === undefined || this.#refusal !== null) return Promise.resolve();
    this.#isDraining = true;
    if (replicated.to.isDrained) inNextTurn(() => this.#drained());
    return new Promise((resolve) => this.#whenDrained.push(resolve));
  }

  /**
   * Only commits that are kept elsewhere move from the log into the file: anything beyond them that a crash leaves is
   * in the log alone and is discarded with it.
   */
  #drained(): void {
    if (!this.#isDraining || this.#options.replicated?.to.isDrained !== true) return;
    this.#checkpoint(true);
    const waiting = this.#whenDrained;
    this.#whenDrained = [];
    for (const resolve of waiting) resolve();
    inNextTurn(() => {
      this.#isDraining = this.#whenDrained.length > 0;
      this.flush();
    });
  }

  /**
   * Commits what is pending and refuses later writes: a closed connection whose statements are still referenced would
   * go on writing alongside the next process to open the folder. False if the database must not be closed (see
   * `syncFailed`), including when something is not kept elsewhere yet (see `drain`): closing would move it into the
   * file. The log is left as it is where somebody reads it.
   */
  close(): boolean {
    // Writes since `drain` would be kept only here, so they are refused.
    if (this.#options.replicated === undefined) this.flush();
    const isDrained = this.#isDrained;
    this.#checkpoint(true);
    this.#refusal ??= "it is closed";
    this.#isDraining = false;
    this.flush();
    if (!isDrained || this.#syncFailed) return false;
    return this.#options.replicated?.to.closed() !== false;
  }

  get #isDrained(): boolean {
    return this.#options.replicated?.to.isDrained !== false;
  }

  /** False if the log could not be emptied: a reader needs what is only there, or the disk refused. */
  emptyLog(): boolean {
    this.flush();
    if (!this.#isDrained) return false;
    this.#checkpoint(true);
    return this.#onLog((checkpointer) => checkpointer.empty(() => this.#options.log?.beforeEmptying())) ?? false;
  }

  /** Rewrites the whole file; nothing else runs meanwhile. Throws StoreUnavailable. */
  rewrite(): void {
    this.flush();
    if (this.#refusal !== null) throw new StoreUnavailable(this.#refusal);
    if (this.#options.replicated !== undefined)
      throw new StoreUnavailable("a node of a cluster does not write its whole file anew");
    try {
      this.#database.run("VACUUM");
    } catch (reason) {
      throw isDiskError(reason) ? new StoreUnavailable(reason) : reason;
    }
  }

  #checkpoint(whole = false): void {
    if (!this.#isDrained) return;
    const outcome = this.#onLog((checkpointer) => checkpointer.run(whole));
    if (outcome !== "not due") this.#options.log?.checkpointed();
    if (outcome === "complete") this.#options.replicated?.to.checkpointed();
  }

  /** Null if the disk has failed, now or earlier. */
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

  /** Pending writes are refused when their turn comes. */
  #stop(reason: SyncFailed): void {
    this.#refusal = reason.message;
    this.#syncFailed = true;
    this.#options.log?.abandon();
    this.#options.syncFailed?.(reason);
  }

  #transact(writes: readonly AnyPendingWrite[]): unknown {
    if (this.#refusal !== null) return new StoreUnavailable(this.#refusal);
    const startedAt = this.#monotonic();
    this.#begunAt = startedAt;
    this.#writes = writes.length;
    let failure: unknown;
    let refusals: readonly unknown[] = [];
    try {
      this.#options.log?.makeRoom();
      refusals = this.#transaction.run(writes);
      this.#options.log?.committed();
      this.#transaction.committed();
    } catch (reason) {
      failure = reason ?? new Error("A write threw nothing");
      this.#transaction.rollBack();
      refusals = [failure];
    }
    this.#durationMs = this.#monotonic() - startedAt;
    this.#observer.committed(writes.length, this.#durationMs, !refusals.some(isDatabaseError));
    for (const reason of refusals) this.#options.failed?.(reason);
    if (failure instanceof SyncFailed) this.#stop(failure);
    else if (isSyncError(failure)) this.#stop(new SyncFailed(failure));
    return failure;
  }

  /** A failed transaction was not committed, so its callers need not wait for replication. */
  #settle(writes: readonly AnyPendingWrite[], failure: unknown): void {
    const { replicated } = this.#options;
    if (replicated === undefined || failure !== undefined) {
      settleAll(writes, failure);
      return;
    }
    try {
      replicated.to.committed(replicated.frames.take(), () => settleAll(writes, undefined));
    } catch (reason) {
      // A log that cannot be read back is as uncertain as a failed sync.
      const failed = new SyncFailed(reason);
      this.#stop(failed);
      settleAll(writes, failed);
    }
  }
}

function settleAll(writes: readonly AnyPendingWrite[], failure: unknown): void {
  for (const write of writes) {
    if (failure === undefined) write.settle();
    else write.fail(isDiskError(failure) ? new StoreUnavailable(failure) : failure);
  }
}
