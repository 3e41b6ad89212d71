/** Reads from SQLite's own log which pages have changed since the last read. */
import type { Database, Statement } from "bun:sqlite";
import { closeSync, openSync, readSync } from "node:fs";
import { frameHeaderBytes, type LogSums, logHeaderBytes, summed, sumsIn } from "./log-check.ts";

/** The changes of some commits: the last version of each page. */
export interface ChangedPages {
  pageBytes: number;
  /** Pages of the database after the last of the commits. */
  pageCount: number;
  /** Keyed by page number, from 1. */
  pages: Map<number, Uint8Array>;
}

/** Offsets in bytes. */
const pageBytesAt = 8;
const saltAt = 16;
const saltBytes = 8;
const headerSumsAt = 24;
/** Frames per read. */
const framesPerRead = 1_024;

export class LogFrames {
  readonly #path: string;
  readonly #look: Statement<{ log: number }, []>;
  readonly #header = Buffer.alloc(logHeaderBytes);
  readonly #salt = Buffer.alloc(saltBytes);
  /** SQLite holds no locks on the log, so this can be closed at any time. */
  #descriptor: number | null = null;
  /** Frames read so far. */
  #frames = 0;
  #sums: LogSums = { first: 0, second: 0 };

  constructor(database: Database, databasePath: string) {
    this.#path = `${databasePath}-wal`;
    this.#look = database.prepare("PRAGMA wal_checkpoint(NOOP)");
  }

  /**
   * Call right after each COMMIT, before anything else writes; null if nothing was written. A frame is valid by its
   * checksum, as when SQLite reads the log after a crash. Throws if the log does not match what SQLite reports.
   */
  take(): ChangedPages | null {
    const end = this.#look.get()?.log ?? 0;
    if (end === 0) return null;
    this.#descriptor ??= openSync(this.#path, "r");
    this.#read(this.#header, 0);
    if (this.#header.compare(this.#salt, 0, saltBytes, saltAt, saltAt + saltBytes) !== 0) this.#beginAnew();
    if (end <= this.#frames) return null;
    const pageBytes = this.#header.readUInt32BE(pageBytesAt);
    const taken = { pageBytes, pageCount: 0, pages: new Map<number, Uint8Array>() };
    while (this.#frames < end) this.#readInto(taken, Math.min(framesPerRead, end - this.#frames));
    if (taken.pageCount === 0) throw new Error("The log does not end with a commit");
    return taken;
  }

  close(): void {
    this.#look.finalize();
    if (this.#descriptor !== null) closeSync(this.#descriptor);
    this.#descriptor = null;
  }

  #beginAnew(): void {
    this.#header.copy(this.#salt, 0, saltAt, saltAt + saltBytes);
    this.#frames = 0;
    this.#sums = sumsIn(this.#header, headerSumsAt);
  }

  #readInto(taken: ChangedPages, count: number): void {
    const frameBytes = frameHeaderBytes + taken.pageBytes;
    const bytes = Buffer.allocUnsafe(count * frameBytes);
    this.#read(bytes, logHeaderBytes + this.#frames * frameBytes);
    for (let at = 0; at < bytes.length; at += frameBytes) {
      const frame = bytes.subarray(at, at + frameBytes);
      const sums = summed(summed(this.#sums, frame.subarray(0, 8)), frame.subarray(frameHeaderBytes));
      const told = sumsIn(frame, 16);
      if (
        frame.compare(this.#salt, 0, saltBytes, 8, 16) !== 0 ||
        sums.first !== told.first ||
        sums.second !== told.second
      )
        throw new Error(`Frame ${this.#frames + 1} of the log is not what was written`);
      taken.pages.set(frame.readUInt32BE(0), frame.subarray(frameHeaderBytes));
      taken.pageCount = frame.readUInt32BE(4);
      this.#sums = sums;
      this.#frames += 1;
    }
  }

  #read(into: Buffer, at: number): void {
    const read = readSync(this.#descriptor ?? -1, into, 0, into.length, at);
    if (read !== into.length) throw new Error(`The log is shorter than SQLite says: ${read} of ${into.length} bytes`);
  }
}
