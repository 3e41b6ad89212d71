/** `peyk serve`: runs the server in the foreground until SIGTERM or SIGINT. */
import { accessSync, constants, existsSync, realpathSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { Command } from "@commander-js/extra-typings";
import { loadSettings, type Settings } from "../config/settings.ts";
import { systemClock } from "../platform/clock.ts";
import { errorCode } from "../platform/error-code.ts";
import { exitAtOnce } from "../platform/exit.ts";
import { hasJit } from "../platform/jit.ts";
import { createLog, type Logger } from "../platform/log.ts";
import { systemRandom } from "../platform/random.ts";
import { serviceNotifier } from "../platform/systemd.ts";
import { watchdogIntervalMs, watchdogPing } from "../platform/watchdog.ts";
import type { ServerEnvironment } from "../server/storage.ts";
import { SyncFailed } from "../store/checkpoint.ts";
import { requireCluster } from "./cluster.ts";
import type { GoodSettings } from "./config.ts";
import { CommandFailed, UsageError } from "./errors.ts";
import { tellFirstOwner } from "./first-owner.ts";
import type { CliIo } from "./io.ts";
import { becomeOwnerOf, serviceDataDir } from "./owner.ts";
import { explainStartError } from "./start-error.ts";

interface ServeOptions {
  dataDir?: string | undefined;
  listen?: string | undefined;
  consoleListen?: string | undefined;
  config?: string | undefined;
}

/** Time to answer refused requests before the process ends. */
const refusalMs = 250;
/** Signals this soon after the first count as the same stop. */
const sameStopMs = 1_000;
/** A longer stop is cut off; systemd would kill the process a little later. */
const stopMsMax = 9_500;

export const serveName = "serve";

export function serveCommand(io: CliIo) {
  return new Command(serveName)
    .description("run the service in the foreground until SIGTERM or Ctrl-C")
    .option("--data-dir <dir>", "folder of the database, the key file and the socket (PEYK_DATA_DIR, ./data)")
    .option("--listen <host:port>", "where the public API listens (PEYK_LISTEN, 127.0.0.1:8080)")
    .option("--console-listen <host:port>", "where the console listens (PEYK_CONSOLE_LISTEN, 127.0.0.1:8081)")
    .option("--config <file>", "settings file (PEYK_CONFIG, <data-dir>/peyk.toml, /etc/peyk/peyk.toml)")
    .addHelpText("after", "\nExample:\n  peyk serve --data-dir ./data --listen 127.0.0.1:8080\n")
    .action((options) => serve(io, options));
}

function settingsOf(io: CliIo, { dataDir, listen, consoleListen, config }: ServeOptions): GoodSettings {
  const flags = { data_dir: dataDir, listen, console_listen: consoleListen };
  const loaded = loadSettings({ flags, env: io.env, readFile: io.readFile, configFile: config });
  if (!loaded.ok) {
    const message = ["The settings are wrong:", ...loaded.problems.map((problem) => problem.message)].join("\n");
    if (loaded.problems.every(({ origin }) => origin.source === "flag")) throw new UsageError(message);
    throw new CommandFailed("settings_invalid", message);
  }
  for (const warning of loaded.warnings) io.err(`peyk: ${warning}\n`);
  return loaded;
}

async function serve(io: CliIo, options: ServeOptions): Promise<void> {
  forgetProxies();
  assertUsable(options.dataDir ?? (io.env.PEYK_DATA_DIR || null));
  const { settings, ...settingsSource } = settingsOf(io, options);
  const warning = rootServeWarning({
    isRoot: process.getuid?.() === 0,
    startedBySystemd: io.env.NOTIFY_SOCKET !== undefined,
    installed: existsSync(serviceDataDir),
    dataDir: settings.dataDir,
  });
  if (warning !== null) io.err(`peyk: ${warning}\n`);
  // Root would follow links that the folder's owner left in it.
  if (existsSync(settings.dataDir)) becomeOwnerOf(realpathSync(settings.dataDir));
  // Loaded late: the server takes 150 ms to load, which the other commands would pay too.
  const log = await createLog(settings.log.level);
  const service = systemdService({ env: io.env, log });
  const server = await startedService(settings, service, {
    clock: systemClock,
    random: systemRandom,
    log,
    credentialsFolder: io.env.CREDENTIALS_DIRECTORY,
    announce: service.ready,
    settingsSource,
    syncFailed: (reason) => abandonStorage(log, reason),
  }).catch((reason: unknown) => {
    if (reason instanceof SyncFailed) leaveDatabaseAsItIs();
    throw explainStartError(reason, settings.dataDir, settings.listen);
  });
  await tellFirstOwner(io, { dataDir: settings.dataDir, path: join(settings.dataDir, "peyk.sock") });
  process.on("SIGHUP", server.reload);
  await Promise.race([stopSignal(), server.ended]).catch((reason: unknown) => {
    throw explainStartError(reason, settings.dataDir, settings.listen);
  });
  service.stopping();
  const deadline = setTimeout(() => abandonStop(log), stopMsMax);
  await server.stop();
  clearTimeout(deadline);
  log.flush();
}

/**
 * A container's volume may belong to another user: reported before the settings file in it turns out to be unreadable.
 */
function assertUsable(dataDir: string | null): void {
  if (dataDir === null) return;
  try {
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (reason) {
    if (errorCode(reason) !== "EACCES") return;
    // Most files may not be executed, which is what entering is for a folder.
    if (existsSync(dataDir) && !statSync(dataDir).isDirectory()) {
      throw new CommandFailed("data_folder_unusable", `${dataDir} is not a folder. Choose another --data-dir.`);
    }
    throw explainStartError(reason, dataDir, "");
  }
}

interface ServedHere {
  reload(): unknown;
  stop(): Promise<void>;
  /** Rejects if a node cannot join its cluster. */
  ended: Promise<void>;
}

/** A server or, if the settings name a cluster, a node of it; without a cluster none of its code is loaded. */
async function startedService(
  settings: Settings,
  { status }: Pick<SystemdService, "status">,
  environment: ServerEnvironment,
): Promise<ServedHere> {
  const { node, engineFile } = settings.cluster;
  if (node === "" && engineFile === null) {
    const { startServer } = await import("../server/server.ts");
    return { ...(await startServer(settings, environment)), ended: new Promise<void>(() => {}) };
  }
  requireCluster(settings);
  const { startNode } = await import("../server/cluster-server.ts");
  const { log } = environment;
  return startNode(settings, {
    ...environment,
    status,
    lost(why) {
      log.fatal({ reason: why }, "this node leads no more: nothing is answered, and the process ends");
      log.flush();
      exitAtOnce(1);
    },
    leads: () => void process.on("exit", exitAtOnce),
  });
}

interface ServeSituation {
  isRoot: boolean;
  startedBySystemd: boolean;
  /** Whether Peyk is installed as a service on this machine. */
  installed: boolean;
  dataDir: string;
}

/**
 * As root beside an installed service, this would start a second service, or leave files that the installed one cannot
 * open.
 */
export function rootServeWarning({ isRoot, startedBySystemd, installed, dataDir }: ServeSituation): string | null {
  if (!isRoot || startedBySystemd || !installed) return null;
  return resolve(dataDir) === serviceDataDir
    ? `Peyk is installed as a service, which cannot open files that root leaves in ${dataDir}. Use: systemctl start peyk`
    : `Peyk is installed as a service; this is a second one, with its own data in ${dataDir}. Did you mean: systemctl start peyk`;
}

/** Removes variables that would send callbacks through a proxy or turn off certificate verification. */
export function forgetProxies(): void {
  for (const name of Object.keys(process.env)) {
    if (/^(https?_proxy|all_proxy|node_tls_reject_unauthorized)$/i.test(name)) delete process.env[name];
  }
}

/**
 * The first SIGTERM or SIGINT. Shortly afterwards, further signals count as the same stop: npm and bun forward the
 * Ctrl-C that the terminal already sent to every process. A later one ends the process at once.
 */
export function stopSignal(): Promise<void> {
  const signals = ["SIGTERM", "SIGINT"] as const;
  return new Promise((resolve) => {
    const listenNoMore = () => {
      for (const signal of signals) process.off(signal, ask);
    };
    const ask = () => {
      resolve();
      setTimeout(listenNoMore, sameStopMs).unref();
    };
    for (const signal of signals) process.on(signal, ask);
  });
}

/** systemd restarts it, and the start reads what is really on disk. */
function abandonStorage(log: Logger, reason: Error): void {
  log.fatal({ reason: reason.message }, "the disk failed at a sync: every request is refused, and the process ends");
  log.flush();
  leaveDatabaseAsItIs();
  setTimeout(() => exitAtOnce(1), refusalMs);
}

/** However the process ends from here on. */
function leaveDatabaseAsItIs(): void {
  process.on("exit", () => exitAtOnce(1));
}

/** Everything acknowledged is on disk, so nothing is lost. */
function abandonStop(log: Logger): void {
  log.error("a part of the service did not stop in time; the process ends without it");
  log.flush();
  process.exit(0);
}

export interface SystemdServiceDeps {
  env: Readonly<Record<string, string | undefined>>;
  log: Logger;
}

export interface SystemdService {
  /** Reports ready, and from then on pings the watchdog each time the store has answered. */
  ready(server: { url: string; probe(): Promise<boolean> }): void;
  /** Another line for `systemctl status`. */
  status(line: string): void;
  /** Reports that the stop has begun. */
  stopping(): void;
}

/** @throws CommandFailed if systemd expects notifications and none can be sent */
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
      // A timer on the event loop, so that a blocked loop sends no ping. It also runs during the stop.
      const ping = watchdogPing({ notifier, probe, monotonic: () => performance.now(), failed });
      setInterval(() => void ping(), intervalMs).unref();
    },
    status: (line) => notifier.status(line),
    stopping: () => notifier.stopping(),
  };
}

/**
 * Without the JIT, Bun cannot call libc, so a unit of Type=notify never becomes ready and systemd kills it again and
 * again.
 */
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
