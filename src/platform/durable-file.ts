/** Files whose content outlives a power cut: what was written, and the name under which it was. */
import { closeSync, constants, fstatSync, fsyncSync, openSync, readSync, writeSync } from "node:fs";

const chunkBytes = 1024 * 1024;

/** Opens a plain file for reading; throws for a link, and for what is no file. */
export function openPlainFile(path: string): number {
  // Non-blocking: a pipe without a writer would wait for one.
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  if (fstatSync(descriptor).isFile()) return descriptor;
  closeSync(descriptor);
  throw new Error(`${path} is no plain file`);
}

/** Opens a new file that only its owner can read; throws EEXIST where anything has that name, a link too. */
export function createPrivateFile(path: string): number {
  return openSync(path, "wx", 0o600);
}

/** Writes all of `from`, from its beginning, to `to`, and waits until the disk has it. Each chunk is shown to `seen` too. */
export function copyContent(from: number, to: number, seen: (chunk: Uint8Array) => void = () => {}): void {
  const chunk = new Uint8Array(chunkBytes);
  for (let at = 0, read = 0; ; at += read) {
    read = readSync(from, chunk, 0, chunkBytes, at);
    if (read === 0) break;
    const part = chunk.subarray(0, read);
    for (let written = 0; written < read; ) written += writeSync(to, part, written);
    seen(part);
  }
  fsyncSync(to);
}

/** Waits until the disk has a file's content, or the names in a folder. */
export function syncPath(path: string): void {
  const descriptor = openSync(path, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
