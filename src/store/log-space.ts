/**
 * Gives the log its blocks ahead of the commits, so that a commit needs no new one: written and read back, since a disk without
 * room for new blocks may say that it took them. fallocate(2) reserves nothing below a loop file or in a thin pool. Seen with a loop
 * device over a file on a full disk: of a request of 64 KiB it wrote 12, and reported all, to fsync as well.
 */
import { ptr } from "bun:ffi";
import { closeSync, constants, fstatSync, fsyncSync, openSync, readSync, writeSync } from "node:fs";
import { errorCode, errorMessage } from "../platform/error-code.ts";
import { SyncFailed } from "./checkpoint.ts";

/** Of files that are read and written without the kernel's copy (O_DIRECT). */
const alignmentBytes = 4_096;
/** So much is ahead of a commit, or more; a busy service writes 100 KiB in one. Written in 1 to 3 ms. */
const aheadBytes = 512 * 1024;
/** On a full disk commits go on until there is less. */
const aheadBytesMin = 128 * 1024;
/** No zeros, which a virtual disk may turn into holes, and which a hole would be read as. */
const filling = 0xa5;

/** There is no room for the next commit. Its code is SQLite's own for that. */
export class LogFull extends Error {
  override readonly name = "LogFull";
  readonly code: string;

  constructor(cause: unknown) {
    super(`the log gets no more room on the disk: ${errorMessage(cause)}`, { cause });
    this.code = ["ENOSPC", "EDQUOT"].includes(errorCode(cause)) ? "SQLITE_FULL" : "SQLITE_IOERR_WRITE";
  }
}

export class LogSpace {
  readonly #path: string;
  /** Undefined before its first use; null where the file system knows no direct writes: then the log grows as SQLite lets it. */
  #descriptor: number | null | undefined;
  /** Up to here the disk has the log's blocks, in bytes from its start. */
  #end = 0;
  /** The disk refused more, so it is asked again only when there is too little. */
  #isScarce = false;

  constructor(logPath: string) {
    this.#path = logPath;
  }

  /** Whether a commit has its room behind the `used` bytes. */
  isRoomAfter(used: number): boolean {
    return this.#descriptor === null || this.#end - used >= (this.#isScarce ? aheadBytesMin : aheadBytes);
  }

  /**
   * Makes room behind the `used` bytes. Nobody may write to the log meanwhile.
   * @throws LogFull where there is too little for a commit, SyncFailed
   */
  extend(used: number): void {
    const descriptor = this.#opened();
    if (descriptor === null) return;
    this.#end = alignedUp(Math.max(Math.min(this.#end, fstatSync(descriptor).size), used));
    try {
      while (this.#end - used < aheadBytes) this.#end += written(descriptor, this.#path, this.#end);
      this.#isScarce = false;
    } catch (reason) {
      if (reason instanceof SyncFailed) throw reason;
      if (errorCode(reason) === "EINVAL") this.#doWithout(descriptor);
      else this.#isScarce = true;
      if (!this.isRoomAfter(used)) throw new LogFull(reason);
    }
  }

  /** Checks a commit up to `used` that took more than its room: the disk must have what the kernel shows. @throws SyncFailed */
  check(used: number): void {
    if (used <= this.#end || this.#descriptor == null) return;
    for (let at = this.#end; at < used; at += aheadBytes) {
      if (isOnDisk(this.#descriptor, this.#path, at, Math.min(aheadBytes, used - at))) continue;
      throw new SyncFailed(new Error("what the disk reported as written to the log is not there"));
    }
    this.#end = alignedUp(used);
  }

  /** The log is so long now: whoever cut it off gave its blocks back. */
  limitTo(bytes: number): void {
    this.#end = Math.min(this.#end, bytes);
  }

  close(): void {
    if (this.#descriptor != null) closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }

  #opened(): number | null {
    if (this.#descriptor === undefined) this.#descriptor = openDirectly(this.#path);
    return this.#descriptor;
  }

  #doWithout(descriptor: number): void {
    closeSync(descriptor);
    this.#descriptor = null;
  }
}

/** Null where the file system knows no direct writes. */
function openDirectly(path: string): number | null {
  try {
    return openSync(path, constants.O_RDWR | constants.O_DIRECT | constants.O_NOFOLLOW);
  } catch (reason) {
    if (["EINVAL", "EOPNOTSUPP"].includes(errorCode(reason))) return null;
    throw reason;
  }
}

/** Writes from `at`, and returns how many bytes from there the disk has now. Throws the system's errors, and SyncFailed. */
function written(descriptor: number, path: string, at: number): number {
  const bytes = alignedBuffer(aheadBytes).fill(filling);
  // Where this fails it leaves no page that the kernel calls clean, and later syncs do not fail for it.
  const length = writeSync(descriptor, bytes, 0, bytes.length, at);
  try {
    fsyncSync(descriptor);
  } catch (reason) {
    throw new SyncFailed(reason);
  }
  // The kernel has no copy yet. From here on it has one: SQLite's writes, which begin and end within pages, need no reading.
  const kept = alikeBytes(contentOf(path, at, length), bytes);
  if (kept === 0) throw Object.assign(new Error("the disk does not keep what it takes"), { code: "ENOSPC" });
  return kept;
}

/** In whole pages. */
function alikeBytes(found: Buffer, wanted: Uint8Array): number {
  let at = 0;
  while (at + alignmentBytes <= found.length) {
    if (found.compare(wanted, at, at + alignmentBytes, at, at + alignmentBytes) !== 0) break;
    at += alignmentBytes;
  }
  return at;
}

function isOnDisk(direct: number, path: string, at: number, length: number): boolean {
  const onDisk = alignedBuffer(alignedUp(length));
  try {
    const read = readSync(direct, onDisk, 0, onDisk.length, at);
    return read >= length && contentOf(path, at, length).equals(onDisk.subarray(0, length));
  } catch (reason) {
    throw new SyncFailed(reason);
  }
}

/** What the kernel shows. */
function contentOf(path: string, at: number, length: number): Buffer {
  const descriptor = openSync(path, "r");
  try {
    const bytes = Buffer.alloc(length);
    return bytes.subarray(0, readSync(descriptor, bytes, 0, length, at));
  } finally {
    closeSync(descriptor);
  }
}

const alignedUp = (bytes: number) => Math.ceil(bytes / alignmentBytes) * alignmentBytes;

function alignedBuffer(length: number): Uint8Array {
  const bytes = new Uint8Array(length + alignmentBytes);
  const from = alignedUp(ptr(bytes)) - ptr(bytes);
  return bytes.subarray(from, from + length);
}
