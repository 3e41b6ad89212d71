/** Connects the queue to the carriers: the dispatcher, the running routes, and the callbacks of HTTP providers. */
import { Dispatcher } from "../dispatch/dispatcher.ts";
import { type RouteConfiguration, RouteSet, type RouteSetDeps } from "../dispatch/route-set.ts";
import { routeStorage } from "../dispatch/route-storage.ts";
import { JsonFileReader } from "../domain/json-file.ts";
import type { Inbound } from "../inbound/inbound.ts";
import { AccountTimeZones } from "../messaging/directory/account-time-zones.ts";
import type { Route } from "../messaging/directory/directory.ts";
import { parseFile } from "../messaging/directory/route-service.ts";
import { otpTexts } from "../messaging/otp/otp-texts.ts";
import { ClaimChecks } from "../messaging/rules/claim-checks.ts";
import { AccountQuietHours } from "../messaging/rules/quiet-hours.ts";
import { readFailover } from "../providers/failover-file.ts";
import { CallbackReceiver } from "../providers/http/callback-receiver.ts";
import type { ProviderEvents, RouteStorage } from "../providers/provider.ts";
import { routeKinds } from "../providers/route-kinds.ts";
import { RouteTraces } from "../providers/route-trace.ts";
import { tracedEvents } from "../providers/traced-events.ts";
import { readUncertainPolicy } from "../providers/uncertain-policy-file.ts";
import type { Webhooks } from "../webhooks/webhooks.ts";
import type { ServerStorage } from "./storage.ts";

/** How long a stopping provider may wait for its answers. */
const providerStopMs = 5_000;

export type Routing = ReturnType<typeof openRouting>;

export function openRouting(storage: ServerStorage, webhooks: Webhooks, inbound: Inbound) {
  const { store, clock, random, log, sealer, directory, metrics, routes, routingPlans, wallClock, settings } = storage;
  const { network } = storage;

  const texts = otpTexts(sealer);
  const timeZones = new AccountTimeZones({ directory, timeZone: settings.defaultTimeZone });
  const quietHours = new AccountQuietHours({ directory, timeZones, settings: settings.quietHours });
  const handover = new ClaimChecks({ directory, quietHours });
  const dispatcher = new Dispatcher({
    store,
    clock,
    random,
    log,
    directory: {
      accountOf: (senderId) => directory.accountOf(senderId),
      isSuspended: (accountId) => directory.isSuspended(accountId),
      routesOf: (senderId, targetId) => routingPlans.plans.routesOf(senderId, targetId),
    },
    observer: metrics.dispatch,
    openText: texts.open,
    rules: handover,
    mayExpire: () => wallClock.doubt() === null,
    ...(storage.leading && { turn: storage.leading.turn }),
  });
  wallClock.onBelieved(dispatcher.clockBelieved);
  const carrierEvents = (id: number) => ({ ...dispatcher.events(id), ...metrics.countInbound(id, inbound.events(id)) });
  const traces = new RouteTraces();
  const running = new RouteSet({
    clock,
    log,
    build: ({ id, name }, events) => {
      const route = directory.routeById(id);
      if (route === null) throw new Error(`Route ${name} is not in the directory`);
      const trace = traces.of(id);
      const storage = routeStorage(store, id);
      const deps = { clock, random, log: log.child({ route: name }), trace, storage, ...(network && { network }) };
      // Deliveries from an SMSC are traced as PDUs instead.
      const told = route.kind === "http" ? { ...events, ...tracedEvents(trace, events, "answer") } : events;
      return routeKinds[route.kind].build(routes.fileOf(route), told, deps);
    },
    buildToTry: trialBuilder(storage),
    events: carrierEvents,
    changed: dispatcher.changed,
    stopGraceMs: providerStopMs,
  });
  const callbackEvents = (id: number) => tracedEvents(traces.of(id), carrierEvents(id), "callback");
  const carrierCallbacks = new CallbackReceiver({ clock, log, events: callbackEvents });

  /** Makes the running routes match the configuration. */
  function applyRoutes(): void {
    const configured = directory.routes();
    running.apply(configured.map(configurationOf));
    metrics.knowRoutes(configured.map(({ name }) => name));
    carrierCallbacks.apply(configured.filter(isCallable).map((route) => ({ ...route, file: routes.fileOf(route) })));
  }
  directory.subscribe({
    accountChanged: ({ id }) => {
      dispatcher.changed();
      webhooks.accountChanged(id);
    },
    senderChanged: dispatcher.changed,
    routeChanged: applyRoutes,
  });

  return { timeZones, texts, quietHours, handover, dispatcher, running, traces, carrierCallbacks, applyRoutes };
}

/** Refuses what a carrier delivers to a connection that only tests a file: it retries over a permanent one. */
const refuse = () => Promise.reject(new Error("this connection only tries the route out"));
const noEvents: ProviderEvents = {
  receipt: refuse,
  inbound: refuse,
  lateAnswer: () => undefined,
  healthChanged: () => undefined,
};
const noStorage: RouteStorage = { cursor: () => null, setCursor: () => Promise.resolve() };

const trialBuilder = ({ clock, random, log, network }: ServerStorage): RouteSetDeps["buildToTry"] => {
  const deps = { clock, random, log, storage: noStorage, ...(network && { network }) };
  return (kind, file) => routeKinds[kind].build(file, noEvents, deps);
};

/** True if carriers call it: its receipts and inbound texts arrive as requests. */
const isCallable = ({ kind, removedAt }: Route): boolean => kind === "http" && removedAt === null;

/** Any change other than of its policy rebuilds the provider. */
function configurationOf({
  id,
  name,
  kind,
  enabled,
  removedAt,
  options,
  sealedSecrets,
  drainingSince,
}: Route): RouteConfiguration {
  const file = new JsonFileReader(parseFile(options), []);
  return {
    id,
    name,
    enabled: enabled && removedAt === null,
    isDraining: drainingSince !== null,
    ...readUncertainPolicy(file),
    ...readFailover(file),
    revision: `${kind} ${options} ${sealedSecrets?.toString("base64")}`,
  };
}
