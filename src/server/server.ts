/** Starts and stops the server: builds everything once, in order, and passes it to what needs it. */
import type { Settings } from "../config/settings.ts";
import { openInbound } from "../inbound/inbound.ts";
import { type CertificateReload, servedCertificate } from "../platform/certificate.ts";
import { version } from "../platform/version.ts";
import { attemptOutcomes } from "../webhooks/attempt.ts";
import { openWebhooks, type Webhooks } from "../webhooks/webhooks.ts";
import { openAlerts } from "./alerts.ts";
import { consoleCertificates } from "./console-listeners.ts";
import { customerCredentials } from "./customer-credentials.ts";
import { type CustomerSmpp, openCustomerSmpp, type SmppPorts } from "./customer-smpp.ts";
import { openDropIn } from "./drop-in.ts";
import { startJobs } from "./jobs.ts";
import { backupsOf, type ListenerDeps, type Listeners, openListeners } from "./listeners.ts";
import { openRouting, type Routing } from "./routing.ts";
import { Sending } from "./sending.ts";
import { openServices, type Services } from "./services.ts";
import { openCustomerSmtp, type SmtpPorts } from "./smtp.ts";
import { openStorage, type ServerEnvironment, type ServerStorage } from "./storage.ts";

export interface RunningServer {
  /** Where the public API is served, such as `http://127.0.0.1:8080`. */
  url: string;
  socketPath: string;
  /** Where the console is served, such as `http://127.0.0.1:8081`. */
  consoleUrl: string;
  /** Null if it is not served. */
  portalUrl: string | null;
  smppPorts: SmppPorts;
  smtpPorts: SmtpPorts;
  /** Null if it is not served. */
  dropInUrl: string | null;
  /** Whether a write reaches the disk right now. */
  probe(): Promise<boolean>;
  /** Reloads the certificate files; an unusable one is logged, and the old one stays in use. */
  reload(): CertificateReload;
  /** Refuses new requests, answers those in flight, lets submits finish or parks them, and closes the store. */
  stop(): Promise<void>;
}

/**
 * How long a callback in progress may continue during a stop; one that is cut off is sent again after the next start.
 */
const callbackStopMs = 2_000;

/** Starts, or leaves nothing open: anything left open would keep a process alive that failed to start. */
export async function startServer(
  settings: Settings,
  environment: ServerEnvironment,
  listen: typeof openListeners = openListeners,
): Promise<RunningServer> {
  const { log } = environment;
  await using opened = new AsyncDisposableStack();
  // Before anything is written: a start that fails here leaves no trace.
  const certificate = servedCertificate(settings.tls, log);
  const certificates = consoleCertificates(settings, log);
  const storage = await openStorage(settings, environment, opened);
  const webhooks = webhooksOf(storage);
  const inbound = inboundOf(storage);
  const routing = openRouting(storage, webhooks, inbound);
  const services = openServices(storage, routing);
  const customers = await openCustomers(storage, services, webhooks, opened);
  const jobs = startJobs(storage, webhooks, inbound, services);
  opened.defer(jobs.stop);
  const sending = new Sending(storage.store, log, () => startSending(webhooks, routing, services, customers.smpp));
  const backups = backupsOf(jobs, settings.dataDir);
  const credentials = customers.smpp.access();
  const facts = { sending, backups, credentials, certificateEndsAt: () => certificate.current()?.notAfter ?? null };
  const { alerts, receivers } = openAlerts({ storage, webhooks, routing, services, facts });
  opened.defer(() => alerts.stop());
  let serving = false;
  const parts = { storage, webhooks, inbound, routing, services, ...customers, jobs, alerts, receivers, sending };
  const deps = { certificate, consoleCertificates: certificates, ...parts, isServing: () => serving };
  const listeners = await listen(deps, opened);

  await inbound.start();
  await customers.smpp.start();
  routing.applyRoutes();
  // Another node may bind soon: a carrier must not see two.
  if (storage.leading !== null) {
    const { registerClusterGauges } = await import("../metrics/cluster-gauges.ts");
    registerClusterGauges(storage.metrics.registry, storage.cluster);
  }
  storage.leading?.onLease((isGood) => (isGood ? routing.applyRoutes() : void routing.running.stop()));
  await services.privacy.resume();
  await sending.start();
  startServices(services);
  alerts.start();
  serving = true;
  storage.leading?.serves(storage.store);
  const { url, consoleUrl, portalUrl, socketPath } = listeners;
  environment.announce?.({ url, probe: storage.probe });
  listeners.startTaking();
  const { smpp, dropIn, smtp } = customers;
  const [smppPorts, smtpPorts, dropInUrl] = [smpp.ports(), smtp.ports(), dropIn.url()];
  const ports = { ...smppPorts, ...smtpPorts, ...(dropInUrl && { dropInUrl }) };
  const addresses = { url, consoleUrl, portalUrl, socket: socketPath, ...ports, dataDir: settings.dataDir };
  log.info({ ...addresses, version, pid: process.pid }, "peyk serves");
  opened.move();

  return {
    url,
    consoleUrl,
    portalUrl,
    socketPath,
    smppPorts,
    smtpPorts,
    dropInUrl,
    probe: storage.probe,
    reload: listeners.reload,
    stop: () => stopServer(deps, listeners),
  };
}

