/** Pings systemd's watchdog, only after a turn of the event loop in which the store answered as well. */
import type { ServiceNotifier } from "./systemd.ts";

/**
 * How long a store that refuses (full disk, I/O error) still counts as alive. Reads go on, and the
 * process recovers as soon as the disk has space, where a restart on a full disk would end in no service; after this, only a restart is left.
 */
export const refusalMsMax = 300_000;

export interface WatchdogDeps {
  notifier: ServiceNotifier;
  /** Whether a write reaches the disk right now. One that never settles is one that hangs. */
  probe(): Promise<boolean>;
  /** Steady milliseconds. */
  monotonic(): number;
  /** Told of a ping that could not be sent or a probe that threw. */
  failed(reason: unknown): void;
}

/** One ping, or none where the service is not well. Never rejects. */
export function watchdogPing({ notifier, probe, monotonic, failed }: WatchdogDeps): () => Promise<void> {
  let refusedSinceMs: number | null = null;
  let asking = false;
  return async () => {
    // One question at a time: a store that hangs must not gather more of them.
    if (asking) return;
    asking = true;
    try {
      const writes = await probe();
      const nowMs = monotonic();
      if (writes && refusedSinceMs !== null) notifier.status("serving");
      if (!writes && refusedSinceMs === null) notifier.status("the store cannot write: is the disk full, or gone?");
      refusedSinceMs = writes ? null : (refusedSinceMs ?? nowMs);
      if (refusedSinceMs === null || nowMs - refusedSinceMs < refusalMsMax) notifier.alive();
    } catch (reason) {
      failed(reason);
    } finally {
      asking = false;
    }
  };
}

/** How often to ping, in milliseconds, or null where no watchdog waits (sd_watchdog_enabled(3)). */
export function watchdogIntervalMs(env: Readonly<Record<string, string | undefined>>, pid: number): number | null {
  const limitMicros = /^\d{1,15}$/.test(env.WATCHDOG_USEC ?? "") ? Number(env.WATCHDOG_USEC) : 0;
  const meant = env.WATCHDOG_PID === undefined || env.WATCHDOG_PID === String(pid);
  // A third: one late ping is no reason to be killed.
  return limitMicros > 0 && meant ? Math.max(1, Math.floor(limitMicros / 3_000)) : null;
}
