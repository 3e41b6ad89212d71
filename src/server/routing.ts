/** What moves messages: the queue's clerk, the routes that run, what phones send, and the callbacks to customers. */
import { Dispatcher } from "../dispatch/dispatcher.ts";
import { RouteSet } from "../dispatch/route-set.ts";
import { openInbound } from "../inbound/inbound.ts";
import { otpTexts } from "../messaging/otp/otp-texts.ts";
import { callbackReceiver } from "../providers/http/callback-receiver.ts";
import { routeKinds } from "../providers/route-kinds.ts";
import { openWebhooks } from "../webhooks/webhooks.ts";
import { configurationOf, isCallable } from "./route-configuration.ts";
import type { ServerStorage } from "./storage.ts";

/** How long a provider that stops may wait for its answers. */
const providerStopMs = 5_000;

export type Routing = ReturnType<typeof openRouting>;

export function openRouting(ground: ServerStorage) {
  const { store, clock, random, log, sealer, directory, metrics, routes, settings } = ground;

  const hooks = openWebhooks({
    ...ground,
    isSuspended: directory.isSuspended,
    observer: metrics.callbacks,
    settings: { ...settings.webhooks, eventRetentionDays: settings.events.retentionDays },
  });
  const inbound = openInbound({
    store,
    clock,
    random,
    log,
    trackingCodes: ground.codes,
    settings: {
      defaultRegion: settings.defaultRegion,
      reassemblyTimeoutMs: settings.inbound.reassemblyTimeoutSeconds * 1_000,
      retentionDays: settings.inbound.retentionDays,
    },
  });
  const texts = otpTexts(sealer);
  const dispatch = new Dispatcher({
    store,
    clock,
    random,
    log,
    directory,
    observer: metrics.dispatch,
    openText: texts.open,
  });
  const carrierEvents = (id: number) => ({ ...dispatch.events(id), ...metrics.countInbound(id, inbound.events(id)) });
  const running = new RouteSet({
    clock,
    log,
    build: ({ id, name }, events) => {
      const route = directory.routeById(id);
      if (route === null) throw new Error(`Route ${name} is not in the directory`);
      const parts = { clock, random, log: log.child({ route: name }) };
      return routeKinds[route.kind].build(routes.fileOf(route), events, parts);
    },
    events: carrierEvents,
    changed: dispatch.changed,
    stopGraceMs: providerStopMs,
  });
  const calls = callbackReceiver({ clock, log, events: carrierEvents });

  /** Makes what runs agree with what is configured. */
  function applyRoutes(): void {
    const configured = directory.routes();
    running.apply(configured.map(configurationOf));
    calls.apply(configured.filter(isCallable).map((route) => ({ ...route, file: routes.fileOf(route) })));
  }
  directory.subscribe({
    accountChanged: ({ id }) => {
      dispatch.changed();
      hooks.accountChanged(id);
    },
    senderChanged: dispatch.changed,
    routeChanged: applyRoutes,
  });

  return { hooks, inbound, texts, dispatch, running, calls, applyRoutes };
}
