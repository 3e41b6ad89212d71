/** Watches the delivery rate of routes with a failover rule, and bypasses those that fall below their limit. */
import {
  type DecidedMessages,
  type DeliveryTrust,
  deliveryWarning,
  type FailoverRule,
  judgeDelivery,
  judgedFrom,
} from "../domain/delivery-failover.ts";
import { describeReason } from "../domain/reason.ts";
import type { Clock } from "../platform/clock.ts";
import type { Logger } from "../platform/log.ts";
import type { RunningRoute } from "./route-set.ts";

export interface DeliveryWatchDeps {
  clock: Clock;
  log: Logger;
  routes(): Iterable<RunningRoute>;
  /** Of the messages accepted since `from`, epoch milliseconds, and carried by the route. */
  decided(routeId: number, from: number): Promise<Pick<DecidedMessages, "delivered" | "failed">>;
  /** A route is now bypassed, or no longer is. */
  changed(): void;
}

export class DeliveryWatch {
  constructor(private readonly deps: DeliveryWatchDeps) {}

  /** Call periodically. */
  async look(): Promise<void> {
    for (const route of [...this.deps.routes()]) {
      const { failover } = route.configuration;
      if (failover !== null) await this.#judge(route, failover);
    }
  }

  async #judge(route: RunningRoute, rule: FailoverRule): Promise<void> {
    const { clock, decided } = this.deps;
    const { id } = route.configuration;
    const counts = await decided(id, judgedFrom(rule, route.delivery, clock.now()));
    const pace = route.pace.since(route.delivery.since, clock.now());
    const next = judgeDelivery(rule, route.delivery, { ...counts, ...pace }, clock.now());
    if (next !== route.delivery) this.#tell(route, rule, next);
  }

  #tell(route: RunningRoute, rule: FailoverRule, next: DeliveryTrust): void {
    const { log, changed } = this.deps;
    route.delivery = next;
    const warning = deliveryWarning(rule, next);
    const words = warning === null ? "It delivers as it should again." : describeReason(warning);
    if (next.kind === "good") log.info({ route: route.configuration.name }, words);
    else log.warn({ route: route.configuration.name }, words);
    changed();
  }
}
