/** Tells systemd that the server is ready, alive or stopping, and warns of a unit that switches the JIT off. */
import { hasJit } from "../platform/jit.ts";
import type { Logger } from "../platform/log.ts";
import { serviceNotifier } from "../platform/systemd.ts";
import { watchdogIntervalMs, watchdogPing } from "../platform/watchdog.ts";
import { CommandFailed } from "./errors.ts";

export interface SystemdServiceDeps {
  env: Readonly<Record<string, string | undefined>>;
  log: Logger;
}

export interface SystemdService {
  /** Reports ready, and pings the watchdog from now on, each time after the store has answered. */
  ready(server: { url: string; probe(): Promise<boolean> }): void;
  /** Reports that the stop has begun. */
  stopping(): void;
}

/** @throws CommandFailed where systemd waits for notifications and none can be sent */
export function systemdService({ env, log }: SystemdServiceDeps): SystemdService {
  assertJit(env.NOTIFY_SOCKET !== undefined, log);
  const notifier = serviceNotifier(env.NOTIFY_SOCKET);
  const intervalMs = watchdogIntervalMs(env, process.pid);
  const failed = (reason: unknown) => log.error({ err: reason }, "the watchdog could not be answered");
  return {
    ready({ url, probe }) {
      notifier.status(`serving at ${url}`);
      notifier.ready();
      if (intervalMs === null) return;
      // A timer of the event loop, so that a loop that hangs sends no ping. It runs during the stop, too.
      const ping = watchdogPing({ notifier, probe, monotonic: () => performance.now(), failed });
      setInterval(() => void ping(), intervalMs).unref();
    },
    stopping: () => notifier.stopping(),
  };
}

/** Without the JIT Bun cannot call libc, so a unit of Type=notify never becomes ready and systemd kills it again and again. */
function assertJit(systemdWaits: boolean, log: Logger): void {
  if (hasJit()) return;
  const cause =
    "take MemoryDenyWriteExecute= and LimitAS= out of the unit (systemctl cat peyk shows where they stand), " +
    "and BUN_JSC_useJIT out of the environment.";
  if (systemdWaits) {
    throw new CommandFailed(
      "no_jit",
      `The JIT is off, and without it Peyk cannot tell systemd that it is ready: ${cause}`,
    );
  }
  log.warn(`The JIT is off and everything runs some 15 times slower: ${cause}`);
}
