/** The appliance as a service of systemd: ready, alive, stopping; and what a start under it must warn of. */
import { hasJit } from "../platform/jit.ts";
import type { Logger } from "../platform/log.ts";
import { serviceNotifier } from "../platform/systemd.ts";
import { watchdogIntervalMs, watchdogPing } from "../platform/watchdog.ts";
import { CommandFailed } from "./errors.ts";

export interface SystemdServiceDeps {
  env: Readonly<Record<string, string | undefined>>;
  log: Logger;
}

export interface Service {
  /** The appliance serves: says so, and pings from now on, each time only after its store answered. */
  ready(appliance: { url: string; probe(): Promise<boolean> }): void;
  /** The stop has begun; the watchdog waits for no more pings than these. */
  stopping(): void;
}

/** Throws CommandFailed where systemd waits for notices and none can be sent. */
export function systemdService({ env, log }: SystemdServiceDeps): Service {
  assertJit(env.NOTIFY_SOCKET !== undefined, log);
  const notifier = serviceNotifier(env.NOTIFY_SOCKET);
  const intervalMs = watchdogIntervalMs(env, process.pid);
  const failed = (reason: unknown) => log.error({ err: reason }, "the watchdog could not be answered");
  return {
    ready({ url, probe }) {
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

/** Under Type=notify it is a must: without it Bun cannot call libc either, and a start that systemd never hears of is killed again and again. */
function assertJit(awaited: boolean, log: Logger): void {
  if (hasJit()) return;
  const cause =
    "take MemoryDenyWriteExecute= and LimitAS= out of the unit (systemctl cat peyk shows where they stand), " +
    "and BUN_JSC_useJIT out of the environment.";
  if (awaited) {
    throw new CommandFailed(
      "no_jit",
      `The JIT is off, and without it systemd cannot be told that Peyk is ready: ${cause}`,
    );
  }
  log.warn(`The JIT is off and everything runs some 15 times slower: ${cause}`);
}
