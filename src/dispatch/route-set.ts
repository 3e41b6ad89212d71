/** Runs the configured routes, each a provider behind its limiter. Changes take effect while messages are in flight. */
import { type DeliveryTrust, deliveryWarning, type FailoverRule, untried } from "../domain/delivery-failover.ts";
import type { UncertainPolicy } from "../domain/uncertain-policy.ts";
import type { Clock } from "../platform/clock.ts";
import type { Logger } from "../platform/log.ts";
import {
  type PhoneText,
  type ProbeStep,
  type Provider,
  type ProviderEvents,
  type ProviderHealth,
  phoneTextsMax,
  type Submission,
  type SubmitOutcome,
  warningsOf,
} from "../providers/provider.ts";
import { probeText } from "./probe-text.ts";
import { RouteLimiter } from "./route-limiter.ts";

/** A configured route as the dispatcher needs it. */
export interface RouteConfiguration extends UncertainPolicy {
  id: number;
  name: string;
  enabled: boolean;
  /** It keeps its binds for answers and receipts, and takes no more messages. */
  isDraining: boolean;
  /** When its delivery rate makes it be passed over; null for never. */
  failover: FailoverRule | null;
  /** Changes whenever the provider must be built anew. */
  revision: string;
}

export interface RunningRoute {
  configuration: RouteConfiguration;
  provider: Provider;
  limiter: RouteLimiter;
  /** Whether it takes messages. */
  up: boolean;
  /** When it last came up or went down, or was started; epoch milliseconds. */
  upChangedAt: number;
  /** Whether its delivery rate makes it be passed over. */
  delivery: DeliveryTrust;
  /** Turns that it was thought of while it is on trial. */
  trialTurns: number;
  /** Receipts since the route was started that matched a part. */
  receiptsMatched: number;
  /** Submits since the route was started, by the kind of their outcome: `accepted`, `rejected`, `throttled` … */
  counts: Record<string, number>;
}

/** A running route as the operator sees it. */
export interface RouteStatus {
  health: ProviderHealth;
  /** Parts that were submitted and are not answered yet. */
  unanswered: number;
  /** Parts a second that are let through now; null for no limit. Less than the route's own while the carrier slows it down. */
  partsPerSecondNow: number | null;
  /** Until rate and pause let a message through, in milliseconds. */
  waitMs: number;
  /** Parts that were let through since the route was started. */
  partsTaken: number;
  /** When it last came up or went down, or was started; epoch milliseconds. */
  upChangedAt: number;
  isDraining: boolean;
  receiptsMatched: number;
  counts: Readonly<Record<string, number>>;
}

export interface RouteSetDeps {
  clock: Clock;
  log: Logger;
  /** Builds the provider of a route; the set starts it. */
  build(configuration: RouteConfiguration, events: ProviderEvents): Provider;
  /** Takes the events of one route's provider. */
  events(routeId: number): Omit<ProviderEvents, "healthChanged">;
  /** A route came up or went down, or its limits changed. */
  changed(): void;
  /** How long a provider that is replaced or stopped may wait for its answers, in milliseconds. */
  stopGraceMs: number;
}

const noRoom = { window: 0, partsPerSecond: null };

export class RouteSet {
  readonly #deps: RouteSetDeps;
  readonly #running = new Map<number, RunningRoute>();
  /** Providers that were replaced or stopped and still wait for answers. */
  readonly #stopping = new Set<Promise<void>>();

  constructor(deps: RouteSetDeps) {
    this.#deps = deps;
  }

