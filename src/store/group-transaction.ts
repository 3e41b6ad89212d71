/** The transaction of a group of writes: it undoes those that refuse and stores the others together. */
import type { Database, Statement } from "bun:sqlite";
import { errorCode } from "../platform/error-code.ts";
import { SyncFailed } from "./checkpoint.ts";

/** Writes that accumulate in memory and are made together. */
export interface GatheredWrites {
  /** Returns to what is on disk: a transaction is starting, or one was rolled back. */
  reset(): void;
  /** The next write may read any table. */
  beforeWrite?(): void;
  /** Makes what has accumulated: before COMMIT, and after each write that runs in a savepoint. */
  flush(): void;
  /** The write that was just flushed stays, whatever becomes of later ones. */
  keep?(): void;
  /** The last write was rolled back to its savepoint: returns to the last `keep` of the transaction. */
  undo(): void;
  /** The transaction is on disk. */
  committed?(): void;
}

/** One write of a group. */
export interface GroupedWrite {
  /** It reads no table but those it appends to. */
  readonly appends: boolean;
  /** Throws to refuse. */
  run(): void;
  /** It threw `reason`, and nothing of it is stored. */
  refuse(reason: unknown): void;
}

/** SQLite's primary result codes that concern the disk rather than the statement. */
const diskErrors = /^SQLITE_(IOERR|FULL|CANTOPEN|READONLY|CORRUPT|NOTADB|NOMEM|BUSY|PROTOCOL)/;

export function isDiskError(reason: unknown): boolean {
  return reason instanceof SyncFailed || diskErrors.test(errorCode(reason));
}

/**
 * True for a database error, as opposed to a refusal that the write itself threw, such as an exhausted quota or a taken
 * name.
 */
export function isDatabaseError(reason: unknown): boolean {
  return errorCode(reason).startsWith("SQLITE_");
}

const none: readonly unknown[] = [];

/**
 * Writes run without savepoints until one refuses; then the group is rolled back and runs again, each write in a
 * savepoint. Savepoints for every write, and what each must flush before the next, would cost 7 µs per message.
 */
export class GroupTransaction {
  readonly #begin: Statement;
  readonly #commit: Statement;
  readonly #savepoint: Statement;
  readonly #rollBackTo: Statement;
  readonly #release: Statement;
  readonly #gathered: GatheredWrites[] = [];

  constructor(private readonly database: Database) {
    this.#begin = database.prepare("BEGIN IMMEDIATE");
    this.#commit = database.prepare("COMMIT");
    this.#savepoint = database.prepare("SAVEPOINT grouped_write");
    this.#rollBackTo = database.prepare("ROLLBACK TO grouped_write");
    this.#release = database.prepare("RELEASE grouped_write");
  }

  gather(...gathered: readonly GatheredWrites[]): void {
    this.#gathered.push(...gathered);
  }

  /**
   * Commits the writes, without those that refuse, and returns the reasons of these. Throws what a write alone in its
   * group threw, and errors of the disk; the caller then rolls back.
   */
  run(writes: readonly GroupedWrite[]): readonly unknown[] {
    try {
      this.#runTogether(writes);
      return none;
    } catch (reason) {
      if (writes.length === 1 || isDiskError(reason)) throw reason;
      this.rollBack();
    }
    return this.#runApart(writes);
  }

  /** Call once what `run` committed is known to be on disk. */
  committed(): void {
    for (const gathered of this.#gathered) gathered.committed?.();
  }

  rollBack(): void {
    for (const gathered of this.#gathered) gathered.reset();
    // After some errors SQLite has already rolled back; a second ROLLBACK would throw and hide the first error.
    if (this.database.inTransaction) this.database.run("ROLLBACK");
  }

  #runTogether(writes: readonly GroupedWrite[]): void {
    this.#begin.run();
    for (const gathered of this.#gathered) gathered.reset();
    for (const write of writes) {
      if (!write.appends) for (const gathered of this.#gathered) gathered.beforeWrite?.();
      write.run();
    }
    this.#finish();
  }

  #runApart(writes: readonly GroupedWrite[]): unknown[] {
    const refusals: unknown[] = [];
    this.#begin.run();
    for (const gathered of this.#gathered) gathered.reset();
    for (const write of writes) {
      this.#savepoint.run();
      try {
        write.run();
        for (const gathered of this.#gathered) gathered.flush();
        for (const gathered of this.#gathered) gathered.keep?.();
      } catch (reason) {
        // The disk's errors, and those after which SQLite has rolled back, concern every write.
        if (isDiskError(reason) || !this.database.inTransaction) throw reason;
        this.#rollBackTo.run();
        for (const gathered of this.#gathered) gathered.undo();
        write.refuse(reason);
        refusals.push(reason);
      }
      this.#release.run();
    }
    // Pages that a savepoint restored would be written and synced although nothing changed.
    if (refusals.length === writes.length) this.rollBack();
    else this.#finish();
    return refusals;
  }

  #finish(): void {
    for (const gathered of this.#gathered) gathered.flush();
    this.#commit.run();
  }
}
