/** Whether the engine compiles to machine code. Without (MemoryDenyWriteExecute, LimitAS) it runs some fifteen times slower, silently. */
import { numberOfDFGCompiles } from "bun:jsc";

/** What JavaScriptCore answers for every function that has run while its compilers are switched off. */
const withoutCompilers = 1_000_000;

export function hasJit(): boolean {
  const once = () => 0;
  once();
  return numberOfDFGCompiles(once) < withoutCompilers;
}
