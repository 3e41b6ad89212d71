/**
 * Detects whether the JIT is on. Without it (MemoryDenyWriteExecute, LimitAS) everything silently runs some fifteen
 * times slower.
 */
import { numberOfDFGCompiles } from "bun:jsc";

/** JavaScriptCore returns this for every function that has run, if its compilers are off. */
const withoutCompilers = 1_000_000;

export function hasJit(): boolean {
  const once = () => 0;
  once();
  return numberOfDFGCompiles(once) < withoutCompilers;
}
