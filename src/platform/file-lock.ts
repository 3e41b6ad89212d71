/** Locks on open files, by flock(2) and fcntl(2): the kernel releases them with the process, even on kill -9. */
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

/** Octets of a file; they may lie beyond its end. */
export interface LockRange {
  from: number;
  length: number;
}

const lockTypes = { shared: 0, exclusive: 1, none: 2 } as const;

/** Linux's open-file-description locks: unlike POSIX ones they stay when the process closes another descriptor. */
const getLock = 36;
const setLock = 37;
/** Offsets in `struct flock` on 64-bit machines. */
const fromAt = 8;
const lengthAt = 16;
const pidAt = 24;
const structBytes = 32;

/** False while another opening of the file holds a lock on the range. Without the JIT nothing is locked: true. */
export const tryLockRange = (descriptor: number, type: "shared" | "exclusive", range: LockRange): boolean =>
  !hasJit() || controlLock(descriptor, setLock, lockOf(type, range)) === 0;

/**
 * The process that keeps this descriptor from an exclusive lock on the range; 0 if the kernel does not name it, null if
 * there is none.
 */
export function rangeHolder(descriptor: number, range: LockRange): number | null {
  const lock = lockOf("exclusive", range);
  if (!hasJit() || controlLock(descriptor, getLock, lock) !== 0) return null;
  return lock.readInt16LE(0) === lockTypes.none ? null : Math.max(0, lock.readInt32LE(pidAt));
}

function lockOf(type: keyof typeof lockTypes, { from, length }: LockRange): Buffer {
  const lock = Buffer.alloc(structBytes);
  lock.writeInt16LE(lockTypes[type], 0);
  lock.writeBigInt64LE(BigInt(from), fromAt);
  lock.writeBigInt64LE(BigInt(length), lengthAt);
  return lock;
}

function controlLock(descriptor: number, command: number, lock: Buffer): number {
  const fcntl = { args: [FFIType.i32, FFIType.i32, FFIType.ptr], returns: FFIType.i32 } as const;
  const libc = dlopen("libc.so.6", { fcntl });
  try {
    return libc.symbols.fcntl(descriptor, command, lock);
  } finally {
    libc.close();
  }
}
