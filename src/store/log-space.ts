/**
 * Allocates the log's blocks ahead of the commits, so that a commit needs no new ones. They are written and read back,
 * because a disk without free blocks may claim success; fallocate(2) reserves nothing below a loop file or in a thin
 * pool. Seen with a loop device over a file on a full disk: of a 64 KiB request it wrote 12 KiB and reported all of it,
 * to fsync as well.
 */
import { closeSync, constants, fstatSync, fsyncSync, openSync, readSync, writeSync } from "node:fs";
import { errorCode, errorMessage } from "../platform/error-code.ts";
import { SyncFailed } from "./checkpoint.ts";
import { alignedBuffer, alignedUp, alignmentBytes, isOnDisk, openDirectly } from "./direct-file.ts";

/**
 * At least this much is allocated ahead of a commit; a busy service writes 100 KiB in one. Takes 1 to 3 ms to write.
 */
const aheadBytes = 512 * 1024;
/** On a full disk, commits continue until less than this remains. */
const aheadBytesMin = 128 * 1024;
/** Not zeros: a virtual disk may turn those into holes, and a hole reads back as zeros. */
const filling = 0xa5;

/** There is no room for the next commit. Uses SQLite's own error code for that. */
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
  /** Undefined before first use; null if the file system does not support direct writes: then SQLite grows the log. */
  #descriptor: number | null | undefined;
  /** The log's blocks are on disk up to here, in bytes from its start. */
  #end = 0;
  /** The disk refused more, so it is only asked again when too little is left. */
  #isScarce = false;

  constructor(logPath: string) {
    this.#path = logPath;
  }

  /** True if a commit fits after the first `used` bytes. */
  isRoomAfter(used: number): boolean {
    return this.#descriptor === null || this.#end - used >= (this.#isScarce ? aheadBytesMin : aheadBytes);
  }

  /**
   * Makes room after the first `used` bytes. Nothing else may write to the log meanwhile. @throws LogFull if there is
   * too little for a commit, SyncFailed
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

  /**
   * Checks a commit up to `used` that outgrew its room: the disk must have what the kernel shows. @throws SyncFailed
   */
  check(used: number): void {
    if (used <= this.#end || this.#descriptor == null) return;
    for (let at = this.#end; at < used; at += aheadBytes) {
      if (isKept(this.#descriptor, this.#path, at, Math.min(aheadBytes, used - at))) continue;
      throw new SyncFailed(new Error("what the disk reported as written to the log is not there"));
    }
    this.#end = alignedUp(used);
  }

  /** The log is now this long: truncating it released its blocks. */
  limitTo(bytes: number): void {
    this.#end = Math.min(this.#end, bytes);
  }

  close(): void {
    if (this.#descriptor != null) closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }

  #opened(): number | null {
    if (this.#descriptor === undefined) this.#descriptor = openDirectly(this.#path, constants.O_RDWR);
    return this.#descriptor;
  }

  #doWithout(descriptor: number): void {
    closeSync(descriptor);
    this.#descriptor = null;
  }
}

/**
 * Writes from `at` and returns how many bytes from there are now on disk. Throws the system's errors, and SyncFailed.
 */
function written(descriptor: number, path: string, at: number): number {
  const bytes = alignedBuffer(aheadBytes).fill(filling);
  // A failure here leaves no page that the kernel calls clean, and does not make later syncs fail.
  const length = writeSync(descriptor, bytes, 0, bytes.length, at);
  try {
    fsyncSync(descriptor);
  } catch (reason) {
    throw new SyncFailed(reason);
  }
  // The read puts the pages into the kernel's cache, so SQLite's writes, which start and end within pages, need no read
  // first.
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

function isKept(direct: number, path: string, at: number, length: number): boolean {
  try {
    const shown = contentOf(path, at, length);
    return shown.length === length && isOnDisk(direct, at, shown, alignedBuffer(alignedUp(length)));
  } catch (reason) {
    throw new SyncFailed(reason);
  }
}

/** The content as the kernel shows it. */
function contentOf(path: string, at: number, length: number): Buffer {
  const descriptor = openSync(path, "r");
  try {
    const bytes = Buffer.alloc(length);
    return bytes.subarray(0, readSync(descriptor, bytes, 0, length, at));
  } finally {
    closeSync(descriptor);
  }
}
