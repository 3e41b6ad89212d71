/**
 * Reads back from the disk what checkpoints add to the database file: a disk without free blocks may report a sync as
 * done that dropped new pages, and the log holds them only until the next commit. Seen with a loop device over a file on
 * a full disk (see log-space.ts). Writes to blocks that exist are kept there, or reported as failed.
 */
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { errorCode } from "../platform/error-code.ts";
import { SyncFailed } from "./checkpoint.ts";
import { alignedBuffer, alignedDown, alignedUp, isOnDisk, openDirectly } from "./direct-file.ts";

const chunkBytes = 256 * 1024;

/**
 * Pages of the log that an ended process left, of which the file has only zeros: its disk may have dropped them.
 * Numbers count from 1.
 */
export interface BlankPages {
  numbers: readonly number[];
  pageBytes: number;
}

export const noBlankPages: BlankPages = { numbers: [], pageBytes: 0 };

export class FileGrowth {
  readonly #path: string;
  /** Undefined before first use; null if the file system does not support direct reads. */
  #direct: number | null | undefined;
  #shown: number | null = null;
  /** In bytes: the disk has the file up to here, apart from `#blank`. */
  #end: number;
  #blank: BlankPages;

  /** `end`: the file's length before this process wrote to it. */
  constructor(path: string, end: number, blank: BlankPages) {
    this.#path = path;
    this.#end = alignedDown(end);
    this.#blank = blank;
  }

  /** Call when all of the log is in the file, before the next commit. @throws SyncFailed */
  check(): void {
    if (this.#direct === undefined) this.#direct = openDirectly(this.#path, constants.O_RDONLY);
    if (this.#direct === null) return;
    this.#shown ??= openSync(this.#path, "r");
    const { size } = fstatSync(this.#shown);
    const { numbers, pageBytes } = this.#blank;
    for (const page of numbers) this.#checkRange(this.#direct, this.#shown, (page - 1) * pageBytes, page * pageBytes);
    this.#checkRange(this.#direct, this.#shown, this.#end, size);
    this.#end = alignedDown(size);
    this.#blank = noBlankPages;
  }

  /** Call once the database is closed: closing a descriptor of a file drops the process's locks on it. */
  close(): void {
    for (const descriptor of [this.#direct, this.#shown]) if (descriptor != null) closeSync(descriptor);
    this.#direct = null;
    this.#shown = null;
  }

  /** Offsets in bytes. */
  #checkRange(direct: number, shown: number, from: number, to: number): void {
    const start = alignedDown(from);
    if (start >= to) return;
    const bytes = Buffer.allocUnsafe(Math.min(chunkBytes, to - start));
    const room = alignedBuffer(alignedUp(bytes.length));
    for (let at = start; at < to; at += bytes.length) {
      const read = readSync(shown, bytes, 0, Math.min(bytes.length, to - at), at);
      if (!isKept(direct, at, bytes.subarray(0, read), room))
        throw new SyncFailed(new Error("what the disk reported as written to the database is not there"));
    }
  }
}

function isKept(direct: number, at: number, shown: Buffer, room: Uint8Array): boolean {
  try {
    return isOnDisk(direct, at, shown, room);
  } catch (reason) {
    // The file system takes no direct read of this size.
    if (errorCode(reason) === "EINVAL") return true;
    throw new SyncFailed(reason);
  }
}
