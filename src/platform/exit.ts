/** Ends the process without any further write. */
import { dlopen, FFIType } from "bun:ffi";

/**
 * `process.exit` closes everything, and SQLite then writes and syncs its log again: after a failed sync the kernel
 * reports success for pages that it dropped, and the log, the only good copy, would be deleted.
 */
export function exitAtOnce(code: number): void {
  if (process.platform === "linux") {
    dlopen("libc.so.6", { _exit: { args: [FFIType.i32], returns: FFIType.void } }).symbols._exit(code);
  }
  process.kill(process.pid, "SIGKILL");
}
