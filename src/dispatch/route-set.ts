/** The routes that are running: each a provider behind its gate. Changes take effect while messages are in flight. */
import type { Clock } from "../platform/clock.ts";
import type { Logger } from "../platform/log.ts";
import type { Provider, ProviderEvents, ProviderHealth } from "../providers/provider.ts";
import { RouteLimiter } from "./route-limiter.ts";

/** What the dispatcher needs to know of a configured route. */
export interface RouteConfiguration {
  id: number;
  name: string;
  enabled: boolean;
  /** What becomes of a message that a crash or a lost link left unanswered: sent again (it may arrive twice) or failed. */
  onUncertain: "resend" | "fail";
  /** Changes whenever the provider must be built anew. */
  revision: string;
}

export interface RunningRoute {
  configuration: RouteConfiguration;
  provider: Provider;
  limiter: RouteLimiter;
  up: boolean;
  /** Submits since the route was started, by the kind of their outcome. */
  counts: Record<string, number>;
}

/** How a running route is doing, for the operator. */
export interface RunningRouteState {
  health: ProviderHealth;
  /** Parts that were submitted and are not answered yet. */
  unanswered: number;
  /** Parts a second that are let through now; null for no limit. */
  partsPerSecondNow: number | null;
  counts: Readonly<Record<string, number>>;
}

export interface RouteSetOptions {
  clock: Clock;
  log: Logger;
  /** Builds the provider of a route; it is started by the set. */
  build(configuration: RouteConfiguration, events: ProviderEvents): Provider;
  /** What the providers tell, told apart by route. */
  events(routeId: number): Omit<ProviderEvents, "healthChanged">;
  /** Room may have appeared somewhere. */
  changed(): void;
  /** How long a provider that is replaced or stopped may wait for its answers, in milliseconds. */
  stopGraceMs: number;
}

const closedWindow = { window: 0, partsPerSecond: null };

export type RouteSet = ReturnType<typeof routeSet>;

export function routeSet(options: RouteSetOptions) {
  const running = new Map<number, RunningRoute>();
  /** Providers that were replaced and still wait for answers. */
  const leaving = new Set<Promise<void>>();

  function limitsOf(health: ProviderHealth) {
    return health.up ? { window: health.window, partsPerSecond: health.partsPerSecond } : closedWindow;
  }

  function start(configuration: RouteConfiguration): void {
    const limiter = new RouteLimiter(options.clock, closedWindow);
    const healthChanged = () => {
      const health = provider.health();
      route.up = health.up;
      limiter.setLimits(limitsOf(health));
      options.changed();
    };
    const provider = options.build(configuration, { ...options.events(configuration.id), healthChanged });
    const route: RunningRoute = { configuration, provider, limiter, up: false, counts: {} };
    running.set(configuration.id, route);
    provider.start();
    healthChanged();
  }

  function stop(route: RunningRoute): Promise<void> {
    running.delete(route.configuration.id);
    const left = route.provider.stop(options.stopGraceMs).catch((reason: unknown) => {
      options.log.error({ route: route.configuration.name, err: reason }, "route did not stop cleanly");
    });
    leaving.add(left);
    void left.then(() => leaving.delete(left));
    return left;
  }

  return {
    /** Makes what runs agree with what is configured. A route that only changed its name or policy keeps its binds. */
    apply(configurations: readonly RouteConfiguration[]): void {
      const wanted = new Map(configurations.filter((one) => one.enabled).map((one) => [one.id, one]));
      for (const route of [...running.values()]) {
        const next = wanted.get(route.configuration.id);
        if (next === undefined || next.revision !== route.configuration.revision) void stop(route);
        else route.configuration = next;
      }
      for (const configuration of wanted.values()) if (!running.has(configuration.id)) start(configuration);
      options.changed();
    },

    get: (routeId: number): RunningRoute | undefined => running.get(routeId),

    all: (): Iterable<RunningRoute> => running.values(),

    /** Null for a route that is disabled or not known. */
    state(routeId: number): RunningRouteState | null {
      const route = running.get(routeId);
      if (route === undefined) return null;
      const { provider, limiter, counts } = route;
      return { health: provider.health(), unanswered: limiter.unanswered, partsPerSecondNow: limiter.rate, counts };
    },

    /** Tries the route out, step by step. Null as above. */
    probe: (routeId: number): ReturnType<Provider["probe"]> | null => running.get(routeId)?.provider.probe() ?? null,

    /** Stops every route and waits for what is in flight, at most the grace time. */
    async stop(): Promise<void> {
      for (const route of [...running.values()]) void stop(route);
      await Promise.all(leaving);
    },
  };
}
