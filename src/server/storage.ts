/**
 * Opens the stored state: the database, the secret key, the directory of accounts and routes, and the metrics they
 * report to.
 */
import type { ClusterFacts } from "../conditions/condition.ts";
import { originText, type Settings, type SettingsSource } from "../config/settings.ts";
import { className, messageClassNames } from "../domain/message.ts";
import { sandboxRouteName } from "../domain/sandbox.ts";
import { trackingCodes } from "../domain/tracking-code.ts";
import type { StartLargeBodyThread } from "../http/large-body-task.ts";
import { Directory } from "../messaging/directory/directory.ts";
import { RouteService } from "../messaging/directory/route-service.ts";
import { NumberLookups, type NumberLookupsDeps } from "../messaging/routing/number-lookups.ts";
import { openRoutingPlans } from "../messaging/routing/routing-plans.ts";
import { createMetrics } from "../metrics/metrics.ts";
import { BookingClock } from "../platform/booking-clock.ts";
import type { Clock } from "../platform/clock.ts";
import { type ClockDoubt, ClockWatch, timeServiceAgreedAt } from "../platform/clock-watch.ts";
import { DamageWatch } from "../platform/damage-watch.ts";
import { deriveHashKey } from "../platform/keyed-hash.ts";
import type { Logger } from "../platform/log.ts";
import { type PeykProcess, runPeyk } from "../platform/peyk-process.ts";
import type { Random } from "../platform/random.ts";
import { listenRenewably } from "../platform/renewable-listener.ts";
import { type KeyFile, loadKeys, opensAll, type Sealer, sealerWith } from "../platform/seal.ts";
import type { ListenForSockets } from "../platform/socket-listener.ts";
import type { CarrierNetwork } from "../providers/carrier-network.ts";
import { routeKinds } from "../providers/route-kinds.ts";
import { changedCurrencyText } from "../store/currency.ts";
import type { ApplyMigration } from "../store/database.ts";
import type { AnswerGate, Replication } from "../store/replication.ts";
import { openStore, type Store } from "../store/store.ts";
import { PasswordHasher } from "../users/password.ts";
import type { CallbackNetwork } from "../webhooks/callback-network.ts";

/** What a server that leads a cluster needs. */
export interface LeadingNode {
  replication: Replication;
  gate: AnswerGate;
  /** Null while this node may talk to carriers; otherwise resolves when it may again. */
  turn(): Promise<void> | null;
  /** Calls `listener` when it no longer may, and when it may again. */
  onLease(listener: (isGood: boolean) => void): void;
  facts(): ClusterFacts | null;
  /** Called with the reason whenever a transaction fails. */
  failed(reason: unknown): void;
  /** The store is open; until `stops` is called, its pages are summed for the other nodes. */
  serves(store: Pick<Store, "path" | "drain" | "tables">): void;
  stops(): void;
}

/** Everything from outside the process, so that a test can control it. */
export interface ServerEnvironment {
  clock: Clock;
  random: Random;
  log: Logger;
  /** How carriers are reached; the system's unless given. */
  network?: CarrierNetwork;
  /** Accepts SMPP customers; real sockets unless given. */
  listenForSmpp?: ListenForSockets;
  /** Serves programs written for other SMS services; a real listener unless given. */
  listenForDropIn?: typeof listenRenewably;
  /** Starts the thread for large bodies; a real one unless given. */
  startLargeBodyThread?: StartLargeBodyThread;
  /** How callbacks leave; the system's unless given. */
  callbackNetwork?: CallbackNetwork;
  /** Mails customers' people; by the mail server of the settings, if there is one, unless given. */
  sendMail?: (to: string, subject: string, text: string) => Promise<void>;
  /** How passwords are hashed; with 64 MB unless given. */
  hasher?: PasswordHasher;
  /** Where systemd put the key file, if it did (LoadCredential). */
  credentialsFolder?: string | undefined;
  /**
   * Called when everything runs, just before the first request is accepted. If it is not called, nothing was accepted and
   * the previous database is complete.
   */
  announce?: (server: { url: string; probe(): Promise<boolean> }) => void;
  /** Called when a sync failed: everything is refused from then on, and the process must end (see GroupCommit). */
  syncFailed?: (reason: Error) => void;
  /** Omitted without a cluster. */
  leading?: LeadingNode;
  /** Runs a command of this build beside the service; its own by default. */
  runCommand?: (args: readonly string[]) => PeykProcess;
  /** Where the settings came from; by default they are reported as defaults. */
  settingsSource?: SettingsSource;
  /**
   * When a time server last agreed with the clock, epoch milliseconds; null if unknown. The machine's own unless given.
   */
  timeAgreedAt?: () => number | null;
}

