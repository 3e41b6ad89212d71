/** Moves the log into the database file, by explicit checkpoints: SQLite's automatic ones hide their errors. */
import type { Database, Statement } from "bun:sqlite";
import { closeSync, fsyncSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { errorCode, errorMessage } from "../platform/error-code.ts";

/**
 * Pages of 4 KiB in the log before a checkpoint. More cost no throughput but a longer pause: the longest commit took 5 to 9 ms
 * of processor time with 1,000 pages, 10 with 4,000, 16 with 8,000 and 40 to 70 with 16,000. Fewer write each page more often.
 */
const checkpointPages = 4_000;
/** A reader or a full disk holds a checkpoint up: the next is tried when the log has grown by so much. */
const retryPages = 1_000;
/** Writes between two looks at the log's length; one takes 4 µs. */
const writesPerLook = 32;
/** A transaction that takes longer may have filled the log by itself: 32 slices of an import wrote 16,000 pages. */
const longTransactionMs = 2;
const probeBytes = 256 * 1024;
const probeFileName = "peyk.probe";
/** Some file systems need space to remove a file, too. */
const noSpaceCodes: readonly string[] = ["ENOSPC", "EDQUOT"];

/** The disk may hold something else than the kernel shows. Only a new process that reads from the disk can tell. */
export class SyncFailed extends Error {
  override readonly name = "SyncFailed";

  constructor(cause: unknown) {
    const code = errorCode(cause);
    const words = `${errorMessage(cause)}${code === "" ? "" : ` (${code})`}`;
    super(`The disk did not take what it was given to keep: ${words}`, { cause });
  }
}

/** Whether the error came from a sync, after which the kernel may call pages clean that never reached the disk. */
export function isSyncError(reason: unknown): boolean {
  return /^SQLITE_IOERR_(DIR_)?FSYNC$/.test(errorCode(reason));
}

/** How much of the log is in the database file. */
export type CheckpointOutcome = "not due" | "partial" | "complete";

interface LogState {
  busy: number;
  /** Pages in the log, and how many of them are in the database file. */
  log: number;
  checkpointed: number;
}

export class Checkpointer implements Disposable {
  readonly #database: Database;
  readonly #folder: string;
  readonly #timeout: Statement<{ timeout: number }, []>;
  readonly #look: Statement<LogState, []>;
  readonly #checkpoint: Statement<LogState, []>;
  readonly #truncate: Statement<LogState, []>;
  #writes = 0;
  #dueAtPages = checkpointPages;

  constructor(database: Database, folder: string) {
    this.#database = database;
    this.#folder = folder;
    this.#timeout = database.prepare("PRAGMA busy_timeout");
    this.#look = database.prepare("PRAGMA wal_checkpoint(NOOP)");
    this.#checkpoint = database.prepare("PRAGMA wal_checkpoint(PASSIVE)");
    this.#truncate = database.prepare("PRAGMA wal_checkpoint(TRUNCATE)");
  }

  /** Counts the writes of a transaction that was committed; true now and then, when it is time for `run`. */
  isDueAfter(writes: number, durationMs: number): boolean {
    this.#writes += writes;
    if (this.#writes < writesPerLook && durationMs < longTransactionMs) return false;
    this.#writes = 0;
    return true;
  }

  /** Brings a long log into the database file, with `whole` any log. A full disk leaves it for later. @throws SyncFailed */
  run(whole = false): CheckpointOutcome {
    try {
      if (!whole && (this.#look.get()?.log ?? 0) < this.#dueAtPages) return "not due";
      const { log, checkpointed } = this.#checkpoint.get() ?? { log: 0, checkpointed: 0 };
      this.#dueAtPages = checkpointed === log ? checkpointPages : log + retryPages;
      return checkpointed === log ? "complete" : "partial";
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
    this.#database.run("PRAGMA busy_timeout = 0");
    try {
      prepare();
      const { busy, log } = this.#truncate.get() ?? { busy: 1, log: 0 };
      return busy === 0 && log === 0;
    } catch (reason) {
      if (!this.#isFull(reason)) throw new SyncFailed(reason);
      return false;
    } finally {
      this.#database.run(`PRAGMA busy_timeout = ${timeout}`);
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
    return code === "SQLITE_IOERR_WRITE" && hasNoSpace(this.#folder);
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
