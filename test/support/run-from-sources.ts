/**
 * Runs a command from these sources in a process of its own, as the service does with its build's commands, but at
 * normal priority: beside other tests the lowest one can take half a minute to start.
 */
import { constants } from "node:os";
import { join } from "node:path";
import { type PeykProcess, runPeyk } from "../../src/platform/peyk-process.ts";

export function runFromSources(args: readonly string[]): PeykProcess {
  return runPeyk(
    args,
    [process.execPath, join(import.meta.dir, "../../src/main.ts")],
    constants.priority.PRIORITY_NORMAL,
  );
}
