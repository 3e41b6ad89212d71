/** What moves messages: the queue's clerk, the routes that run, what phones send, and the callbacks to customers. */
import { Dispatcher } from "../dispatch/dispatcher.ts";
import { routeSet } from "../dispatch/routes.ts";
import { webhooks } from "../events/webhooks.ts";
import { openInbound } from "../inbound/inbound.ts";
import { otpTexts } from "../messaging/otp-texts.ts";
import { callbackDesk } from "../providers/http/callback-desk.ts";
import { routeKinds } from "../providers/kinds.ts";
import type { Ground } from "./ground.ts";
import { configurationOf, isCallable } from "./route-configuration.ts";

/** How long a provider that stops may wait for its answers. */
const providerStopMs = 5_000;

export type Traffic = ReturnType<typeof openTraffic>;

export function openTraffic(ground: Ground) {
  const { store, clock, random, log, sealer, directory, metrics, routes, settings } = ground;

  const hooks = webhooks({
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
  const running = routeSet({
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
  const calls = callbackDesk({ clock, log, events: carrierEvents });

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
