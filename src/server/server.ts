/** Starts and stops the server: builds everything once, in order, and hands it to what needs it. */
import type { Settings } from "../config/settings.ts";
import { openInbound } from "../inbound/inbound.ts";
import { type CertificateReload, servedCertificate } from "../platform/certificate.ts";
import { version } from "../platform/version.ts";
import { openWebhooks } from "../webhooks/webhooks.ts";
import { openAlerts } from "./alerts.ts";
import { consoleCertificates } from "./console-listeners.ts";
import { openCustomerSmpp, type SmppPorts } from "./customer-smpp.ts";
import { startJobs } from "./jobs.ts";
import { backupsOf, type ListenerDeps, type Listeners, openListeners } from "./listeners.ts";
import { openRouting } from "./routing.ts";
import { Sending } from "./sending.ts";
import { openServices, type Services } from "./services.ts";
import { openStorage, type ServerEnvironment, type ServerStorage } from "./storage.ts";

export interface RunningServer {
  /** Where the public API is served, such as `http://127.0.0.1:8080`. */
  url: string;
  socketPath: string;
  /** Where the console is served, such as `http://127.0.0.1:8081`. */
  consoleUrl: string;
  /** Null where it is not served. */
  portalUrl: string | null;
  smppPorts: SmppPorts;
  /** Whether a write reaches the disk right now. */
  probe(): Promise<boolean>;
  /** Reads the certificate files anew; one that cannot be used is logged, and the old one goes on. */
  reload(): CertificateReload;
  /** Takes no more requests, answers those in flight, lets submits finish or parks them, and closes the store. */
  stop(): Promise<void>;
}

/** How long a callback under way may go on at a stop; what is cut is sent again after the next start. */
const callbackStopMs = 2_000;

/** Starts, or leaves nothing open behind: what stayed open would keep the process alive that failed to start. */
export async function startServer(settings: Settings, environment: ServerEnvironment): Promise<RunningServer> {
  const { log } = environment;
  await using opened = new AsyncDisposableStack();
  // Before anything is written: a start that this ends leaves no trace.
  const certificate = servedCertificate(settings.tls, log);
  const certificates = consoleCertificates(settings, log);
  const storage = await openStorage(settings, environment, opened);
  const webhooks = webhooksOf(storage);
  const inbound = inboundOf(storage);
  const routing = openRouting(storage, webhooks, inbound);
  const services = openServices(storage, routing);
  const smpp = await openCustomerSmpp(storage, services);
  opened.defer(smpp.stop);
  const jobs = startJobs(storage, webhooks, inbound, services);
  opened.defer(jobs.stop);
  const sending = new Sending(storage.store, log, async () => {
    webhooks.start();
    await routing.dispatcher.start(routing.running);
  });
  const backups = backupsOf(jobs, settings.dataDir);
  const facts = { sending, backups, certificateEndsAt: () => certificate.current()?.notAfter ?? null };
  const alerts = openAlerts({ storage, webhooks, routing, services, facts });
  opened.defer(() => alerts.stop());
  let serving = false;
  const isServing = () => serving;
  const deps = {
    certificate,
    consoleCertificates: certificates,
    storage,
    webhooks,
    inbound,
    routing,
    services,
    smpp,
    jobs,
    alerts,
    sending,
    isServing,
  };
  const listeners = await openListeners(deps, opened);

  await inbound.start();
  await smpp.start();
  routing.applyRoutes();
  await services.privacy.resume();
  await sending.start();
  startServices(services);
  alerts.start();
  serving = true;
  const { url, consoleUrl, portalUrl, socketPath } = listeners;
  const { probe } = storage.store;
  environment.announce?.({ url, probe });
  listeners.startTaking();
  const smppPorts = smpp.ports();
  const { dataDir } = settings;
  const served = { url, consoleUrl, portalUrl, socket: socketPath, ...smppPorts, dataDir, version, pid: process.pid };
  log.info(served, "peyk serves");
  opened.move();

  return {
    url,
    consoleUrl,
    portalUrl,
    socketPath,
    smppPorts,
    probe,
    reload: listeners.reload,
    stop: () => stopServer(deps, listeners),
  };
}

/** What goes on where a stop interrupted it, and what looks after itself. */
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

/** From the customers' side to the store: nothing is stopped while something that feeds it still runs. */
async function stopServer(deps: ListenerDeps, listeners: Listeners): Promise<void> {
  const { storage, webhooks, inbound, routing, services, smpp, jobs, alerts } = deps;
  const { log, store } = storage;
  log.info("peyk stops");
  await jobs.stop();
  await alerts.stop();
  await Promise.all([listeners.stopPublic(), smpp.stop()]);
  await services.groups.stop();
  await services.suppression.settled();
  await services.prices.settled();
  await services.catchUp.stop();
  services.live.stop();
  await services.rerouter.stop();
  await routing.dispatcher.hold();
  await routing.running.stop();
  await routing.dispatcher.settled();
  await inbound.stop();
  await webhooks.stop(callbackStopMs);
  routing.traces.close();
  await listeners.stopOperator();
  await services.readThread.stop();
  store.close();
  log.info("peyk has stopped");
}
