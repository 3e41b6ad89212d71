/** Makes the next read of a file come from the disk: the kernel still shows bytes that a failed write never stored. */
import { dlopen, FFIType } from "bun:ffi";
import { closeSync, fsyncSync, openSync } from "node:fs";

/** POSIX_FADV_DONTNEED of posix_fadvise(2) on Linux. */
const dontNeed = 4;

/**
 * Writes the unsaved pages of `path` to disk, then drops the kernel's copy of them; throws if the disk refuses the
 * write. Closing a descriptor drops every POSIX lock that this process has on the file, so only call it before SQLite
 * opens it.
 */
export function dropCachedPages(path: string): void {
  if (process.platform !== "linux") return;
  const libc = dlopen("libc.so.6", {
    posix_fadvise: { args: [FFIType.i32, FFIType.i64, FFIType.i64, FFIType.i32], returns: FFIType.i32 },
  });
  const descriptor = openSync(path, "r+");
  try {
    // Dirty pages would not be dropped.
    fsyncSync(descriptor);
    const refused = libc.symbols.posix_fadvise(descriptor, 0, 0, dontNeed);
    if (refused !== 0) throw new Error(`posix_fadvise of ${path} failed (errno ${refused})`);
  } finally {
    closeSync(descriptor);
    libc.close();
  }
}
