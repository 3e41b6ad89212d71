/** Opens the SMPP server for customers: nothing is loaded unless it is configured or has been used before. */
import { hostPortOf } from "../config/host-port.ts";
import { credentialIdText } from "../domain/id-text.ts";
import { steadyTime } from "../inbound/steady-time.ts";
import { CredentialHours } from "../operator/credential-hours.ts";
import type { CredentialAccess, CredentialUse } from "../operator/deps.ts";
import type { Certificate } from "../platform/certificate.ts";
import { cannotListen } from "../platform/listen-error.ts";
import { RouteTraces } from "../providers/route-trace.ts";
import { namedStatus } from "../smpp/constants.ts";
import type { SmppServer } from "../smpp-server/smpp-server.ts";
import type { CustomerCredentials } from "./customer-credentials.ts";
import type { Services } from "./services.ts";
import type { ServerStorage } from "./storage.ts";

/** Where customers bind; omitted if they cannot. */
export interface SmppPorts {
  smppPort?: number;
  smppTlsPort?: number;
}

export type CustomerSmpp = Awaited<ReturnType<typeof openCustomerSmpp>>;

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

export async function openCustomerSmpp(storage: ServerStorage, services: Services, credentials: CustomerCredentials) {
  const { store, clock, settings } = storage;
  const { listen, tlsListen } = settings.smppServer;
  const isListening = listen !== null || tlsListen !== null;
  if (isListening || store.tables.smppSubmits.isUsed) {
    const { recordCustomerEvents } = await import("../smpp-server/customer-events.ts");
    recordCustomerEvents(store, {
      clock,
      bindsBySmpp: (id) => credentials.open().directory.byId(id)?.kind === "smpp",
      may: (id, permission) => credentials.open().directory.owner(id)?.key.permissions.has(permission) === true,
    });
  }
  const traces = new RouteTraces();
  const server = isListening ? await serverOf(storage, services, credentials, traces) : null;
  if (server !== null) await watch(storage, server);
  const ports: SmppPorts = {};
  const uses = () => [...(server === null ? [] : usesOf(server)), ...usesByRequests(credentials)];
  const hours = new CredentialHours({ clock, uses });
  return {
    access: (): CredentialAccess => ({
      get directory() {
        return credentials.open().directory;
      },
      get service() {
        return credentials.open().service;
      },
      traces,
      isListening,
      calls: (id) => credentials.calls.of(id),
      seal: (plain) => storage.sealer.seal(plain),
      uses,
      hours,
      waiting: () => store.tables.credentialDeliveries.waiting(),
      guesses: () => credentials.guesses.current(),
    }),
    guessed: (network: string) => credentials.guesses.count(null, network),
    ports: () => ports,
    listen: (certificate: Certificate | null) => listenOn(server, settings.smppServer, certificate, ports),
    async start() {
      hours.start();
      await server?.start();
    },
    startTaking: () => server?.startTaking(),
    startDelivering: () => server?.startDelivering(),
    renew: (certificate: Certificate) => server?.renew(certificate),
    async stop() {
      hours.stop();
      traces.close();
      await server?.stop();
    },
  };
}

async function listenOn(
  server: SmppServer | null,
  { listen, tlsListen }: ServerStorage["settings"]["smppServer"],
  certificate: Certificate | null,
  ports: SmppPorts,
): Promise<void> {
  for (const [side, address, tls, setting] of [
    ["smppPort", listen, null, "smpp_server.listen"],
    ["smppTlsPort", tlsListen, certificate, "smpp_server.tls_listen"],
  ] as const) {
    if (address === null || server === null) continue;
    try {
      ports[side] = await server.listen({ ...hostPortOf(address), tls });
    } catch (reason) {
      throw cannotListen("smpp_listen", reason, address, setting);
    }
  }
}

async function serverOf(
  storage: ServerStorage,
  services: Services,
  credentials: CustomerCredentials,
  traces: RouteTraces,
) {
  const { SmppServer } = await import("../smpp-server/smpp-server.ts");
  const { settings, metrics, clock } = storage;
  const { smppServer } = settings;
  return new SmppServer({
    ...storage,
    ...services,
    ...credentials.atListener(),
    traces,
    steady: steadyTime(clock),
    observer: metrics.smppServer(),
    settings: {
      connections: smppServer.connections,
      enquireLinkSeconds: smppServer.enquireLinkSeconds,
      responseTimeoutMs: smppServer.responseTimeoutSeconds * 1_000,
      reassemblyTimeoutMs: smppServer.reassemblyTimeoutSeconds * 1_000,
      freeRequestsPerSecond: smppServer.freeRequestsPerSecond,
      keyMs: settings.idempotency.days * dayMs,
      mismatch: settings.idempotency.mismatch,
    },
  });
}

async function watch({ store, clock, metrics }: ServerStorage, server: SmppServer): Promise<void> {
  const { registerSmppServerGauges } = await import("../metrics/smpp-server-gauges.ts");
  registerSmppServerGauges(metrics.registry, {
    now: clock.now,
    binds: () =>
      usesOf(server).map(({ credentialId, binds }) => ({
        credential: credentialIdText(credentialId),
        binds: binds.length,
        window: binds.reduce((sum, { window }) => sum + window, 0),
        unansweredSubmits: binds.reduce((sum, { openSubmits }) => sum + openSubmits, 0),
        unacknowledged: binds.reduce((sum, { openDeliveries }) => sum + openDeliveries, 0),
      })),
    waiting: () =>
      store.tables.credentialDeliveries
        .waiting()
        .map((one) => ({ ...one, credential: credentialIdText(one.credentialId) })),
  });
}

function usesOf({ customers }: SmppServer): CredentialUse[] {
  return [...customers.boundCredentials()].map(({ id, accepted, refused, recent, lastRefusal, ...bound }) => ({
    credentialId: id,
    accepted,
    refused,
    submitsPerSecond: recent.perSecond,
    lastRefusal: lastRefusal && {
      at: lastRefusal.at,
      status: statusText(lastRefusal.status),
      words: lastRefusal.words,
    },
    bound: { since: bound.boundAt, gaps: bound.unbound },
    binds: [...bound.sessions].map((session) => ({
      mode: session.bound?.mode ?? "",
      address: session.address,
      since: session.openedAt,
      window: session.bound?.window ?? 0,
      openSubmits: session.openRequests,
      openDeliveries: session.openDeliveries,
    })),
  }));
}

/** For credentials whose protocols have no binds. */
const usesByRequests = ({ uses }: CustomerCredentials): CredentialUse[] =>
  [...uses.all()].map(([credentialId, tally]) => ({
    credentialId,
    ...tally,
    submitsPerSecond: null,
    bound: null,
    binds: [],
  }));

const statusText = (status: number): string =>
  namedStatus(status).statusName ?? `0x${status.toString(16).padStart(8, "0")}`;
