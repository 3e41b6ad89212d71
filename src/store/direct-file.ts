/** Reads and writes that bypass the page cache (O_DIRECT), for what the disk itself holds. */
import { ptr } from "bun:ffi";
import { constants, openSync, readSync } from "node:fs";
import { errorCode } from "../platform/error-code.ts";

/** Required for files that bypass the page cache. */
export const alignmentBytes = 4_096;

export const alignedUp = (bytes: number) => Math.ceil(bytes / alignmentBytes) * alignmentBytes;
export const alignedDown = (bytes: number) => bytes - (bytes % alignmentBytes);

export function alignedBuffer(length: number): Uint8Array {
  const bytes = new Uint8Array(length + alignmentBytes);
  const from = alignedUp(ptr(bytes)) - ptr(bytes);
  return bytes.subarray(from, from + length);
}

/** Null if the file system does not support it. */
export function openDirectly(path: string, access: number): number | null {
  try {
    return openSync(path, access | constants.O_DIRECT | constants.O_NOFOLLOW);
  } catch (reason) {
    if (["EINVAL", "EOPNOTSUPP"].includes(errorCode(reason))) return null;
    throw reason;
  }
}

/**
 * True if the disk has `shown`, which the kernel shows from `at` on; `at` must be aligned. `room`: an aligned buffer of
 * at least that length, aligned up. Throws the system's errors.
 */
export function isOnDisk(direct: number, at: number, shown: Buffer, room: Uint8Array): boolean {
  const read = readSync(direct, room, 0, alignedUp(shown.length), at);
  return read >= shown.length && shown.equals(room.subarray(0, shown.length));
}
