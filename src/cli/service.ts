/** The appliance as a service of systemd: ready, alive, stopping; and what a start under it must warn of. */
import { hasJit } from "../platform/jit.ts";
import type { Logger } from "../platform/log.ts";
import { serviceNotifier } from "../platform/systemd.ts";
import { watchdogIntervalMs, watchdogPing } from "../platform/watchdog.ts";

export interface ServiceParts {
  env: Readonly<Record<string, string | undefined>>;
  log: Logger;
}

export interface Service {
  /** The appliance serves: says so, and pings from now on, each time only after its store answered. */
  ready(appliance: { url: string; probe(): Promise<boolean> }): void;
  /** The stop has begun; the watchdog waits for no more pings than these. */
  stopping(): void;
}

export function systemdService({ env, log }: ServiceParts): Service {
  const notifier = serviceNotifier(env.NOTIFY_SOCKET);
  const intervalMs = watchdogIntervalMs(env, process.pid);
  const failed = (reason: unknown) => log.error({ err: reason }, "the watchdog could not be answered");
  return {
    ready({ url, probe }) {
      warnWithoutJit(log);
      notifier.status(`serving at ${url}`);
      notifier.ready();
      if (intervalMs === null) return;
      // A timer of the event loop: while that hangs, nobody pings. It goes on during the stop, which may take its time.
      const ping = watchdogPing({ notifier, probe, monotonic: () => performance.now(), failed });
      setInterval(() => void ping(), intervalMs).unref();
    },
    stopping: () => notifier.stopping(),
  };
}

function warnWithoutJit(log: Logger): void {
  if (hasJit()) return;
  log.warn(
    "the JIT is off, everything runs some 15 times slower: take MemoryDenyWriteExecute= and LimitAS= out of the unit, " +
      "and BUN_JSC_useJIT out of the environment",
  );
}
