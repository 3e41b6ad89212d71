/** Runs a command of these sources in a process of its own, as the service runs those of its build. */
import { join } from "node:path";
import { type PeykProcess, runPeyk } from "../../src/platform/peyk-process.ts";

export function runFromSources(args: readonly string[]): PeykProcess {
  return runPeyk(args, [process.execPath, join(import.meta.dir, "../../src/main.ts")]);
}
