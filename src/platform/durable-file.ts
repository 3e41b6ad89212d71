/** Files whose content and name survive a power cut. */
import { closeSync, constants, fchmodSync, fstatSync, openSync, readSync } from "node:fs";
import { dirname } from "node:path";
import { isSystemError } from "./error-code.ts";
import { files } from "./files.ts";

const chunkBytes = 1024 * 1024;

/** Opens a file for reading; throws for a folder, a pipe and a device. */
export function openRegularFile(path: string): number {
  // Non-blocking: a pipe without a writer would wait for one.
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  if (fstatSync(descriptor).isFile()) return descriptor;
  closeSync(descriptor);
  throw new Error(`${path} is no file`);
}

/** Opens a new file that only its owner can read; throws EEXIST if anything has that name, a link too. */
export function createPrivateFile(path: string): number {
  return files.open(path, "wx+", 0o600);
}

/** Shows `use` the first `bytes` of a file, chunk by chunk. Returns how many there were: a file can shrink meanwhile. */
export function readContent(descriptor: number, bytes: number, use: (chunk: Uint8Array) => void): number {
  const chunk = new Uint8Array(chunkBytes);
  let at = 0;
  while (at < bytes) {
    const read = readSync(descriptor, chunk, 0, Math.min(chunkBytes, bytes - at), at);
    if (read === 0) break;
    use(chunk.subarray(0, read));
    at += read;
  }
  return at;
}

/** Writes the first `bytes` of `from` to `to`, and waits until the disk has them. */
export function copyContent(from: number, to: number, bytes: number): void {
  if (readContent(from, bytes, (chunk) => writeAll(to, chunk)) < bytes) throw new Error("the file ended early");
  files.sync(to);
}

/** Writes all of it, however little one call takes. */
export function writeAll(descriptor: number, bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length; ) written += files.write(descriptor, bytes.subarray(written));
}

function closing(descriptor: number, use: (descriptor: number) => void): void {
  try {
    use(descriptor);
  } finally {
    files.close(descriptor);
  }
}

/**
 * Gives `path` this content, for its owner alone: after a crash at any moment it has the content before, or this one.
 */
export function writeDurably(path: string, text: string): void {
  const incoming = `${path}.new`;
  files.remove(incoming);
  closing(createPrivateFile(incoming), (descriptor) => {
    fchmodSync(descriptor, 0o600);
    writeAll(descriptor, Buffer.from(text));
    files.sync(descriptor);
  });
  files.rename(incoming, path);
  syncPath(dirname(path));
}

/**
 * Like `writeDurably`, also on a full disk: the content goes into a file beside it that the last call left there with
 * `bytes` of room, and is padded to that length.
 */
export function writeInReserve(path: string, text: string, bytes: number): void {
  const reserve = reserveOf(path);
  const content = Buffer.alloc(bytes, "\n");
  if (content.write(text) < Buffer.byteLength(text)) throw new Error(`${path} would be longer than its reserve`);
  closing(openReserve(reserve), (descriptor) => {
    fchmodSync(descriptor, 0o600);
    for (let at = 0; at < bytes; ) at += files.write(descriptor, content.subarray(at), at);
    files.sync(descriptor);
  });
  files.rename(reserve, path);
  syncPath(dirname(path));
  leaveReserve(reserve, content);
}

/** Where the next content of a file that is written in reserve will be. */
export const reserveOf = (path: string): string => `${path}.new`;

const openReserve = (path: string): number =>
  files.open(path, constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW, 0o600);

/** The file that was just replaced has given its room back. */
function leaveReserve(path: string, content: Uint8Array): void {
  try {
    closing(openReserve(path), (descriptor) => void files.write(descriptor, content, 0));
  } catch (reason) {
    // Without one, the next content needs room.
    if (!isSystemError(reason)) throw reason;
  }
}

/** Waits until the disk has a file's content, or the names in a folder. */
export function syncPath(path: string): void {
  closing(files.open(path, "r"), files.sync);
}
