/** The appliance: every part built once and handed to those who need it, started and stopped in order. */
import { join } from "node:path";
import { addressOf } from "./config/address.ts";
import type { Settings } from "./config/settings.ts";
import { dispatcher } from "./dispatch/dispatcher.ts";
import { routeSet } from "./dispatch/routes.ts";
import { trackingCodes } from "./domain/tracking-code.ts";
import { webhooks } from "./events/webhooks.ts";
import { publicApi } from "./http/api.ts";
import { listenPublicly } from "./http/listener.ts";
import { openInbound } from "./inbound/inbound.ts";
import { acceptor, type Waiting } from "./messaging/accept.ts";
import { accountDesk, keyDesk } from "./messaging/accounts.ts";
import { approvedSending } from "./messaging/approved-sending.ts";
import { canceller } from "./messaging/cancel.ts";
import { openDirectory } from "./messaging/directory.ts";
import { className, messageDesk } from "./messaging/message-desk.ts";
import { otpTexts } from "./messaging/otp-texts.ts";
import { queueOverview } from "./messaging/queue-overview.ts";
import { forgetOld } from "./messaging/retention.ts";
import { routeDesk } from "./messaging/routes.ts";
import { senderDesk } from "./messaging/senders.ts";
import { tracker } from "./messaging/track.ts";
import { operatorApi } from "./operator/api.ts";
import { consoleFace, listenForConsole } from "./operator/console-listener.ts";
import { serveSocket } from "./operator/socket.ts";
import { watchedRoutes } from "./operator/watched-routes.ts";
import { servedCertificate } from "./platform/certificate.ts";
import type { Clock } from "./platform/clock.ts";
import { watchHouse } from "./platform/house-gauges.ts";
import type { Logger } from "./platform/log.ts";
import { createMetrics } from "./platform/metrics.ts";
import { nightlyBackup } from "./platform/nightly-backup.ts";
import type { Random } from "./platform/random.ts";
import { createSchedule } from "./platform/schedule.ts";
import { createSealer, loadKey } from "./platform/seal.ts";
import { version } from "./platform/version.ts";
import { callbackDesk } from "./providers/http/callback-desk.ts";
import { routeKinds } from "./providers/kinds.ts";
import { configurationOf, isCallable } from "./route-configuration.ts";
import { openStore } from "./store/store.ts";

export interface Surroundings {
  clock: Clock;
  random: Random;
  log: Logger;
  /** Where systemd put the key file, if it did (LoadCredential). */
  credentialsFolder?: string | undefined;
  /**
   * Called when everything runs, just before the first request is taken: whoever was not called knows that nothing was accepted,
   * and that the database of before is complete.
   */
  announce?: (appliance: Pick<Appliance, "url" | "probe">) => void;
}

export interface Appliance {
  /** Where the public API is served, such as `http://127.0.0.1:8080`. */
  url: string;
  socketPath: string;
  /** Where health and metrics are served, such as `http://127.0.0.1:8081`. */
  consoleUrl: string;
  /** Whether a write reaches the disk right now. */
  probe(): Promise<boolean>;
  /** Reads the certificate files anew; one that cannot be used is logged, and the old one goes on. */
  reload(): void;
  /** Takes no more requests, answers those in flight, lets submits finish or parks them, and closes the store. */
  stop(): Promise<void>;
}

const hourMs = 3_600_000;
/** How long a provider that stops may wait for its answers. */
const providerStopMs = 5_000;
/** How long a callback under way may go on; what is cut is sent again after the next start. */
const callbackStopMs = 2_000;

/** Starts, or leaves nothing open behind: what stayed open would keep the process alive that failed to start. */
export async function startAppliance(settings: Settings, surroundings: Surroundings): Promise<Appliance> {
  const opened: (() => unknown)[] = [];
  try {
    return await assemble(settings, surroundings, opened);
  } catch (reason) {
    for (const close of opened.reverse()) await close();
    throw reason;
  }
}

