/**
 * Handles SQLite's log beyond what SQLite does: allocates room ahead of commits, and records how far they were synced.
 */
import type { Database, Statement } from "bun:sqlite";
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { isSystemError } from "../platform/error-code.ts";
import { contentSum, type LogMark, pageSum, type Witness } from "./log-mark.ts";
import { LogSpace } from "./log-space.ts";

/** Sizes and offsets in bytes. */
const headerBytes = 32;
const saltAt = 16;
const saltBytes = 8;
const frameHeaderBytes = 24;

export class WriteAheadLog {
  readonly #path: string;
  readonly #frameBytes: number;
  readonly #look: Statement<{ log: number }, []>;
  readonly #version: Statement<{ data_version: number }, []>;
  readonly #space: LogSpace;
  readonly #salt = Buffer.alloc(saltBytes);
  /** SQLite holds no locks on the log, so this can be closed at any time. */
  #descriptor: number | null = null;
  /**
   * The database file's descriptor, closed only after the database: closing any descriptor of a file drops the
   * process's locks on it.
   */
  #file: number | null = null;
  /** The log's length at the end of the last commit. */
  #usedBytes = 0;

  constructor(
    private readonly database: Database,
    private readonly databasePath: string,
    private readonly mark: LogMark,
  ) {
    this.#path = `${databasePath}-wal`;
    const { page_size } = database.query<{ page_size: number }, []>("PRAGMA page_size").get() ?? { page_size: 4_096 };
    this.#frameBytes = frameHeaderBytes + page_size;
    this.#look = database.prepare("PRAGMA wal_checkpoint(NOOP)");
    this.#version = database.prepare("PRAGMA data_version");
    this.#space = new LogSpace(this.#path);
  }

  /** Call before each transaction. Throws LogFull, SyncFailed. */
  makeRoom(): void {
    if (this.#space.isRoomAfter(this.#usedBytes)) return;
    const version = this.#version.get()?.data_version;
    const used = this.#bytesOf(this.#frames());
    // The log has no other writer meanwhile, and had none since if the version is unchanged.
    this.database.run("BEGIN IMMEDIATE");
    try {
      if (this.#version.get()?.data_version === version) this.#space.extend(used);
    } finally {
      this.database.run("ROLLBACK");
    }
  }

  /** Call after each commit, once it is synced. Takes about 4 µs. @throws SyncFailed */
  committed(): void {
    const frames = this.#frames();
    // Nothing was written, and the log is empty.
    if (frames === 0) return;
    const used = this.#bytesOf(frames);
    this.#space.check(used);
    try {
      this.#note(frames, used < this.#usedBytes);
    } catch (reason) {
      // The commit stands; on a full disk the mark still names less.
      if (!isSystemError(reason)) throw reason;
    }
    this.#usedBytes = used;
  }

  #note(frames: number, beganAnew: boolean): void {
    this.#descriptor ??= openSync(this.#path, "r");
    if (beganAnew) this.#space.limitTo(fstatSync(this.#descriptor).size);
    readSync(this.#descriptor, this.#salt, 0, saltBytes, saltAt);
    if (this.mark.lacksWitness(this.#salt)) this.mark.witness = this.#witnessIn(this.#descriptor, frames);
    this.mark.note({ salt: this.#salt, frames });
  }

  /** Call before the log is emptied by anything other than SQLite's own reuse, which changes its salt. */
  beforeEmptying(): void {
    this.mark.remove();
    this.#space.limitTo(0);
  }

  /** Call after each checkpoint. */
  checkpointed(): void {
    this.mark.witness = null;
  }

  /** A sync failed: log and mark are kept for the next start. */
  abandon(): void {
    this.mark.keep();
  }

  /** Call before the database is closed, which removes the log. */
  end(): void {
    this.mark.end();
    this.#look.finalize();
    this.#version.finalize();
    this.#space.close();
    if (this.#descriptor !== null) closeSync(this.#descriptor);
    this.#descriptor = null;
  }

  /** The page of the last frame, if the commit changed it: the store's health check writes a page back unchanged. */
  #witnessIn(log: number, frames: number): Witness | null {
    const frame = Buffer.alloc(this.#frameBytes);
    readSync(log, frame, 0, frame.length, this.#bytesOf(frames) - frame.length);
    this.#file ??= openSync(this.databasePath, "r");
    const page = frame.readUInt32BE(0);
    const sum = pageSum(this.#file, page, frame.length - frameHeaderBytes);
    return sum === contentSum(frame.subarray(frameHeaderBytes)) ? null : { page, sum };
  }

  /** Call after the database was closed. */
  close(): void {
    if (this.#file !== null) closeSync(this.#file);
    this.#file = null;
  }

  #frames(): number {
    return this.#look.get()?.log ?? 0;
  }

  #bytesOf(frames: number): number {
    return frames === 0 ? 0 : headerBytes + frames * this.#frameBytes;
  }
}