  /** Makes the running routes agree with the configured ones. A route that only changed its name or policy keeps its binds. */
  apply(configurations: readonly RouteConfiguration[]): void {
    const enabled = new Map(configurations.filter((one) => one.enabled).map((one) => [one.id, one]));
    for (const route of [...this.#running.values()]) {
      const next = enabled.get(route.configuration.id);
      if (next === undefined || next.revision !== route.configuration.revision) this.#stop(route);
      else {
        route.configuration = next;
        this.#refresh(route);
      }
    }
    for (const configuration of enabled.values()) {
      if (!this.#running.has(configuration.id)) this.#start(configuration);
    }
    this.#deps.changed();
  }

  get(routeId: number): RunningRoute | undefined {
    return this.#running.get(routeId);
  }

  all(): Iterable<RunningRoute> {
    return this.#running.values();
  }

  /** Null for a route that is disabled or not known. */
  state(routeId: number): RouteStatus | null {
    const route = this.#running.get(routeId);
    if (route === undefined) return null;
    const { configuration, provider, limiter, upChangedAt, receiptsMatched, counts } = route;
    const health = provider.health();
    const rule = configuration.failover;
    const warning = rule === null ? null : deliveryWarning(rule, route.delivery);
    return {
      health: warning === null ? health : { ...health, ...warningsOf([...(health.warningReasons ?? []), warning]) },
      unanswered: limiter.unanswered,
      partsPerSecondNow: limiter.rate,
      waitMs: limiter.waitMs(),
      partsTaken: limiter.taken,
      upChangedAt,
      isDraining: configuration.isDraining,
      receiptsMatched,
      counts,
    };
  }

  /** What simulated phones received over all routes, newest first. */
  received(): (PhoneText & { routeId: number })[] {
    const texts = [...this.#running.values()].flatMap(({ configuration: { id }, provider }) =>
      (provider.received?.() ?? []).map((text) => ({ ...text, routeId: id })).toReversed(),
    );
    return texts.sort((a, b) => b.receivedAt - a.receivedAt).slice(0, phoneTextsMax);
  }

  /** What the simulated phone of this number received is gone. */
  emptyPhone(recipient: string): void {
    for (const { provider } of this.#running.values()) provider.emptyPhone?.(recipient);
  }

  /** Tries the route out, step by step, and with a text sends that, too. Null for a route that is disabled or not known. */
  async probe(routeId: number, text: Submission | null = null): Promise<readonly ProbeStep[] | null> {
    const provider = this.#running.get(routeId)?.provider;
    if (provider === undefined) return null;
    const steps = await provider.probe();
    return text === null ? steps : [...steps, ...(await probeText(provider, text))];
  }

  /** Hands a text to a route outside of the queue; null for a route that is disabled or not known. */
  async submit(routeId: number, text: Submission): Promise<SubmitOutcome | null> {
    return (await this.#running.get(routeId)?.provider.submit(text)) ?? null;
  }

  /** Stops every route and waits for what is in flight, at most the grace time. */
  async stop(): Promise<void> {
    for (const route of [...this.#running.values()]) this.#stop(route);
    await Promise.all(this.#stopping);
  }

  #start(configuration: RouteConfiguration): void {
    const { clock, build, events, changed } = this.#deps;
    const limiter = new RouteLimiter(clock, noRoom);
    const healthChanged = () => {
      this.#refresh(route);
      changed();
    };
    const provider = build(configuration, { ...events(configuration.id), healthChanged });
    const route: RunningRoute = {
      configuration,
      provider,
      limiter,
      up: false,
      upChangedAt: clock.now(),
      delivery: untried,
      trialTurns: 0,
      receiptsMatched: 0,
      counts: {},
    };
    this.#running.set(configuration.id, route);
    provider.start();
    healthChanged();
  }

  /** Takes over what the provider's health and the configuration say. */
  #refresh(route: RunningRoute): void {
    const { up: isConnected, window, partsPerSecond } = route.provider.health();
    const up = isConnected && !route.configuration.isDraining;
    if (up !== route.up) route.upChangedAt = this.#deps.clock.now();
    route.up = up;
    route.limiter.setLimits(up ? { window, partsPerSecond } : noRoom);
  }

  #stop({ configuration, provider }: RunningRoute): void {
    const { log, stopGraceMs } = this.#deps;
    this.#running.delete(configuration.id);
    const stopped = provider.stop(stopGraceMs).catch((reason: unknown) => {
      log.error({ route: configuration.name, err: reason }, "route did not stop cleanly");
    });
    this.#stopping.add(stopped);
    void stopped.then(() => this.#stopping.delete(stopped));
  }
}
