/** Bypasses routes by their delivery rates: supplies the dispatcher with the figures of reports. */
import { DeliveryWatch } from "../dispatch/delivery-watch.ts";
import type { Clock } from "../platform/clock.ts";
import type { Logger } from "../platform/log.ts";
import type { Reports } from "../reports/reports.ts";
import { slotMs } from "../store/rollup-counts.ts";
import type { Routing } from "./routing.ts";

interface DeliveryRateDeps {
  reports: Pick<Reports, "figures">;
  routing: Pick<Routing, "running" | "dispatcher">;
  clock: Clock;
  log: Logger;
}

export function watchDeliveryRates({ reports, routing, clock, log }: DeliveryRateDeps): DeliveryWatch {
  return new DeliveryWatch({
    clock,
    log,
    routes: () => routing.running.all(),
    changed: routing.dispatcher.changed,
    async decided(routeId, from) {
      const request = { by: [], period: "all", timeZone: "UTC", calendar: "gregory", filter: { routeId } } as const;
      // Only quarter hours that begin within the period: earlier messages must not decide.
      const [row] = await reports.figures({
        ...request,
        from: Math.ceil(from / slotMs) * slotMs,
        to: clock.now() + slotMs,
      });
      const { delivered = 0, failed = 0 } = row?.statuses ?? {};
      return { delivered, failed };
    },
  });
}
