/** The faces: the public listener, the console's, and the operator's socket. They open closed: see `startTaking`. */
import { join, resolve } from "node:path";
import { addressOf } from "../config/address.ts";
import { publicApi } from "../http/api.ts";
import { listenPublicly } from "../http/listener.ts";
import { accountDesk, keyDesk } from "../messaging/accounts.ts";
import { messageDesk } from "../messaging/message-desk.ts";
import { queueOverview } from "../messaging/queue-overview.ts";
import { senderDesk } from "../messaging/senders.ts";
import { type OperatorApi, operatorApi } from "../operator/api.ts";
import { consoleFace, listenForConsole } from "../operator/console-listener.ts";
import { serveSocket } from "../operator/socket.ts";
import { watchedRoutes } from "../operator/watched-routes.ts";
import { freeBytes } from "../platform/disk-room.ts";
import { watchHouse } from "../platform/house-gauges.ts";
import { version } from "../platform/version.ts";
import type { Ground } from "./ground.ts";
import type { Housekeeping } from "./housekeeping.ts";
import type { Services } from "./services.ts";
import type { Traffic } from "./traffic.ts";

/** A probe changes one page. The log may have a place for that where it has none for a message, so room is asked for, too. */
const roomBytesMin = 1024 * 1024;

interface Parts {
  ground: Ground;
  traffic: Traffic;
  services: Services;
  housekeeping: Housekeeping;
  /** The queue and its timers run. */
  isServing(): boolean;
  opened: (() => unknown)[];
}

export async function openFaces({ ground, traffic, services, housekeeping, isServing, opened }: Parts) {
  const { settings, clock, store, directory, metrics, certificate } = ground;
  const { hooks, inbound, running, calls } = traffic;
  const readiness = async () => ({
    store: (await store.probe()) && freeBytes(settings.dataDir) >= roomBytesMin,
    schedulers: isServing(),
    routes: [...running.all()].some(({ up }) => up),
  });

  const shared = { ...ground, ...services, inbox: inbound.inbox, webhooks: hooks.desk, readiness };
  const api = publicApi({ ...shared, observer: metrics.requests, providerCalls: calls });
  // A taken port must end the start before a message moves, and nothing may be accepted by a start that could still fail:
  // an upgrade that goes back puts the old database in its place.
  await api.stopTaking();
  const listener = listenPublicly(api, { ...addressOf(settings.listen), clock, tls: certificate.current() });
  opened.push(listener.stop);
  const face = consoleFace({ readiness, metrics: metrics.registry });
  const consoleListener = listenForConsole(face, addressOf(settings.consoleListen));
  opened.push(consoleListener.stop);

  const { dataDir, defaultRegion } = settings;
  const urls = { listen: listener.url, consoleListen: consoleListener.url };
  const queue = () => queueOverview(store.tables.queue);
  let operator: OperatorApi | null = null;
  // Built when first asked: a start need not wait for it.
  const operatorAnswer = (request: Request) => {
    operator ??= operatorApi({
      ...ground,
      accounts: accountDesk(ground),
      keys: keyDesk(ground),
      senders: senderDesk(ground),
      messages: messageDesk(store, directory, clock),
      inbound,
      webhooks: hooks.deliveries,
      approved: services.approved,
      running,
      callbackUrls: calls.urlsOf,
      queue,
      readiness,
      facts: { version, startedAt: ground.startedAt, dataDir: resolve(dataDir), defaultRegion, ...urls },
    });
    return operator.fetch(request);
  };
  const socket = await serveSocket(join(dataDir, "peyk.sock"), operatorAnswer);
  opened.push(socket.stop);
  const watch = watchHouse(metrics.registry, {
    version,
    dataDir,
    databasePath: store.path,
    now: clock.now,
    queue,
    routes: () => watchedRoutes(directory, running),
    callbacksInFlight: hooks.inFlight,
    certificateEndsAt: () => certificate.current()?.notAfter ?? null,
    lastBackupAt: housekeeping.lastBackupAt,
  });

  return {
    url: listener.url,
    consoleUrl: consoleListener.url,
    socketPath: socket.path,
    startTaking: api.startTaking,
    reload: () => certificate.reload(listener.renew),
    stopPublic: listener.stop,
    async stopOperator(): Promise<void> {
      await socket.stop();
      await consoleListener.stop();
      watch.stop();
    },
  };
}
