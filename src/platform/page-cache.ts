/** Makes the next read of a file come from the disk: the kernel goes on showing bytes that a failed write never brought there. */
import { dlopen, FFIType } from "bun:ffi";
import { closeSync, fsyncSync, openSync } from "node:fs";

/** POSIX_FADV_DONTNEED of posix_fadvise(2) on Linux. */
const dontNeed = 4;

/**
 * Writes what is left of `path` to the disk, then drops the kernel's copy of its pages; throws where the disk refuses the first.
 * Closing a descriptor drops every POSIX lock that this process has on the file: only before SQLite opens it.
 */
export function dropCachedPages(path: string): void {
  if (process.platform !== "linux") return;
  const libc = dlopen("libc.so.6", {
    posix_fadvise: { args: [FFIType.i32, FFIType.i64, FFIType.i64, FFIType.i32], returns: FFIType.i32 },
  });
  const descriptor = openSync(path, "r+");
  try {
    // Pages that wait to be written are not dropped.
    fsyncSync(descriptor);
    const refused = libc.symbols.posix_fadvise(descriptor, 0, 0, dontNeed);
    if (refused !== 0) throw new Error(`posix_fadvise of ${path} failed (errno ${refused})`);
  } finally {
    closeSync(descriptor);
    libc.close();
  }
}