export type ServerStorage = Awaited<ReturnType<typeof openStorage>>;

/** `opened` closes the database again if the start fails later. */
export async function openStorage(settings: Settings, environment: ServerEnvironment, opened: AsyncDisposableStack) {
  const { clock, random, log, credentialsFolder, syncFailed, timeAgreedAt, settingsSource, runCommand } = environment;
  const { network, callbackNetwork, sendMail, leading, hasher = new PasswordHasher() } = environment;
  const startedAt = clock.now();
  const keysIn = (isNeeded: () => boolean) => loadKeys(settings.dataDir, credentialsFolder, isNeeded, random);
  const metrics = createMetrics({
    className,
    classNames: messageClassNames,
    routeName: (id) => directory.routeById(id)?.name ?? String(id),
  });
  const damage = new DamageWatch({ dataDir: settings.dataDir, log });
  const store = openStore({
    folder: settings.dataDir,
    now: startedAt,
    random,
    observer: metrics.commits,
    reached: metrics.reached,
    failed: tellFailure(damage, leading),
    applying: upgradeWith(keysIn, log),
    ...(syncFailed && { syncFailed }),
    replication: leading?.replication,
  });
  opened.defer(store.close);
  await keepCurrency(store, settings.currency, settingsSource?.origins);
  const keys = keysIn(store.holdsSealed);
  const sealer = sealerWith(random, keys);
  // If the old key is gone for good, starting with a new one is the only option: it is logged, not refused.
  if (!opensAll(sealer, store.sealedSecrets())) {
    log.error("secret.key is not the key of this database: callbacks wait, and one-time passwords that wait will fail");
  }
  const directory = new Directory(store.tables, clock);
  const routes = new RouteService({ store, directory, clock, sealer, kinds: routeKinds });
  await routes.ensureOne();
  if (settings.sandbox.enabled && !(await routes.ensureSandbox())) {
    log.error(`the sandbox has no route: ${sandboxRouteName} is the name of a route that is no simulator`);
  }
  const wallClock = await watchWallClock({ store, clock, log, agreedAt: timeAgreedAt });
  const { bookingClock } = wallClock;
  return {
    settings,
    leading: leading ?? null,
    cluster: () => leading?.facts() ?? null,
    /** Holds answers back until a node that takes over would know their contents; null without a cluster. */
    answerGate: leading?.gate ?? null,
    /** Whether a write reaches the disk, and the cluster's log, right now. */
    probe: () => (leading === undefined ? store.probe() : leading.gate.within(store.probe()).catch(() => false)),
    runCommand: runCommand ?? ((args: readonly string[]) => runPeyk(args)),
    settingsSource: settingsSource ?? { file: null, origins: new Map() },
    clock,
    random,
    log,
    hasher,
    ...(network && { network }),
    ...(callbackNetwork && { callbackNetwork }),
    ...(sendMail && { sendMail }),
    ...listeningOf(environment),
    startedAt,
    metrics,
    store,
    hashKey: hashKeyReader(store, sealer, keys),
    sealer,
    directory,
    routes,
    ...(await openNetworks({ store, directory, clock, random, log, sealer, bookingClock, network })),
    trackingCodes: trackingCodes(clock, random),
    wallClock,
    bookingClock,
    damage,
  };
}

interface NetworksDeps extends Omit<NumberLookupsDeps, "networks" | "open" | "store"> {
  store: Store;
  directory: Directory;
  random: Random;
  network: CarrierNetwork | undefined;
}

