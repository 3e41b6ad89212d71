/** Opens the console, and the portal if configured, each with its own address, name and certificate. */
import { Confirmations } from "../agents/confirmations.ts";
import { PendingChanges } from "../agents/pending-changes.ts";
import { browsableUrl, hostPortOf } from "../config/host-port.ts";
import type { Settings } from "../config/settings.ts";
import { type OpenBrand, openBrand } from "../console/assets/brand.ts";
import type { ListenerSide } from "../console/page/listener-side.ts";
import { serviceDefaults } from "../console/page/service-defaults.ts";
import { openConsole } from "../console/server/console.ts";
import { type ConsoleListener, listenForConsole } from "../console/server/listener.ts";
import type { MonitoringAccess } from "../console/server/monitoring-access.ts";
import type { OperatorService } from "../operator/api.ts";
import type { OperatorDeps } from "../operator/deps.ts";
import { type CertificateReload, servedCertificate } from "../platform/certificate.ts";
import type { Logger } from "../platform/log.ts";
import { readLogo } from "../platform/logo-file.ts";
import { gatedAnswer } from "./gated.ts";
import type { Services } from "./services.ts";
import type { ServerStorage } from "./storage.ts";

export type ConsoleCertificates = ReturnType<typeof consoleCertificates>;

/** @throws CertificateUnusable */
export function consoleCertificates({ console, portal }: Settings, log: Logger) {
  return {
    console: servedCertificate(console.tls, log, "console.tls"),
    portal: servedCertificate(portal.tls, log, "portal.tls"),
  };
}

export function monitoringAccess({ metrics, console }: Settings): MonitoringAccess {
  const ownName = console.url === null ? [] : [new URL(console.url).hostname];
  return { metricsAllowFrom: metrics.allowFrom, monitoringHosts: [...metrics.hosts, ...ownName] };
}

export interface ConsoleListenersDeps {
  storage: ServerStorage;
  services: Services;
  certificates: ConsoleCertificates;
  readiness: OperatorDeps["readiness"];
  operator: OperatorService;
  /** Counts a wrong token, by the network that it came from. */
  guessed(network: string): void;
  /** Where the public API listens. */
  apiListen: string;
}

/** `opened` closes them again if the start fails later. */
export function openConsoleListeners(deps: ConsoleListenersDeps, opened: AsyncDisposableStack) {
  const { certificates, storage } = deps;
  const { settings } = storage;
  const pages = pagesOf(deps);

  function listen(side: ListenerSide, address: string, url: string | null, setting: string): ConsoleListener {
    const tls = certificates[side].current();
    const refusal = () =>
      new Response("The service is not available. Try again in some seconds.\n", {
        status: 503,
        headers: { "Retry-After": "2" },
      });
    const answer = gatedAnswer(storage.answerGate, pages.serve({ side, url, isTls: tls !== null }), refusal);
    const listener = listenForConsole(answer, { ...hostPortOf(address), tls, setting });
    opened.defer(listener.stop);
    return listener;
  }

  const { consoleListen, portalListen } = settings;
  const console = listen("console", consoleListen, settings.console.url, "--console-listen");
  const portal = portalListen === null ? null : listen("portal", portalListen, settings.portal.url, "portal_listen");
  return {
    consoleListen: console.url,
    portalListen: portal?.url ?? null,
    /** The URLs for browsers. */
    consoleUrl: settings.console.url ?? browsableUrl(console.url),
    portalUrl: portal === null ? null : (settings.portal.url ?? browsableUrl(portal.url)),
    /** Reloads the certificates in use. */
    reload: (): CertificateReload[] =>
      [[certificates.console, console] as const, [certificates.portal, portal] as const].flatMap(
        ([served, listener]) => (listener === null || served.current() === null ? [] : [served.reload(listener.renew)]),
      ),
    async stop(): Promise<void> {
      await pages.stop();
      await Promise.all([console.stop(), portal?.stop()]);
    },
  };
}

function pagesOf({ storage, services, readiness, operator, guessed, apiListen }: ConsoleListenersDeps) {
  const { settings, directory, metrics, store } = storage;
  const tokens = services.userTokens;
  const pending = new PendingChanges(storage);
  return openConsole({
    agentServer: { ...storage, operator, tokens, pending, guessed, defaultRegion: settings.defaultRegion },
    confirmations: new Confirmations({ operator, tokens, pending }),
    ...storage,
    ...services,
    readiness,
    perform: operator.perform,
    metrics: metrics.registry,
    ...monitoringAccess(settings),
    trustedProxies: settings.http.trustedProxies,
    account: (id) => directory.account(id),
    countApprovals: () => store.tables.approvals.countWaiting() + store.tables.senderRequests.countWaiting(),
    name: settings.console.name,
    timeZone: settings.defaultTimeZone,
    calendar: settings.defaultCalendar,
    factorDemand: settings.console.secondFactor,
    apiUrl: settings.http.url ?? apiListen,
    hasSandbox: settings.sandbox.enabled,
    brand: brandOf(settings),
    defaults: serviceDefaults(settings),
    ownQuietHours: settings.portal.quietHours,
  });
}

/** Null while the portal looks as Peyk does. @throws LogoFileUnusable */
function brandOf({ portal, console }: Settings): OpenBrand | null {
  const { name, logo, accent } = portal;
  if (name === "" && logo === null && accent === null) return null;
  return openBrand({ name: name.trim() || console.name, logo: logo === null ? null : readLogo(logo), accent });
}
