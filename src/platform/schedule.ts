/**
 * Runs recurring tasks by cron patterns, one run of a task at a time; a failed run is logged, and the task runs again
 * next time.
 */
import { Cron, type CronOptions } from "croner";
import type { Clock } from "./clock.ts";
import type { Logger } from "./log.ts";

export interface Schedule {
  /** Runs `task` by a cron pattern in local time (croner, with seconds as an optional first field). */
  add(name: string, pattern: string, task: () => Promise<void>): void;
  stop(): void;
}

interface Task {
  pattern: string;
  options: CronOptions;
  run: () => Promise<void>;
}

/** Computing when each task runs first takes longer than opening the database, so it waits until the service serves. */
const armedAfterMs = 1_000;

export function createSchedule({ clock, log }: { clock: Pick<Clock, "after">; log: Logger }): Schedule {
  const tasks: Task[] = [];
  const jobs: Cron[] = [];
  const arming = clock.after(armedAfterMs, () => {
    for (const { pattern, options, run } of tasks) jobs.push(new Cron(pattern, options, run));
  });
  return {
    add(name, pattern, run) {
      const report = (reason: unknown) => log.error({ err: reason, task: name }, "a recurring task failed");
      tasks.push({ pattern, options: { protect: true, unref: true, catch: report }, run });
    },
    stop() {
      arming.cancel();
      for (const job of jobs.splice(0)) job.stop();
    },
  };
}
