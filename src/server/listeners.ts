/** Opens the listeners: the public API, the console, and the operator's socket. Requests to the public API wait until `startTaking`. */
import { join, resolve } from "node:path";
import type { Alerts } from "../alerts/alerts.ts";
import type { AlertReceivers } from "../alerts/receivers.ts";
import { hostPortOf } from "../config/host-port.ts";
import { OperatorError } from "../domain/operator-error.ts";
import { type PublicApi, publicApi } from "../http/api.ts";
import { listenPublicly } from "../http/listener.ts";
import type { Inbound } from "../inbound/inbound.ts";
import { accountService, keyService } from "../messaging/directory/account-service.ts";
import { senderService } from "../messaging/directory/sender-service.ts";
import { messageService } from "../messaging/messages/message-service.ts";
import { laneDepths, queueDepths } from "../messaging/messages/queue-depth.ts";
import { registerServiceGauges } from "../metrics/service-gauges.ts";
import type { OperatorService } from "../operator/api.ts";
import type { OperatorDeps, ServerFacts } from "../operator/deps.ts";
import { errorAnswer } from "../operator/errors.ts";
import { routeGauges } from "../operator/route-gauges.ts";
import { serveSocket } from "../operator/socket.ts";
import { shippedAt } from "../operator/standing.ts";
import type { Certificate, CertificateReload, servedCertificate } from "../platform/certificate.ts";
import { DescriptorGuard } from "../platform/descriptor-guard.ts";
import { freeBytes } from "../platform/disk-space.ts";
import { onFirstUse } from "../platform/on-first-use.ts";
import { newestBackup } from "../platform/rotating-backup.ts";
import { targetCopiedAt } from "../platform/target-state.ts";
import { version } from "../platform/version.ts";
import type { Webhooks } from "../webhooks/webhooks.ts";
import { type ConsoleCertificates, openConsoleListeners } from "./console-listeners.ts";
import type { CustomerSmpp } from "./customer-smpp.ts";
import type { DropIn } from "./drop-in.ts";
import { gatedAnswer } from "./gated.ts";
import type { Jobs } from "./jobs.ts";
import type { Routing } from "./routing.ts";
import type { Sending } from "./sending.ts";
import type { Services } from "./services.ts";
import type { CustomerSmtp } from "./smtp.ts";
import type { ServerStorage } from "./storage.ts";

/** A probe changes one page. The log may have room for that but not for a message, so free space is checked too. */
const freeBytesMin = 1024 * 1024;

export interface ListenerDeps {
  certificate: ReturnType<typeof servedCertificate>;
  consoleCertificates: ConsoleCertificates;
  storage: ServerStorage;
  webhooks: Webhooks;
  inbound: Inbound;
  routing: Routing;
  services: Services;
  smpp: CustomerSmpp;
  dropIn: DropIn;
  smtp: CustomerSmtp;
  jobs: Jobs;
  alerts: Alerts;
  receivers: AlertReceivers;
  sending: Sending;
  /** The queue and its timers are running. */
  isServing(): boolean;
}

export type Listeners = Awaited<ReturnType<typeof openListeners>>;

/** The handler of requests to the public API, however they arrive. */
export function publicApiOf(deps: ListenerDeps, readiness: OperatorDeps["readiness"]): PublicApi {
  return publicApi({
    ...deps.storage,
    ...deps.services,
    gate: deps.storage.answerGate,
    inbox: deps.inbound.inbox,
    webhooks: deps.webhooks.service,
    readiness,
    observer: deps.storage.metrics.requests,
    providerCalls: deps.routing.carrierCallbacks,
  });
}

