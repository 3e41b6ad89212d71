/** Runs the configured routes, each a provider behind its limiter. Changes take effect while messages are in flight. */
import {
  type DeliveryTrust,
  deliveryWarning,
  type FailoverRule,
  ReceiptPace,
  untried,
} from "../domain/delivery-failover.ts";
import type { Reason } from "../domain/reason.ts";
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
  probeStep,
  type Submission,
  type SubmitOutcome,
  troubleOf,
  warningsOf,
} from "../providers/provider.ts";
import type { RouteKind } from "../store/routes.ts";
import { type ClaimedParts, RouteLimiter } from "./route-limiter.ts";

/** A configured route as the dispatcher needs it. */
export interface RouteConfiguration extends UncertainPolicy {
  id: number;
  name: string;
  enabled: boolean;
  /** It keeps its binds for answers and receipts, but takes no more messages. */
  isDraining: boolean;
  /** The delivery rate below which it is bypassed; null for never. */
  failover: FailoverRule | null;
  /** Changes whenever the provider must be rebuilt. */
  revision: string;
}

/** Epoch milliseconds; `to`: null while it lasts. */
export interface DownSpan {
  from: number;
  to: number | null;
  /** Null while it is not known. */
  why: Reason | null;
}

/** Of a route that comes and goes, the last ones. */
const downsMax = 100;
/** Shorter ones at its start are how long it takes to connect. */
const connectMs = 10_000;

export interface RunningRoute {
  configuration: RouteConfiguration;
  provider: Provider;
  limiter: RouteLimiter;
  /** True if it takes messages. */
  up: boolean;
  /** When it last came up, went down or was started; epoch milliseconds. */
  upChangedAt: number;
  startedAt: number;
  /** When it did not take messages since then; the last may go on. */
  downs: DownSpan[];
  /** Whether its delivery rate or late receipts cause it to be bypassed. */
  delivery: DeliveryTrust;
  /** Counted where there is a failover rule. */
  pace: ReceiptPace;
  /** How often it was considered while on trial. */
  trialTurns: number;
  /** Receipts since the route was started that matched a part. */
  receiptsMatched: number;
  /** Submits since the route was started, by outcome: `accepted`, `rejected`, `throttled` … */
  counts: Record<string, number>;
}

/** A running route as the operator sees it. */
export interface RouteStatus {
  health: ProviderHealth;
  /** Parts submitted but not yet answered. */
  unanswered: number;
  /**
   * Current limit in parts per second; null for no limit. Below the route's own limit while the carrier slows it down.
   */
  partsPerSecondNow: number | null;
  /** Milliseconds until rate and pause let a message through. */
  waitMs: number;
  /** Parts let through since the route was started. */
  partsTaken: number;
  /** When it last came up, went down or was started; epoch milliseconds. */
  upChangedAt: number;
  /** When it did not take messages since it was started; oldest first. */
  downs: readonly DownSpan[];
  startedAt: number;
  isDraining: boolean;
  receiptsMatched: number;
  counts: Readonly<Record<string, number>>;
}

export interface RouteSetDeps {
  clock: Clock;
  log: Logger;
  /** Builds the provider of a route; the set starts it. */
  build(configuration: RouteConfiguration, events: ProviderEvents): Provider;
  /** Builds a provider that belongs to no route and is never started. */
  buildToTry(kind: RouteKind, file: Readonly<Record<string, unknown>>): Pick<Provider, "probe">;
  /** Takes the events of one route's provider. */
  events(routeId: number): Omit<ProviderEvents, "healthChanged">;
  /** A route came up or went down, or its limits changed. */
  changed(): void;
  /** How long a replaced or stopped provider may wait for its answers, in milliseconds. */
  stopGraceMs: number;
}

const noRoom = { window: 0, partsPerSecond: null };

function noteChange(route: RunningRoute, now: number): void {
  const { downs, startedAt, up: wasUp } = route;
  route.upChangedAt = now;
  const last = downs.at(-1);
  if (wasUp) downs.push({ from: now, to: null, why: null });
  else if (last !== undefined) last.to = now;
  const isConnecting = last?.from === startedAt && now - startedAt < connectMs;
  if (isConnecting || downs.length > downsMax) downs.shift();
}

export class RouteSet {
  readonly #running = new Map<number, RunningRoute>();
  /** By route id: they outlive the provider that they were made for. */
  readonly #claimed = new Map<number, ClaimedParts>();
  /** For every configured route, including disabled ones and those that stop and still wait for answers. */
  readonly #policies = new Map<number, UncertainPolicy>();
  /** Of every route that ran since the service started: a customer may send before it runs again. */
  readonly #passedTags = new Set<number>();
  /** Replaced or stopped providers that still wait for answers. */
  readonly #stopping = new Set<Promise<void>>();

  constructor(private readonly deps: RouteSetDeps) {}

  /**
   * Makes the running routes match the configured ones. A route that only changed its name or policy keeps its binds.
   */
  apply(configurations: readonly RouteConfiguration[]): void {
    for (const one of configurations) this.#policies.set(one.id, one);
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
    this.deps.changed();
  }

  get(routeId: number): RunningRoute | undefined {
    return this.#running.get(routeId);
  }

