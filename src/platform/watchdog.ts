/** Pings systemd's watchdog, only after a turn of the event loop in which the store also answered. */
import type { ServiceNotifier } from "./systemd.ts";

/**
 * How long a store that refuses writes (full disk, I/O error) still counts as alive. Reads continue, and the process
 * recovers as soon as the disk has space, while a restart on a full disk would end the service; after this time, only a
 * restart is left.
 */
export const refusalMsMax = 300_000;

export interface WatchdogDeps {
  notifier: ServiceNotifier;
  /** Whether a write reaches the disk right now. If it never settles, the store hangs. */
  probe(): Promise<boolean>;
  /** Steady milliseconds. */
  monotonic(): number;
  /** Called when a ping could not be sent or a probe threw. */
  failed(reason: unknown): void;
}

/** Sends one ping, or none if the service is unhealthy. Never rejects. */
export function watchdogPing({ notifier, probe, monotonic, failed }: WatchdogDeps): () => Promise<void> {
  let refusedSinceMs: number | null = null;
  let asking = false;
  return async () => {
    // One probe at a time: they must not pile up on a store that hangs.
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

/** How often to ping, in milliseconds, or null if no watchdog waits (sd_watchdog_enabled(3)). */
export function watchdogIntervalMs(env: Readonly<Record<string, string | undefined>>, pid: number): number | null {
  const limitMicros = /^\d{1,15}$/.test(env.WATCHDOG_USEC ?? "") ? Number(env.WATCHDOG_USEC) : 0;
  const meant = env.WATCHDOG_PID === undefined || env.WATCHDOG_PID === String(pid);
  // A third of the limit, so that one late ping does not get the process killed.
  return limitMicros > 0 && meant ? Math.max(1, Math.floor(limitMicros / 3_000)) : null;
}
