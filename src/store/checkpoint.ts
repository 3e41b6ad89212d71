/** Moves the log into the database file by explicit checkpoints: SQLite's automatic ones hide their errors. */
import type { Database, Statement } from "bun:sqlite";
import { closeSync, fsyncSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { errorCode, errorMessage } from "../platform/error-code.ts";

/**
 * Pages of 4 KiB in the log before a checkpoint. More pages gain no throughput and lengthen the pause: the longest
 * commit took 5 to 9 ms of CPU time with 1,000 pages, 10 with 4,000, 16 with 8,000 and 40 to 70 with 16,000. With
 * fewer, each page is written more often.
 */
const checkpointPages = 4_000;
/** If a reader or a full disk blocks a checkpoint, the next attempt waits until the log has grown by this much. */
const retryPages = 1_000;
/** Writes between two checks of the log's length; a check takes 4 µs. */
const writesPerLook = 32;
/** A longer transaction may have filled the log by itself: 32 slices of an import wrote 16,000 pages. */
const longTransactionMs = 2;
const probeBytes = 256 * 1024;
const probeFileName = "peyk.probe";
/** Some file systems need space even to remove a file. */
const noSpaceCodes: readonly string[] = ["ENOSPC", "EDQUOT"];

/**
 * The disk may hold something other than what the kernel shows. Only a new process that reads from the disk can tell.
 */
export class SyncFailed extends Error {
  override readonly name = "SyncFailed";

  constructor(cause: unknown) {
    const code = errorCode(cause);
    const words = `${errorMessage(cause)}${code === "" ? "" : ` (${code})`}`;
    super(`The disk did not take what it was given to keep: ${words}`, { cause });
  }
}

/** True if a sync failed: the kernel may then mark pages clean that never reached the disk. */
export function isSyncError(reason: unknown): boolean {
  return /^SQLITE_IOERR_(DIR_)?FSYNC$/.test(errorCode(reason));
}

/**
 * How much of the log is in the database file. Complete: every page of it was moved, and SQLite synced the file after
 * that.
 */
export type CheckpointOutcome = "not due" | "partial" | "complete";

interface LogState {
  busy: number;
  /**
   * Pages in the log, and how many of them are in the database file. Both are -1 while another connection moves the
   * log: nothing is known of its end then.
   */
  log: number;
  checkpointed: number;
}

interface FileCheck {
  /** Called when all of the log is in the database file, before the next commit replaces it. @throws SyncFailed */
  check(): void;
}

export class Checkpointer implements Disposable {
  readonly #timeout: Statement<{ timeout: number }, []>;
  readonly #look: Statement<LogState, []>;
  readonly #checkpoint: Statement<LogState, []>;
  readonly #truncate: Statement<LogState, []>;
  #writes = 0;
  #dueAtPages = checkpointPages;

  constructor(
    private readonly database: Database,
    private readonly folder: string,
    private readonly growth: FileCheck,
  ) {
    this.#timeout = database.prepare("PRAGMA busy_timeout");
    this.#look = database.prepare("PRAGMA wal_checkpoint(NOOP)");
    this.#checkpoint = database.prepare("PRAGMA wal_checkpoint(PASSIVE)");
    this.#truncate = database.prepare("PRAGMA wal_checkpoint(TRUNCATE)");
  }

  /** Counts the writes of a committed transaction. True from time to time, when `run` is due. */
  isDueAfter(writes: number, durationMs: number): boolean {
    this.#writes += writes;
    if (this.#writes < writesPerLook && durationMs < longTransactionMs) return false;
    this.#writes = 0;
    return true;
  }

  /** True if `run` has work to do. */
  isLong(): boolean {
    return (this.#look.get()?.log ?? 0) >= this.#dueAtPages;
  }

  /**
   * Moves a long log, or with `whole` any log, into the database file. On a full disk it is left for later. @throws
   * SyncFailed
   */
  run(whole = false): CheckpointOutcome {
    const outcome = this.#run(whole);
    if (outcome === "complete") this.growth.check();
    return outcome;
  }

  #run(whole: boolean): CheckpointOutcome {
    try {
      if (!whole && !this.isLong()) return "not due";
      const { busy, log, checkpointed } = this.#checkpoint.get() ?? { busy: 1, log: -1, checkpointed: -1 };
      const isWhole = busy === 0 && log >= 0 && checkpointed === log;
      this.#dueAtPages = isWhole ? checkpointPages : (log < 0 ? this.#dueAtPages : log) + retryPages;
      return isWhole ? "complete" : "partial";
    } catch (reason) {
      if (!this.#isFull(reason)) throw new SyncFailed(reason);
      this.#dueAtPages += retryPages;
      return "partial";
    }
  }

  /**
   * Cuts off a log that is in the database file as a whole; false while somebody reads it, for whom it does not wait. `prepare` runs
   * before. @throws SyncFailed
   */
  empty(prepare: () => void): boolean {
    const { timeout } = this.#timeout.get() ?? { timeout: 0 };
    this.database.run("PRAGMA busy_timeout = 0");
    try {
      prepare();
      const { busy, log } = this.#truncate.get() ?? { busy: 1, log: 0 };
      return busy === 0 && log === 0;
    } catch (reason) {
      if (!this.#isFull(reason)) throw new SyncFailed(reason);
      return false;
    } finally {
      this.database.run(`PRAGMA busy_timeout = ${timeout}`);
    }
  }

  /** Statements that are left keep a database open that is closed. */
  [Symbol.dispose](): void {
    for (const statement of [this.#timeout, this.#look, this.#checkpoint, this.#truncate]) statement.finalize();
  }

  /** SQLite tells a quota that is used up (EDQUOT) as any I/O error, so another write is asked. */
  #isFull(reason: unknown): boolean {
    const code = errorCode(reason);
    if (code === "SQLITE_FULL" || noSpaceCodes.includes(code)) return true;
    return code === "SQLITE_IOERR_WRITE" && hasNoSpace(this.folder);
  }
}

function hasNoSpace(folder: string): boolean {
  const path = join(folder, probeFileName);
  try {
    const descriptor = openSync(path, "w", 0o600);
    try {
      writeSync(descriptor, new Uint8Array(probeBytes));
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    return false;
  } catch (reason) {
    return noSpaceCodes.includes(errorCode(reason));
  } finally {
    rmSync(path, { force: true });
  }
}
