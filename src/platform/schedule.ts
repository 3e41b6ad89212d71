/**
 * Runs recurring tasks by cron patterns, one run of a task at a time; a failed run is logged, and the task runs again
 * next time.
 */
import { Cron } from "croner";
import type { Logger } from "./log.ts";

export interface Schedule {
  /** Runs `task` by a cron pattern in local time (croner, with seconds as an optional first field). */
  add(name: string, pattern: string, task: () => Promise<void>): void;
  stop(): void;
}

export function createSchedule(log: Logger): Schedule {
  const jobs: Cron[] = [];
  return {
    add(name, pattern, task) {
      const report = (reason: unknown) => log.error({ err: reason, task: name }, "a recurring task failed");
      jobs.push(new Cron(pattern, { protect: true, unref: true, catch: report }, task));
    },
    stop() {
      for (const job of jobs.splice(0)) job.stop();
    },
  };
}
