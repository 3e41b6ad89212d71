/** The faces: the public listener, the console's, and the operator's socket. They open closed: see `startTaking`. */
import { join, resolve } from "node:path";
import { hostPortOf } from "../config/host-port.ts";
import { publicApi } from "../http/api.ts";
import { listenPublicly } from "../http/listener.ts";
import { accountService, keyService } from "../messaging/directory/account-service.ts";
import { senderService } from "../messaging/directory/sender-service.ts";
import { messageService } from "../messaging/messages/message-service.ts";
import { queueDepths } from "../messaging/messages/queue-depth.ts";
import { registerServiceGauges } from "../metrics/service-gauges.ts";
import { type OperatorApi, operatorApi } from "../operator/api.ts";
import { consoleApp, listenForConsole } from "../operator/console-listener.ts";
import { routeGauges } from "../operator/route-gauges.ts";
import { serveSocket } from "../operator/socket.ts";
import { freeBytes } from "../platform/disk-space.ts";
import { version } from "../platform/version.ts";
import type { Jobs } from "./jobs.ts";
import type { Routing } from "./routing.ts";
import type { Services } from "./services.ts";
import type { ServerStorage } from "./storage.ts";

/** A probe changes one page. The log may have a place for that where it has none for a message, so room is asked for, too. */
const roomBytesMin = 1024 * 1024;

interface ListenerDeps {
  ground: ServerStorage;
  traffic: Routing;
  services: Services;
  housekeeping: Jobs;
  /** The queue and its timers run. */
  isServing(): boolean;
  opened: (() => unknown)[];
}

export async function openListeners({ ground, traffic, services, housekeeping, isServing, opened }: ListenerDeps) {
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
  const listener = listenPublicly(api, { ...hostPortOf(settings.listen), clock, tls: certificate.current() });
  opened.push(listener.stop);
  const face = consoleApp({ readiness, metrics: metrics.registry });
  const consoleListener = listenForConsole(face, hostPortOf(settings.consoleListen));
  opened.push(consoleListener.stop);

  const { dataDir, defaultRegion } = settings;
  const urls = { listen: listener.url, consoleListen: consoleListener.url };
  const queue = () => queueDepths(store.tables.queue);
  let operator: OperatorApi | null = null;
  // Built when first asked: a start need not wait for it.
  const operatorAnswer = (request: Request) => {
    operator ??= operatorApi({
      ...ground,
      accounts: accountService(ground),
      keys: keyService(ground),
      senders: senderService(ground),
      messages: messageService(store, directory, clock),
      inbound,
      webhooks: hooks.deliveries,
      groups: services.groups.service,
      patterns: services.patterns.service,
      otpGuard: services.otp.guard,
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
  const watch = registerServiceGauges(metrics.registry, {
    version,
    dataDir,
    databasePath: store.path,
    now: clock.now,
    queue,
    routes: () => routeGauges(directory, running),
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
