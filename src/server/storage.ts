/** Opens what is kept: the database, the secret key, the directory of accounts and routes, and the metrics that they report to. */
import type { Settings, SettingsSource } from "../config/settings.ts";
import { className } from "../domain/message.ts";
import { sandboxRouteName } from "../domain/sandbox.ts";
import { trackingCodes } from "../domain/tracking-code.ts";
import { Directory } from "../messaging/directory/directory.ts";
import { RouteService } from "../messaging/directory/route-service.ts";
import { openRoutingPlans } from "../messaging/routing/routing-plans.ts";
import { createMetrics } from "../metrics/metrics.ts";
import type { Clock } from "../platform/clock.ts";
import { DamageWatch } from "../platform/damage-watch.ts";
import { deriveHashKey } from "../platform/keyed-hash.ts";
import type { Logger } from "../platform/log.ts";
import { type PeykProcess, runPeyk } from "../platform/peyk-process.ts";
import type { Random } from "../platform/random.ts";
import { createSealer, type KeyFile, loadKeys, opensAll, type Sealer } from "../platform/seal.ts";
import { routeKinds } from "../providers/route-kinds.ts";
import { openStore, type Store } from "../store/store.ts";
import { keepCurrency } from "./kept-currency.ts";
import { watchWallClock } from "./wall-clock.ts";

/** What comes from outside of the process, so that a test can own it. */
export interface ServerEnvironment {
  clock: Clock;
  random: Random;
  log: Logger;
  /** Where systemd put the key file, if it did (LoadCredential). */
  credentialsFolder?: string | undefined;
  /**
   * Called when everything runs, just before the first request is taken: whoever was not called knows that nothing was accepted,
   * and that the database of before is complete.
   */
  announce?: (server: { url: string; probe(): Promise<boolean> }) => void;
  /** Called when the disk failed at a sync: everything is refused from then on, and the process must end (see GroupCommit). */
  syncFailed?: (reason: Error) => void;
  /** Runs a command of this build beside the service; unless given, its own. */
  runCommand?: (args: readonly string[]) => PeykProcess;
  /** Where the settings came from; unless given, they are told as defaults. */
  settingsSource?: SettingsSource;
  /** When a time server last agreed with the clock, epoch milliseconds; null where nobody knows. The machine's unless given. */
  timeAgreedAt?: () => number | null;
}

export type ServerStorage = Awaited<ReturnType<typeof openStorage>>;

/** `opened` closes the database again should the start fail later on. */
export async function openStorage(
  settings: Settings,
  { clock, random, log, credentialsFolder, syncFailed, timeAgreedAt, settingsSource, runCommand }: ServerEnvironment,
  opened: AsyncDisposableStack,
) {
  const startedAt = clock.now();
  const metrics = createMetrics({ className, routeName: (id) => directory.routeById(id)?.name ?? String(id) });
  const damage = new DamageWatch({ dataDir: settings.dataDir, log });
  const store = openStore({
    folder: settings.dataDir,
    now: startedAt,
    observer: metrics.commits,
    failed: damage.found,
    applying: ({ number, name }) =>
      log.info({ migration: number, name }, "upgrading the database; this may take minutes"),
    ...(syncFailed && { syncFailed }),
  });
  opened.defer(store.close);
  await keepCurrency(store, settings.currency, settingsSource?.origins);
  const keys = loadKeys(settings.dataDir, credentialsFolder, store.holdsSealed);
  const sealer = createSealer(...keys);
  // Where the old key is gone for good, a start with a new one is the only way on: it is logged, not refused.
  if (!opensAll(sealer, store.sealedSecrets())) {
    log.error("secret.key is not the key of this database: callbacks wait, and one-time passwords that wait will fail");
  }
  const directory = new Directory(store.tables, clock);
  const routes = new RouteService({ store, directory, clock, sealer, kinds: routeKinds });
  await routes.ensureOne();
  if (settings.sandbox.enabled && !(await routes.ensureSandbox())) {
    log.error(`the sandbox has no route: ${sandboxRouteName} is the name of a route that is no simulator`);
  }
  const routingPlans = openRoutingPlans({ store, directory, clock });
  const wallClock = await watchWallClock({ store, clock, log, agreedAt: timeAgreedAt });
  return {
    settings,
    runCommand: runCommand ?? ((args: readonly string[]) => runPeyk(args)),
    settingsSource: settingsSource ?? { file: null, origins: new Map() },
    clock,
    random,
    log,
    startedAt,
    metrics,
    store,
    hashKey: hashKeyReader(store, sealer, keys),
    sealer,
    directory,
    routes,
    routingPlans,
    trackingCodes: trackingCodes(clock, random),
    wallClock,
    bookingClock: wallClock.bookingClock,
    damage,
  };
}

/** Keys of hashes: those that were kept when the key file was rotated, else derived from it. */
function hashKeyReader({ tables }: Store, sealer: Sealer, [oldest]: KeyFile) {
  return (purpose: string): Uint8Array => {
    const kept = tables.hashKeys.sealed(purpose);
    if (kept === null || !opensAll(sealer, [kept])) return deriveHashKey(oldest, purpose);
    return Buffer.from(sealer.open(kept), "hex");
  };
}
