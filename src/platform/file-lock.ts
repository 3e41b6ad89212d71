/** Locks on open files, by flock(2): the kernel releases them with the process, even on kill -9. */
import { dlopen, FFIType } from "bun:ffi";
import { hasJit } from "./jit.ts";

const exclusive = 2;
const nonBlocking = 4;

/**
 * Locks an open file. False if another process holds the lock, or if the JIT is off, because libc cannot be called
 * then.
 */
export function tryLock(descriptor: number): boolean {
  if (!hasJit()) return false;
  const libc = dlopen("libc.so.6", { flock: { args: [FFIType.i32, FFIType.i32], returns: FFIType.i32 } });
  try {
    return libc.symbols.flock(descriptor, exclusive | nonBlocking) === 0;
  } finally {
    libc.close();
  }
}
