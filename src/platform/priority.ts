/** Scheduling priorities: what can wait leaves the processors to what cannot. */
import { constants, getPriority, setPriority } from "node:os";

export const { PRIORITY_BELOW_NORMAL: belowNormal, PRIORITY_LOW: lowest } = constants.priority;

/** One that is as low already, or that the system lets nobody change, or that has ended, stays as it is. */
export function lowerProcessPriority(pid: number, priority: number): void {
  try {
    if (getPriority(pid) < priority) setPriority(pid, priority);
  } catch (reason) {
    if (!(reason instanceof Error && "code" in reason)) throw reason;
  }
}

/** The same of the thread that calls it, which only Linux tells from its process: setpriority(2), process 0. */
export function lowerThreadPriority(priority: number): void {
  if (process.platform === "linux") lowerProcessPriority(0, priority);
}
