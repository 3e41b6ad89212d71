/** Scheduling priorities: work that can wait leaves the processors to work that cannot. */
import { constants, getPriority, setPriority } from "node:os";

export const { PRIORITY_BELOW_NORMAL: belowNormal, PRIORITY_LOW: lowest } = constants.priority;

/** Does nothing if the priority is already as low, may not be changed, or the process has ended. */
export function lowerProcessPriority(pid: number, priority: number): void {
  try {
    if (getPriority(pid) < priority) setPriority(pid, priority);
  } catch (reason) {
    if (!(reason instanceof Error && "code" in reason)) throw reason;
  }
}

/**
 * Like `lowerProcessPriority`, for the calling thread, which only Linux distinguishes from its process: setpriority(2),
 * process 0.
 */
export function lowerThreadPriority(priority: number): void {
  if (process.platform === "linux") lowerProcessPriority(0, priority);
}