async function assemble(settings: Settings, surroundings: Surroundings, opened: (() => unknown)[]): Promise<Appliance> {
  const { clock, random, log } = surroundings;
  const startedAt = clock.now();

  const certificate = servedCertificate(settings.tls, log);
  const metrics = createMetrics({ className, routeName: (id) => directory.routeById(id)?.name ?? String(id) });
  const store = openStore({ folder: settings.dataDir, now: startedAt, observer: metrics.commits });
  opened.push(store.close);
  const key = loadKey(settings.dataDir, surroundings.credentialsFolder);
  const sealer = createSealer(key);
  const directory = openDirectory(store.tables, clock);
  const desks = { store, directory, clock, random };
  const routes = routeDesk({ ...desks, sealer, kinds: routeKinds });
  await routes.ensureOne();

  const hooks = webhooks({
    ...desks,
    log,
    sealer,
    isSuspended: directory.isSuspended,
    observer: metrics.callbacks,
    settings: { ...settings.webhooks, eventRetentionDays: settings.events.retentionDays },
  });
  const codes = trackingCodes(clock, random);
  const inbound = openInbound({
    store,
    clock,
    random,
    log,
    trackingCodes: codes,
    settings: {
      defaultRegion: settings.defaultRegion,
      reassemblyTimeoutMs: settings.inbound.reassemblyTimeoutSeconds * 1_000,
      retentionDays: settings.inbound.retentionDays,
    },
  });
  const texts = otpTexts(sealer);
  const dispatch = dispatcher({ ...desks, log, observer: metrics.dispatch, openText: texts.open });
  const carrierEvents = (id: number) => ({ ...dispatch.events(id), ...metrics.countInbound(id, inbound.events(id)) });
  const running = routeSet({
    clock,
    log,
    build: ({ id, name }, events) => {
      const route = directory.routeById(id);
      if (route === null) throw new Error(`Route ${name} is not in the directory`);
      return routeKinds[route.kind].build(routes.fileOf(route), events, {
        clock,
        random,
        log: log.child({ route: name }),
      });
    },
    events: carrierEvents,
    changed: dispatch.changed,
    stopGraceMs: providerStopMs,
  });
  const calls = callbackDesk({ clock, log, events: carrierEvents });
  const applyRoutes = () => {
    const configured = directory.routes();
    running.apply(configured.map(configurationOf));
    calls.apply(configured.filter(isCallable).map((route) => ({ ...route, file: routes.fileOf(route) })));
  };
  directory.subscribe({
    accountChanged: ({ id }) => {
      dispatch.changed();
      hooks.accountChanged(id);
    },
    senderChanged: dispatch.changed,
    routeChanged: applyRoutes,
  });

  const accepted = (waiting: readonly Waiting[]) => {
    metrics.accepted(waiting);
    dispatch.accepted(waiting);
  };
  const accept = acceptor({
    ...desks,
    senders: directory,
    trackingCodes: trackingCodes(clock, random),
    validityMs: settings.messages.validityHours * hourMs,
    mismatch: settings.idempotency.mismatch,
    accepted,
    mismatched: ({ apiKeyId }, { operation }) =>
      log.warn({ apiKeyId, operation }, "idempotency key reused with another payload"),
  });

  const approved = approvedSending({ ...desks, log, acceptor: accept, accepted, texts, key, settings });

  const schedule = createSchedule(log);
  const retention = { messageDays: settings.messages.retentionDays, idempotencyDays: settings.idempotency.days };
  schedule.add("retention", "17 */10 * * * *", async () => {
    await forgetOld(store, clock.now(), retention);
    await inbound.forgetOld();
    await hooks.forgetOld();
    await approved.forgetOld();
  });
  schedule.add("fraud guard", "41 * * * * *", approved.watch);

  const { nightlyKeep: keep } = settings.backup;
  const nightly = nightlyBackup({ dataDir: settings.dataDir, keep, now: clock.now, log, ended: metrics.backup });
  schedule.add("nightly backup", "0 17 3 * * *", nightly.run);

  let serving = false;
  const readiness = async () => ({
    store: await store.probe(),
    schedulers: serving,
    routes: [...running.all()].some(({ up }) => up),
  });
  const api = publicApi({
    acceptor: accept,
    canceller: canceller(store, clock),
    tracker: tracker(store),
    inbox: inbound.inbox,
    webhooks: hooks.desk,
    approved,
    directory,
    settings,
    clock,
    random,
    log,
    readiness,
    observer: metrics.requests,
    providerCalls: calls,
  });
  // A taken port must end the start before a message moves, and nothing may be accepted by a start that could still fail:
  // an upgrade that goes back puts the old database in its place.
  await api.stopTaking();
  const listener = listenPublicly(api, { ...addressOf(settings.listen), clock, tls: certificate.current() });
  opened.push(listener.stop);
  const { url } = listener;
  const face = consoleFace({ readiness, metrics: metrics.registry });
  const consoleListener = listenForConsole(face, addressOf(settings.consoleListen));
  opened.push(consoleListener.stop);
  const consoleUrl = consoleListener.url;

  const queue = () => queueOverview(store.tables.queue);
  const socket = await serveSocket(
    join(settings.dataDir, "peyk.sock"),
    operatorApi({
      directory,
      accounts: accountDesk(desks),
      keys: keyDesk(desks),
      senders: senderDesk(desks),
      routes,
      messages: messageDesk(store, directory, clock),
      inbound,
      webhooks: hooks.deliveries,
      approved,
      running,
      callbackUrls: calls.urlsOf,
      queue,
      readiness,
      facts: {
        version,
        startedAt,
        dataDir: settings.dataDir,
        listen: url,
        consoleListen: consoleUrl,
        defaultRegion: settings.defaultRegion,
      },
      clock,
      log,
    }).fetch,
  );

  const watch = watchHouse(metrics.registry, {
    version,
    dataDir: settings.dataDir,
    databasePath: store.path,
    now: clock.now,
    queue,
    routes: () => watchedRoutes(directory, running),
    callbacksInFlight: hooks.inFlight,
    certificateEndsAt: () => certificate.current()?.notAfter ?? null,
    lastBackupAt: nightly.newestAt,
  });

  hooks.start();
  await inbound.start();
  applyRoutes();
  await dispatch.start(running);
  approved.start();
  serving = true;
  surroundings.announce?.({ url, probe: store.probe });
  api.startTaking();
  log.info(
    { url, consoleUrl, socket: socket.path, dataDir: settings.dataDir, version, pid: process.pid },
    "peyk serves",
  );

  return {
    url,
    socketPath: socket.path,
    consoleUrl,
    probe: store.probe,
    reload: () => certificate.reload(listener.renew),
    async stop() {
      log.info("peyk stops");
      schedule.stop();
      await nightly.stop();
      await listener.stop();
      await approved.stop();
      dispatch.hold();
      await running.stop();
      await dispatch.settled();
      await inbound.stop();
      await hooks.stop(callbackStopMs);
      await socket.stop();
      await consoleListener.stop();
      watch.stop();
      store.close();
      log.info("peyk has stopped");
    },
  };
}