/** `opened` closes them again if the start fails later. */
export async function openListeners(deps: ListenerDeps, opened: AsyncDisposableStack) {
  const { certificate, storage } = deps;
  const { settings, clock } = storage;
  const readiness = readinessOf(deps);
  const api = publicApiOf(deps, readiness);
  // A taken port must end the start before any message moves, and a start that can still fail must not accept anything:
  // an upgrade that rolls back restores the old database.
  api.beginStart();
  const listener = listenPublicly(api, { ...hostPortOf(settings.listen), clock, tls: certificate.current() });
  opened.defer(listener.stop);
  const customers = [deps.smpp, deps.dropIn, deps.smtp];
  for (const one of customers) await one.listen(certificate.current());
  const guard = guardOf(storage, portsOf(listener.port, deps), opened);
  const renew = (tls: Certificate) => {
    listener.renew(tls);
    for (const one of customers) one.renew(tls);
    guard?.listenersChanged();
  };
  /** Reloads the console's certificates together with the public one; refusals of any of them are reported. */
  function reload(): CertificateReload {
    const first = certificate.reload(renew);
    const refused = [first, ...consoles.reload()].flatMap((one) => one.refused ?? []);
    return { ...first, refused: refused.length === 0 ? null : refused.join(" ") };
  }
  const urls = () => ({
    listen: listener.url,
    consoleListen: consoles.consoleListen,
    portalListen: consoles.portalListen,
    dropInListen: deps.dropIn.url(),
    smtpListen: Object.values(deps.smtp.ports()),
    consoleUrl: consoles.consoleUrl,
    portalUrl: consoles.portalUrl,
  });
  const operator = operatorHandler(deps, readiness, urls, reload);
  const { services, consoleCertificates: certificates } = deps;
  const apiListen = listener.url;
  const { guessed } = deps.smpp;
  const consoles = openConsoleListeners(
    { storage, services, certificates, readiness, operator, guessed, apiListen },
    opened,
  );
  const socket = await serveSocket(
    join(settings.dataDir, "peyk.sock"),
    gatedAnswer(storage.answerGate, operator.fetch, () => errorAnswer(new OperatorError("store_unavailable"))),
  );
  opened.defer(socket.stop);
  const gauges = registerGauges(deps);

  return {
    url: listener.url,
    consoleUrl: consoles.consoleListen,
    portalUrl: consoles.portalUrl,
    socketPath: socket.path,
    startTaking(): void {
      api.startTaking();
      for (const one of customers) one.startTaking();
    },
    reload,
    async stopPublic(): Promise<void> {
      guard?.stop();
      await listener.stop();
    },
    async stopOperator(): Promise<void> {
      await socket.stop();
      await consoles.stop();
      gauges.stop();
    },
  };
}

export const readinessOf =
  ({ storage, routing, isServing }: ListenerDeps) =>
  async () => ({
    store:
      storage.damage.damage() === null &&
      (await storage.probe()) &&
      freeBytes(storage.settings.dataDir) >= freeBytesMin,
    schedulers: isServing(),
    routes: isAnyRouteUp(storage, routing),
  });

/** Of the listeners that customers and strangers reach. */
function portsOf(apiPort: number, { smpp, dropIn, smtp }: Pick<ListenerDeps, "smpp" | "dropIn" | "smtp">): number[] {
  const dropInUrl = dropIn.url();
  const dropInPort = dropInUrl === null ? 0 : Number(new URL(dropInUrl).port);
  const ports = [apiPort, ...Object.values(smpp.ports()), ...Object.values(smtp.ports()), dropInPort];
  return ports.filter((port) => port > 0);
}

function guardOf(
  { clock, log }: ServerStorage,
  ports: readonly number[],
  opened: AsyncDisposableStack,
): DescriptorGuard | null {
  const guard = process.platform === "linux" ? new DescriptorGuard({ clock, log, ports }) : null;
  opened.defer(() => guard?.stop());
  return guard;
}

/** Only routes that active senders use: with a real one down, a simulator that is up sends nothing. */
function isAnyRouteUp({ routingPlans: { plans } }: ServerStorage, { running }: Routing): boolean {
  const used = plans.usedRoutes();
  return [...running.all()].some(({ up, configuration }) => up && (used.size === 0 || used.has(configuration.id)));
}

const factsOf = ({ settings, startedAt }: ServerStorage) => ({
  version,
  startedAt,
  dataDir: resolve(settings.dataDir),
  defaultRegion: settings.defaultRegion,
  sandboxEnabled: settings.sandbox.enabled,
  currency: settings.currency,
  calendar: settings.defaultCalendar,
  supportReadsTexts: settings.console.supportReadsTexts,
});