/** Routing plans, and what knows the networks of numbers. */
async function openNetworks({ random, network, ...deps }: NetworksDeps) {
  const routingPlans = openRoutingPlans(deps);
  await routingPlans.ported.open(deps.log);
  const asking = { clock: deps.clock, random, ...(network && { network }) };
  const lookups = new NumberLookups({
    ...deps,
    networks: routingPlans.networks,
    // Most starts do not need its code.
    open: async (file) => (await import("../providers/http/number-lookup.ts")).openNumberLookup(file, asking),
  });
  await lookups.open();
  return { routingPlans, lookups };
}

const tellFailure = (damage: DamageWatch, leading: LeadingNode | undefined) => (reason: unknown) => {
  damage.found(reason);
  leading?.failed(reason);
};

/** A missing key is refused while an earlier build can still open the database. */
function upgradeWith(keysIn: (isNeeded: () => boolean) => KeyFile, log: Logger): ApplyMigration {
  return ({ number, name }, holdsSealed) => {
    keysIn(holdsSealed);
    log.info({ migration: number, name }, "upgrading the database; this may take minutes");
  };
}

/** How customers are reached, as far as it is given. */
const listeningOf = ({ listenForSmpp, listenForDropIn, startLargeBodyThread }: ServerEnvironment) => ({
  ...(listenForSmpp && { listenForSmpp }),
  ...(startLargeBodyThread && { startLargeBodyThread }),
  listenForDropIn: listenForDropIn ?? listenRenewably,
});

/** Hash keys: those stored when the key file was rotated, else derived from it. */
function hashKeyReader({ tables }: Store, sealer: Sealer, [oldest]: KeyFile) {
  return (purpose: string): Uint8Array => {
    const kept = tables.hashKeys.sealed(purpose);
    if (kept === null || !opensAll(sealer, [kept])) return deriveHashKey(oldest, purpose);
    return Buffer.from(sealer.open(kept), "hex");
  };
}

/** The database was not changed; the message says what to do. */
class CurrencyChanged extends Error {
  override readonly name = "CurrencyChanged";
}

/**
 * Throws CurrencyChanged. Amounts stored by an earlier release without a currency are assumed to be in the configured
 * one.
 */
async function keepCurrency(
  store: Store,
  setting: string,
  origins: SettingsSource["origins"] | undefined,
): Promise<void> {
  const kept = store.tables.currency.kept();
  if (kept === null) {
    if (store.tables.currency.areAmountsStored()) await store.write(({ currency }) => currency.keep(setting));
    return;
  }
  if (kept === setting) return;
  throw new CurrencyChanged(
    changedCurrencyText(kept, setting, originText(origins?.get("currency") ?? { source: "default" })),
  );
}

interface WallClockDeps {
  store: Store;
  clock: Clock;
  log: Logger;
  agreedAt?: (() => number | null) | undefined;
}

const minuteMs = 60_000;

async function watchWallClock({ store, clock, log, agreedAt = timeServiceAgreedAt }: WallClockDeps) {
  const believed: (() => void)[] = [];
  function changed(doubt: ClockDoubt | null): void {
    if (doubt === null) {
      log.warn("the clock is believed again: expiry, retention, quotas and statements go on");
      for (const listener of believed) listener();
    } else {
      const aheadMinutes = Math.round(doubt.aheadMs / minuteMs);
      log.error(
        { aheadMinutes },
        "the clock jumped ahead: nothing expires or is deleted, and no day or month of quotas and statements begins until a time service agrees, a day has passed, or: peyk clock confirm",
      );
    }
  }
  const before = store.tables.wallClock.trusted();
  const watch = new ClockWatch({ clock, agreedAt, before, changed });
  const bookingClock = new BookingClock({ clock, watch, before: before?.bookedAt ?? null });
  const save = () =>
    store.write((tables) => tables.wallClock.trust({ ...watch.state(), bookedAt: bookingClock.now() }));
  await save();
  return {
    /** Null while the wall clock can be trusted. */
    doubt: () => watch.doubt(),
    /** Registers `listener` for when the clock is trusted again. */
    onBelieved: (listener: () => void) => void believed.push(listener),
    bookingClock,
    save,
    /** The operator confirms that the time is right. */
    async confirm(): Promise<void> {
      watch.confirm();
      bookingClock.confirm();
      await save();
    },
  };
}
