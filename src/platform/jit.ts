/** Tells whether the JIT is on. Without it (MemoryDenyWriteExecute, LimitAS) everything runs some fifteen times slower, silently. */
import { numberOfDFGCompiles } from "bun:jsc";

/** JavaScriptCore answers this for every function that has run while its compilers are switched off. */
const withoutCompilers = 1_000_000;

export function hasJit(): boolean {
  const once = () => 0;
  once();
  return numberOfDFGCompiles(once) < withoutCompilers;
}