/** The operator API is loaded on first use, so that startup need not wait for it. */
export function operatorHandler(
  { certificate, storage, webhooks, inbound, routing, services, smpp, jobs, alerts, receivers, sending }: ListenerDeps,
  readiness: OperatorDeps["readiness"],
  urls: () => Pick<
    ServerFacts,
    "listen" | "consoleListen" | "portalListen" | "dropInListen" | "smtpListen" | "consoleUrl" | "portalUrl"
  >,
  reloadCertificate: OperatorDeps["reloadCertificate"],
): OperatorService {
  const { store, directory, settings } = storage;
  async function load(): Promise<OperatorService> {
    const { operatorService } = await import("../operator/api.ts");
    return operatorService({
      ...storage,
      ...services,
      alerts,
      alertReceivers: receivers,
      senderRequests: store.tables.senderRequests,
      balanceWatches: store.tables.balanceWatches,
      approvals: store.tables.approvals,
      refusals: (routeId, from) => store.tables.refusals.ofRoute(routeId, from),
      lanes: () => laneDepths(store.tables.queue),
      hasMessages: () => store.tables.messages.hasAny(),
      accounts: accountService(storage),
      keys: keyService(storage),
      credentials: smpp.access(),
      senders: senderService(storage),
      messages: messageService(store, directory),
      inbound,
      webhooks: webhooks.deliveries,
      webhookService: webhooks.service,
      webhookSecrets: webhooks.secrets,
      groups: services.groups.service,
      patterns: services.patterns.service,
      otpGuard: services.otp.guard,
      otpPlans: services.otp.service.plans,
      quietHours: routing.quietHours,
      running: routing.running,
      traces: routing.traces,
      callbackUrls: (routeId) => routing.carrierCallbacks.urlsOf(routeId),
      sending,
      backups: backupsOf(jobs, settings.dataDir),
      reloadCertificate,
      certificateEndsAt: () => certificate.current()?.notAfter ?? null,
      readiness,
      facts: { ...factsOf(storage), ...urls() },
    });
  }
  return loadedAtFirstUse(onFirstUse(load));
}

const loadedAtFirstUse = (service: () => Promise<OperatorService>): OperatorService => ({
  fetch: async (request) => (await service()).fetch(request),
  perform: (caller, name, input, also) => service().then((one) => one.perform(caller, name, input, also)),
  performNamed: async (...asked) => (await service()).performNamed(...asked),
  described: async (...asked) => (await service()).described(...asked),
});

export function backupsOf(jobs: Jobs, dataDir: string): OperatorDeps["backups"] {
  const { frequentBackupIntervalMs, lastNightlyBackupAt, lastFrequentBackupAt, shipping, copies, target } = jobs;
  return {
    newestAt: () => newestBackup(dataDir)?.madeAt ?? null,
    nightlyAt: lastNightlyBackupAt,
    frequentAt: lastFrequentBackupAt,
    intervalMs: frequentBackupIntervalMs,
    shipping,
    copies,
    target,
  };
}

function registerGauges({ certificate, storage, services, webhooks, routing, jobs, sending }: ListenerDeps) {
  const { store, clock, directory, routingPlans, metrics, settings, damage, wallClock, bookingClock } = storage;
  return registerServiceGauges(metrics.registry, {
    version,
    dataDir: settings.dataDir,
    databasePath: store.path,
    now: clock.now,
    queue: () => queueDepths(laneDepths(store.tables.queue)),
    oldestDue: () => queueDepths(laneDepths(store.tables.queue, 0)),
    routes: () =>
      routeGauges({ directory, routingPlans, otpPlans: services.otp.service.plans, running: routing.running }),
    callbacksInFlight: webhooks.inFlight,
    webhookPaces: webhooks.paces,
    webhooksSwitchedOff: () => webhooks.deliveries.countSwitchedOff(),
    certificateEndsAt: () => certificate.current()?.notAfter ?? null,
    lastNightlyBackupAt: jobs.lastNightlyBackupAt,
    lastFrequentBackupAt: jobs.lastFrequentBackupAt,
    frequentIntervalMs: jobs.frequentBackupIntervalMs,
    isDamaged: () => damage.damage() !== null,
    heldSince: () => sending.heldSince(),
    clockAheadMs: () => wallClock.doubt()?.aheadMs ?? 0,
    booksAheadMs: () => bookingClock.aheadMs(),
    lastShippedAt: () => shippedAt(jobs.shipping()),
    lastTargetCopyAt: () => {
      const state = jobs.target();
      return state && (targetCopiedAt(state) ?? 0);
    },
  });
}
