/** Makes a backup every few minutes, and less often where it takes long: a copy reads the whole database. */
import type { Clock, Timer } from "./clock.ts";
import type { RotatingBackup } from "./rotating-backup.ts";

/** A copy takes at most one part of so many of the time; the rest is the service's. */
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

  // A service that is restarted often makes no more copies than another. A time that is ahead is a wrong clock's.
  const sinceMs = clock.now() - (backup.newestAt() ?? Number.NEGATIVE_INFINITY);
  plan(Math.min(everyMs, Math.max(0, everyMs - sinceMs)));

  return {
    /** From the end of a copy to the next one. */
    intervalMs: (): number => intervalMs,
    /** Ends a copy under way. */
    async stop(): Promise<void> {
      stopped = true;
      timer?.cancel();
      await backup.stop();
    },
  };
}
