/** Scheduling priorities: what can wait leaves the processors to what cannot. */
import { constants, setPriority } from "node:os";

export const { PRIORITY_BELOW_NORMAL: belowNormal, PRIORITY_LOW: lowest } = constants.priority;

/** Where the system forbids it, or the process has ended already, its priority stays. */
export function lowerProcessPriority(pid: number, priority: number): void {
  try {
    setPriority(pid, priority);
  } catch (reason) {
    if (!(reason instanceof Error && "code" in reason)) throw reason;
  }
}

/** The same of the thread that calls it, which only Linux tells from its process: setpriority(2), process 0. */
export function lowerThreadPriority(priority: number): void {
  if (process.platform === "linux") lowerProcessPriority(0, priority);
}
