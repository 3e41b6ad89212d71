/** The metrics of each enabled route. */
import type { OperatorDeps } from "./deps.ts";
import { usedRoutes } from "./used-routes.ts";

export function routeGauges(deps: Pick<OperatorDeps, "directory" | "routingPlans" | "otpPlans" | "running">) {
  const { directory, running } = deps;
  const used = usedRoutes(deps);
  return directory
    .routes()
    .filter(({ enabled }) => enabled)
    .map(({ id, name, kind }) => {
      const state = running.state(id);
      const { up = false, window = 0, links = [] } = state?.health ?? {};
      return { name, kind, up, isUsed: used.has(id), window, unanswered: state?.unanswered ?? 0, links };
    });
}