/** What customers reach with their own credentials. */
async function openCustomers(
  storage: ServerStorage,
  services: Services,
  webhooks: Webhooks,
  opened: AsyncDisposableStack,
) {
  const credentials = customerCredentials(storage);
  const smpp = await openCustomerSmpp(storage, services, credentials);
  opened.defer(smpp.stop);
  const dropIn = await openDropIn(storage, services, credentials, webhooks);
  opened.defer(dropIn.stop);
  const smtp = await openCustomerSmtp(storage, services, credentials);
  opened.defer(smtp.stop);
  return { smpp, dropIn, smtp };
}

/** Callbacks, what customers receive, messages, and the further steps of one-time passwords. */
async function startSending(
  webhooks: Webhooks,
  { dispatcher, running }: Routing,
  { otp, inboundRules }: Services,
  smpp: CustomerSmpp,
): Promise<void> {
  webhooks.start();
  smpp.startDelivering();
  inboundRules.mails.start();
  await dispatcher.start(running);
  otp.service.steps.start();
}

/** Resumes what a stop interrupted, and starts the services that run by themselves. */
function startServices(services: Services): void {
  services.groups.start();
  services.suppression.tidy();
  services.prices.tidy();
  services.catchUp.start();
  services.live.start();
  services.rerouter.run();
}

function webhooksOf(storage: ServerStorage) {
  const { directory, metrics, settings } = storage;
  attemptOutcomes.forEach(metrics.callbacks.known);
  return openWebhooks({
    ...storage,
    isSuspended: (accountId) => directory.isSuspended(accountId),
    observer: metrics.callbacks,
    settings: { ...settings.webhooks, eventRetentionDays: settings.events.retentionDays },
  });
}

function inboundOf(storage: ServerStorage) {
  const { defaultRegion, inbound } = storage.settings;
  return openInbound({
    ...storage,
    settings: {
      defaultRegion,
      reassemblyTimeoutMs: inbound.reassemblyTimeoutSeconds * 1_000,
      retentionDays: inbound.retentionDays,
    },
  });
}

/** From the customers' side to the store: nothing is stopped while something that feeds it is still running. */
async function stopServer(deps: ListenerDeps, listeners: Listeners): Promise<void> {
  const { storage, webhooks, inbound, routing, services, smpp, dropIn, smtp, jobs, alerts } = deps;
  const { log, store } = storage;
  log.info("peyk stops");
  storage.leading?.stops();
  await jobs.stop();
  await alerts.stop();
  await Promise.all([listeners.stopPublic(), smpp.stop(), dropIn.stop(), smtp.stop()]);
  await services.groups.stop();
  await services.inboundRules.mails.stop();
  await services.suppression.settled();
  await services.prices.settled();
  await services.catchUp.stop();
  await services.rerouter.stop();
  await storage.lookups.settled();
  await services.otp.service.steps.stop();
  await routing.dispatcher.hold();
  await routing.running.stop();
  await routing.dispatcher.settled();
  await services.live.stop();
  await inbound.stop();
  await webhooks.stop(callbackStopMs);
  routing.traces.close();
  await listeners.stopOperator();
  await services.readThread.stop();
  await store.drain();
  store.close();
  log.info("peyk has stopped");
}
