/** `peyk serve`: the appliance in the foreground, until SIGTERM or SIGINT. */
import { Command } from "@commander-js/extra-typings";
import { loadSettings, type Settings } from "../config/settings.ts";
import { systemClock } from "../platform/clock.ts";
import { createLog, type Logger } from "../platform/log.ts";
import { systemRandom } from "../platform/random.ts";
import { CommandFailed, UsageError } from "./errors.ts";
import type { CliIo } from "./io.ts";
import { explainStartError } from "./start-error.ts";
import { systemdService } from "./systemd-service.ts";

interface ServeOptions {
  dataDir?: string | undefined;
  listen?: string | undefined;
  consoleListen?: string | undefined;
  config?: string | undefined;
}

/** After this the process ends whatever still hangs; systemd would kill it a little later. */
const stopMsMax = 9_500;

export function serveCommand(io: CliIo) {
  return new Command("serve")
    .description("run the appliance in the foreground until SIGTERM or Ctrl-C")
    .option("--data-dir <dir>", "folder of the database, the key file and the socket (PEYK_DATA_DIR, ./data)")
    .option("--listen <host:port>", "where the public API listens (PEYK_LISTEN, 127.0.0.1:8080)")
    .option("--console-listen <host:port>", "where health and metrics listen (PEYK_CONSOLE_LISTEN, 127.0.0.1:8081)")
    .option("--config <file>", "settings file (PEYK_CONFIG; none unless told)")
    .addHelpText("after", "\nExample:\n  peyk serve --data-dir ./data --listen 127.0.0.1:8080\n")
    .action((options) => serve(io, options));
}

function settingsOf(io: CliIo, { dataDir, listen, consoleListen, config }: ServeOptions): Settings {
  const flags = { data_dir: dataDir, listen, console_listen: consoleListen };
  const loaded = loadSettings({ flags, env: io.env, readFile: io.readFile, configFile: config });
  if (!loaded.ok) {
    const words = ["The settings are wrong:", ...loaded.problems.map((problem) => problem.message)].join("\n");
    if (loaded.problems.every(({ origin }) => origin.source === "flag")) throw new UsageError(words);
    throw new CommandFailed("settings_invalid", words);
  }
  for (const warning of loaded.warnings) io.err(`peyk: ${warning}\n`);
  return loaded.settings;
}

async function serve(io: CliIo, options: ServeOptions): Promise<void> {
  forgetProxies();
  const settings = settingsOf(io, options);
  // Only now: the whole appliance costs each of the other verbs 150 ms to load.
  const { startServer } = await import("../server/server.ts");
  const log = createLog(settings.log.level);
  const service = systemdService({ env: io.env, log });
  const appliance = await startServer(settings, {
    clock: systemClock,
    random: systemRandom,
    log,
    credentialsFolder: io.env.CREDENTIALS_DIRECTORY,
    announce: service.ready,
  }).catch((reason: unknown) => {
    throw explainStartError(reason, settings.dataDir, settings.listen);
  });
  process.on("SIGHUP", appliance.reload);
  await stopSignal();
  service.stopping();
  const deadline = setTimeout(() => giveUp(log), stopMsMax);
  await appliance.stop();
  clearTimeout(deadline);
  log.flush();
}

/** What could lead callbacks elsewhere, or make them trust anybody, must not reach the process. */
export function forgetProxies(): void {
  for (const name of Object.keys(process.env)) {
    if (/^(https?_proxy|all_proxy|node_tls_reject_unauthorized)$/i.test(name)) delete process.env[name];
  }
}

export function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => resolve());
  });
}

/** Everything that was acknowledged is on disk: nothing is lost by leaving. */
function giveUp(log: Logger): void {
  log.error("something did not stop in time; peyk leaves without it");
  log.flush();
  process.exit(0);
}
