/** Makes a backup every few minutes, less often if it takes long: a copy reads the whole database. */
import type { Clock, Timer } from "./clock.ts";
import type { RotatingBackup } from "./rotating-backup.ts";

/** At most one part in this many of the time is spent on copies. */
const shareMax = 10;

export interface FrequentBackupDeps {
  backup: Pick<RotatingBackup, "stop" | "newestAt"> & { run(): Promise<unknown> };
  everyMs: number;
  clock: Clock;
}

export function frequentBackup({ backup, everyMs, clock }: FrequentBackupDeps) {
  let timer: Timer | null = null;
  let stopped = false;
  let intervalMs = everyMs;

  function plan(delayMs: number): void {
    timer = clock.after(delayMs, () => void run());
  }

  async function run(): Promise<void> {
    const startedAt = clock.monotonic();
    await backup.run();
    intervalMs = Math.max(everyMs, (clock.monotonic() - startedAt) * shareMax);
    if (!stopped) plan(intervalMs);
  }

  // Frequent restarts must not produce more copies. A time in the future comes from a wrong clock.
  const sinceMs = clock.now() - (backup.newestAt() ?? Number.NEGATIVE_INFINITY);
  plan(Math.min(everyMs, Math.max(0, everyMs - sinceMs)));

  return {
    /** From the end of one copy to the start of the next. */
    intervalMs: (): number => intervalMs,
    /** Ends a copy in progress. */
    async stop(): Promise<void> {
      stopped = true;
      timer?.cancel();
      await backup.stop();
    },
  };
}
