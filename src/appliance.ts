/** The appliance: every part built once and handed to those who need it, started and stopped in order. */
import { join } from "node:path";
import { parseAddress } from "./config/address.ts";
import type { Settings } from "./config/settings.ts";
import { dispatcher } from "./dispatch/dispatcher.ts";
import { type RouteConfiguration, routeSet } from "./dispatch/routes.ts";
import { trackingCodes } from "./domain/tracking-code.ts";
import { webhooks } from "./events/webhooks.ts";
import { publicApi } from "./http/api.ts";
import { listenPublicly } from "./http/listener.ts";
import { openInbound } from "./inbound/inbound.ts";
import { acceptor } from "./messaging/accept.ts";
import { accountDesk, keyDesk } from "./messaging/accounts.ts";
import { approvedSending } from "./messaging/approved-sending.ts";
import { canceller } from "./messaging/cancel.ts";
import { openDirectory, type Route } from "./messaging/directory.ts";
import { messageDesk } from "./messaging/message-desk.ts";
import { otpTexts } from "./messaging/otp-texts.ts";
import { queueOverview } from "./messaging/queue-overview.ts";
import { forgetOld } from "./messaging/retention.ts";
import { routeDesk } from "./messaging/routes.ts";
import { senderDesk } from "./messaging/senders.ts";
import { tracker } from "./messaging/track.ts";
import { operatorApi } from "./operator/api.ts";
import { serveSocket } from "./operator/socket.ts";
import type { Clock } from "./platform/clock.ts";
import type { Logger } from "./platform/log.ts";
import type { Random } from "./platform/random.ts";
import { createSchedule } from "./platform/schedule.ts";
import { createSealer, loadKey } from "./platform/seal.ts";
import { version } from "./platform/version.ts";
import { routeKinds } from "./providers/kinds.ts";
import { openStore } from "./store/store.ts";

export interface Surroundings {
  clock: Clock;
  random: Random;
  log: Logger;
  /** Where systemd put the key file, if it did (LoadCredential). */
  credentialsFolder?: string | undefined;
}

export interface Appliance {
  /** Where the public API is served, such as `http://127.0.0.1:8080`. */
  url: string;
  socketPath: string;
  /** Whether a write reaches the disk right now. */
  probe(): Promise<boolean>;
  /** Takes no more requests, answers those in flight, lets submits finish or parks them, and closes the store. */
  stop(): Promise<void>;
}

const hourMs = 3_600_000;
/** How long a provider that stops may wait for its answers. */
const providerStopMs = 5_000;
/** How long a callback under way may go on; what is cut is sent again after the next start. */
const callbackStopMs = 2_000;

export async function startAppliance(settings: Settings, surroundings: Surroundings): Promise<Appliance> {
  const { clock, random, log } = surroundings;
  const startedAt = clock.now();

  const store = openStore({ folder: settings.dataDir, now: startedAt });
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
    observer: { attempted: () => {}, ended: () => {} },
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
  const observer = { submitted: () => {}, receipt: () => {} };
  const dispatch = dispatcher({ ...desks, log, observer, openText: texts.open });
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
    events: (routeId) => ({ ...dispatch.events(routeId), ...inbound.events(routeId) }),
    changed: dispatch.changed,
    stopGraceMs: providerStopMs,
  });
  directory.subscribe({
    accountChanged: ({ id }) => {
      dispatch.changed();
      hooks.accountChanged(id);
    },
    senderChanged: dispatch.changed,
    routeChanged: () => running.apply(directory.routes().map(configurationOf)),
  });

  const accept = acceptor({
    ...desks,
    senders: directory,
    trackingCodes: trackingCodes(clock, random),
    validityMs: settings.messages.validityHours * hourMs,
    mismatch: settings.idempotency.mismatch,
    accepted: dispatch.accepted,
    mismatched: ({ apiKeyId }, { operation }) =>
      log.warn({ apiKeyId, operation }, "idempotency key reused with another payload"),
  });

  const { accepted } = dispatch;
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
  });
  // A taken port must end the start before a message moves, and nothing may be accepted by a start that could still fail:
  // an upgrade that goes back puts the old database in its place.
  await api.stopTaking();
  const listener = listenPublicly(api, addressOf(settings.listen));
  const url = `http://${listener.hostname}:${listener.port}`;

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
      queue: () => queueOverview(store.tables.queue),
      readiness,
      facts: {
        version,
        startedAt,
        dataDir: settings.dataDir,
        listen: url,
        consoleListen: settings.consoleListen,
        defaultRegion: settings.defaultRegion,
      },
      clock,
      log,
    }).fetch,
  );

  hooks.start();
  await inbound.start();
  running.apply(directory.routes().map(configurationOf));
  await dispatch.start(running);
  approved.start();
  serving = true;
  api.startTaking();
  log.info({ url, socket: socket.path, dataDir: settings.dataDir, version, pid: process.pid }, "peyk serves");

  return {
    url,
    socketPath: socket.path,
    probe: store.probe,
    async stop() {
      log.info("peyk stops");
      schedule.stop();
      await listener.stop();
      await approved.stop();
      dispatch.hold();
      await running.stop();
      await dispatch.settled();
      await inbound.stop();
      await hooks.stop(callbackStopMs);
      await socket.stop();
      store.close();
      log.info("peyk has stopped");
    },
  };
}

function addressOf(listen: string): { hostname: string; port: number } {
  const address = parseAddress(listen);
  if (address === null) throw new Error(`${listen} is no address to listen on`);
  return { hostname: address.host, port: address.port };
}

/** What the dispatcher needs of a route; a change of anything else than its policy builds the provider anew. */
function configurationOf({ id, name, kind, enabled, removedAt, options, sealedSecrets }: Route): RouteConfiguration {
  const file: unknown = JSON.parse(options);
  const policy = typeof file === "object" && file !== null && "onUncertain" in file ? file.onUncertain : "resend";
  return {
    id,
    name,
    enabled: enabled && removedAt === null,
    onUncertain: policy === "fail" ? "fail" : "resend",
    revision: `${kind} ${options} ${sealedSecrets?.toString("base64")}`,
  };
}
