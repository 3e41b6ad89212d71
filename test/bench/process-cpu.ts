/** Processor time of processes, as the kernel counts it. */
import { readFileSync } from "node:fs";

const ticksPerSecond = 100;
/** The kernel's counters move in steps of this size, in microseconds. */
const tickMicros = 1e6 / ticksPerSecond;
const restMs = 150;
const restWithinMs = 20_000;

/** User and system time of all threads, including ended ones, in microseconds: fields 14 and 15 of /proc/PID/stat. */
export function cpuMicrosOf(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
    return sum + (Number(fields[11]) + Number(fields[12])) * tickMicros;
  }, 0);
}

/** The same once the processes are at rest: no work left behind is running. */
export async function cpuMicrosAtRest(pids: readonly number[]): Promise<number> {
  const deadline = performance.now() + restWithinMs;
  let last = cpuMicrosOf(pids);
  for (;;) {
    await Bun.sleep(restMs);
    const now = cpuMicrosOf(pids);
    if (now - last <= tickMicros * pids.length) return now;
    if (performance.now() > deadline) throw new Error(`The processes ${pids.join(", ")} do not come to rest`);
    last = now;
  }
}
