/** Runs a command from these sources in a process of its own, as the service does with its build's commands. */
import { join } from "node:path";
import { type PeykProcess, runPeyk } from "../../src/platform/peyk-process.ts";

export function runFromSources(args: readonly string[]): PeykProcess {
  return runPeyk(args, [process.execPath, join(import.meta.dir, "../../src/main.ts")]);
}
