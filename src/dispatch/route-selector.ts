/** Chooses the route of a message: the sender's first route that is up, and after a refusal the next in order. */
import { messageClasses } from "../domain/message.ts";
import { defaultUncertainPolicy } from "../domain/uncertain-policy.ts";
import type { Clock } from "../platform/clock.ts";
import type { Random } from "../platform/random.ts";
import type { MessageRow } from "../store/messages.ts";
import type { ClaimRules } from "./claim-rules.ts";
import type { Lane } from "./lane.ts";
import type { RouteSet, RunningRoute } from "./route-set.ts";
import type { OutcomeContext } from "./submit-outcome.ts";

/** The directory as the dispatcher needs it. */
export interface SenderRoutes {
  accountOf(senderId: number): number;
  /** Route ids of a lane's target, in order of preference. */
  routesOf(senderId: number, targetId: number): readonly number[];
  isSuspended(accountId: number): boolean;
}

/** The route a message may take now, and all routes of its sender in order. */
export interface RouteChoice {
  route: RunningRoute;
  routeIds: readonly number[];
}

/** A route on trial gets one in this many of the messages it could take. */
const trialTurn = 10;

/**
 * True if the route's delivery rate lets it take a message of the lane. One-time passwords are never used for a trial.
 */
function isTrusted(route: RunningRoute, { key }: Lane): boolean {
  if (route.delivery.kind === "good") return true;
  if (route.delivery.kind === "passed_over" || key.class === messageClasses.otp || !route.limiter.hasRoom())
    return false;
  route.trialTurns += 1;
  return route.trialTurns % trialTurn === 0;
}

export class RouteSelector {
  readonly #directory: SenderRoutes;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #rules: ClaimRules;
  #routes: RouteSet | null = null;

  constructor(directory: SenderRoutes, clock: Clock, random: Random, rules: ClaimRules) {
    this.#directory = directory;
    this.#clock = clock;
    this.#random = random;
    this.#rules = rules;
  }

  /** Until this is called, no message has a route. */
  attach(routes: RouteSet): void {
    this.#routes = routes;
  }

  route(routeId: number): RunningRoute | undefined {
    return this.#routes?.get(routeId);
  }

  all(): Iterable<RunningRoute> {
    return this.#routes?.all() ?? [];
  }

  outcomeContext(routeId: number, routeCount: number): OutcomeContext {
    const route = this.route(routeId);
    // A stopping route no longer runs, but its messages are still under its policy.
    const policy = this.#routes?.policyOf(routeId) ?? defaultUncertainPolicy;
    const now = this.#clock.now();
    const firstQueryAt = route?.provider.receiptQueries?.nextAt({ asked: 0, sentAt: now }, now) ?? null;
    return { routeId, routeCount, policy, firstQueryAt, now, jitter: this.#random.fraction() };
  }

  /** When the quiet hours of the lane end; null if it has none now. */
  readonly quietUntil = ({ accountId, key }: Lane): number | null =>
    this.#rules.quietUntil(accountId, key.class, this.#clock.now());

  /**
   * The first route of the sender that is up; null if there is none, while that route has no room, and in quiet hours.
   */
  choose(lane: Lane): RouteChoice | null {
    if (this.#directory.isSuspended(lane.accountId) || this.quietUntil(lane) !== null) return null;
    const routeIds = this.#directory.routesOf(lane.key.senderId, lane.key.targetId);
    let passedOver: RunningRoute | null = null;
    for (const routeId of routeIds) {
      const route = this.route(routeId);
      if (!route?.up || !route.limiter.isOpen) continue;
      if (isTrusted(route, lane)) return route.limiter.hasRoom() ? { route, routeIds } : null;
      passedOver ??= route;
    }
    // A route with poor delivery is better than none.
    return passedOver?.limiter.hasRoom() ? { route: passedOver, routeIds } : null;
  }

  /**
   * The route of this attempt, and what determines its outcome there. `tried`: routes by which the same code was sent
   * before.
   */
  attemptContext(choice: RouteChoice, message: MessageRow, tried: readonly number[] = []): OutcomeContext {
    const route = this.#routeOfAttempt(choice, message, tried);
    const context = this.outcomeContext(route.configuration.id, choice.routeIds.length);
    // An unanswered message is subject to the policy of the route it was on.
    return { ...context, policy: this.outcomeContext(message.routeId ?? context.routeId, 1).policy };
  }

  /**
   * After a refusal, the sender's next route takes the attempt if it is up and has room: failover in order. Routes that
   * were tried before come last.
   */
  #routeOfAttempt({ route, routeIds }: RouteChoice, message: MessageRow, tried: readonly number[]): RunningRoute {
    const order = tried.length === 0 ? routeIds : routeIds.toSorted((a, b) => timesIn(tried, a) - timesIn(tried, b));
    const fit = (id: number | undefined) => {
      const next = this.route(id ?? 0);
      return next?.up && next.delivery.kind === "good" && next.limiter.hasRoom() ? next : undefined;
    };
    const next = fit(order[message.attempts % routeIds.length]);
    if (next !== undefined || tried.length === 0) return next ?? route;
    return fit(order.find((id) => fit(id) !== undefined)) ?? route;
  }
}

const timesIn = (routeIds: readonly number[], id: number): number => routeIds.filter((one) => one === id).length;