  /** What happens to a message that the route left unanswered; null if the route is unknown. */
  policyOf(routeId: number): UncertainPolicy | null {
    return this.#policies.get(routeId) ?? null;
  }

  /** Tags of TLVs that some route passes on from customers' SMPP clients. */
  get passedTags(): ReadonlySet<number> {
    return this.#passedTags;
  }

  all(): Iterable<RunningRoute> {
    return this.#running.values();
  }

  /** Null if the route is disabled or unknown. */
  state(routeId: number): RouteStatus | null {
    const route = this.#running.get(routeId);
    if (route === undefined) return null;
    const { configuration, provider, limiter, upChangedAt, downs, startedAt, receiptsMatched, counts } = route;
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
      downs,
      startedAt,
      isDraining: configuration.isDraining,
      receiptsMatched,
      counts,
    };
  }

  /** What simulated phones received across all routes, newest first. */
  received(): (PhoneText & { routeId: number })[] {
    const texts = [...this.#running.values()].flatMap(({ configuration: { id }, provider }) =>
      (provider.received?.() ?? []).map((text) => ({ ...text, routeId: id })).toReversed(),
    );
    return texts.sort((a, b) => b.receivedAt - a.receivedAt).slice(0, phoneTextsMax);
  }

  /** Deletes what the simulated phone with this number received. */
  emptyPhone(recipient: string): void {
    for (const { provider } of this.#running.values()) provider.emptyPhone?.(recipient);
  }

  /** Tests the route step by step and, if a text is given, sends it. Null if the route is disabled or unknown. */
  async probe(routeId: number, text: Submission | null = null): Promise<readonly ProbeStep[] | null> {
    const provider = this.#running.get(routeId)?.provider;
    if (provider === undefined) return null;
    const steps = await provider.probe();
    return text === null ? steps : [...steps, ...(await probeText(provider, text))];
  }

  /** Tests a file that is not stored. */
  tryFile(kind: RouteKind, file: Readonly<Record<string, unknown>>): Promise<readonly ProbeStep[]> {
    return this.deps.buildToTry(kind, file).probe();
  }

  /** Hands a text to a route outside the queue; null if the route is disabled or unknown. */
  async submit(routeId: number, text: Submission): Promise<SubmitOutcome | null> {
    return (await this.#running.get(routeId)?.provider.submit(text)) ?? null;
  }

  /** Stops every route and waits for what is in flight, at most the grace time. */
  async stop(): Promise<void> {
    for (const route of [...this.#running.values()]) this.#stop(route);
    await Promise.all(this.#stopping);
  }

  #start(configuration: RouteConfiguration): void {
    const { clock, build, events, changed } = this.deps;
    const claimed = this.#claimed.get(configuration.id) ?? { parts: 0 };
    this.#claimed.set(configuration.id, claimed);
    const limiter = new RouteLimiter(clock, noRoom, claimed);
    const healthChanged = () => {
      this.#refresh(route);
      changed();
    };
    const provider = build(configuration, { ...events(configuration.id), healthChanged });
    const startedAt = clock.now();
    const route: RunningRoute = {
      configuration,
      provider,
      limiter,
      up: false,
      upChangedAt: startedAt,
      startedAt,
      downs: [{ from: startedAt, to: null, why: null }],
      delivery: untried,
      pace: new ReceiptPace(),
      trialTurns: 0,
      receiptsMatched: 0,
      counts: {},
    };
    this.#running.set(configuration.id, route);
    for (const tag of provider.passedTags ?? []) this.#passedTags.add(tag);
    provider.start();
    healthChanged();
  }

  /** Applies the provider's health and the configuration. */
  #refresh(route: RunningRoute): void {
    const health = route.provider.health();
    const { up: isConnected, window, partsPerSecond } = health;
    const up = isConnected && !route.configuration.isDraining;
    if (up !== route.up) noteChange(route, this.deps.clock.now());
    const last = route.downs.at(-1);
    if (!up && last !== undefined)
      last.why ??= isConnected ? { code: "route_drains" } : (troubleOf(health)?.lastReason ?? null);
    route.up = up;
    route.limiter.setLimits(up ? { window, partsPerSecond } : noRoom);
  }

  #stop({ configuration, provider }: RunningRoute): void {
    const { log, stopGraceMs } = this.deps;
    this.#running.delete(configuration.id);
    const stopped = provider.stop(stopGraceMs).catch((reason: unknown) => {
      log.error({ route: configuration.name, err: reason }, "route did not stop cleanly");
    });
    this.#stopping.add(stopped);
    void stopped.then(() => this.#stopping.delete(stopped));
  }
}

async function probeText(provider: Provider, submission: Submission): Promise<ProbeStep[]> {
  const written = provider.describe?.(submission) ?? [];
  const steps: ProbeStep[] = written.map((detail) => ({ step: "write", ok: true, detail }));
  const outcome = await provider.submit(submission);
  const submitted =
    outcome.kind === "accepted"
      ? probeStep("submit", true, { code: "test_accepted", ids: outcome.partIds })
      : probeStep("submit", false, outcome.reason);
  return [...steps, submitted];
}
