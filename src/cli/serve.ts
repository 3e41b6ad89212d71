/** `peyk serve`: runs the server in the foreground until SIGTERM or SIGINT. */
import { existsSync, realpathSync } from "node:fs";
import { resolve } from "node:path";
import { Command } from "@commander-js/extra-typings";
import { loadSettings } from "../config/settings.ts";
import { systemClock } from "../platform/clock.ts";
import { exitAtOnce } from "../platform/exit.ts";
import { createLog, type Logger } from "../platform/log.ts";
import { systemRandom } from "../platform/random.ts";
import { SyncFailed } from "../store/checkpoint.ts";
import type { GoodSettings } from "./config.ts";
import { CommandFailed, UsageError } from "./errors.ts";
import type { CliIo } from "./io.ts";
import { becomeOwnerOf, serviceDataDir } from "./owner.ts";
import { explainStartError } from "./start-error.ts";
import { systemdService } from "./systemd-service.ts";

interface ServeOptions {
  dataDir?: string | undefined;
  listen?: string | undefined;
  consoleListen?: string | undefined;
  config?: string | undefined;
}

/** Time for the answers to those whose requests are refused, before the process ends. */
const refusalMs = 250;
/** Signals that come this soon after the first ask for the same stop. */
const sameStopMs = 1_000;
/** A stop that takes longer is cut off; systemd would kill the process a little later. */
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
  const { settings, ...settingsSource } = settingsOf(io, options);
  const warning = rootServeWarning({
    isRoot: process.getuid?.() === 0,
    startedBySystemd: io.env.NOTIFY_SOCKET !== undefined,
    installed: existsSync(serviceDataDir),
    dataDir: settings.dataDir,
  });
  if (warning !== null) io.err(`peyk: ${warning}\n`);
  // Root would follow the links that the folder's owner left in it.
  if (existsSync(settings.dataDir)) becomeOwnerOf(realpathSync(settings.dataDir));
  // Loaded late: the server takes 150 ms to load, which the other commands would pay, too.
  const { startServer } = await import("../server/server.ts");
  const log = await createLog(settings.log.level);
  const service = systemdService({ env: io.env, log });
  const server = await startServer(settings, {
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
  process.on("SIGHUP", server.reload);
  await stopSignal();
  service.stopping();
  const deadline = setTimeout(() => abandonStop(log), stopMsMax);
  await server.stop();
  clearTimeout(deadline);
  log.flush();
}

interface ServeSituation {
  isRoot: boolean;
  startedBySystemd: boolean;
  /** Peyk is installed as a service on this machine. */
  installed: boolean;
  dataDir: string;
}

/** Root beside an installed service starts a second service, or leaves files that the installed one may not open. */
export function rootServeWarning({ isRoot, startedBySystemd, installed, dataDir }: ServeSituation): string | null {
  if (!isRoot || startedBySystemd || !installed) return null;
  return resolve(dataDir) === serviceDataDir
    ? `Peyk is installed as a service, which cannot open files that root leaves in ${dataDir}. Use: systemctl start peyk`
    : `Peyk is installed as a service; this is a second one, with its own data in ${dataDir}. Did you mean: systemctl start peyk`;
}

/** Removes the variables that would send callbacks through a proxy or switch off certificate verification. */
export function forgetProxies(): void {
  for (const name of Object.keys(process.env)) {
    if (/^(https?_proxy|all_proxy|node_tls_reject_unauthorized)$/i.test(name)) delete process.env[name];
  }
}

/**
 * The first SIGTERM or SIGINT. For a moment more of them are the same stop: npm and bun pass on the Ctrl-C that the terminal
 * already sent to all. A later one ends the process at once.
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

/** systemd starts it again, and the start reads from the disk what is really there. */
function abandonStorage(log: Logger, reason: Error): void {
  log.fatal({ reason: reason.message }, "the disk failed at a sync: every request is refused, and the process ends");
  log.flush();
  leaveDatabaseAsItIs();
  setTimeout(() => exitAtOnce(1), refusalMs);
}

/** However the process ends from now on. */
function leaveDatabaseAsItIs(): void {
  process.on("exit", () => exitAtOnce(1));
}

/** Everything acknowledged is on disk, so nothing is lost. */
function abandonStop(log: Logger): void {
  log.error("a part of the service did not stop in time; the process ends without it");
  log.flush();
  process.exit(0);
}
