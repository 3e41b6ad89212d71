/** The metrics of each enabled route. */
import type { Directory } from "../messaging/directory/directory.ts";
import type { Plans } from "../messaging/routing/plans.ts";
import type { RunningRoutes } from "./deps.ts";

export function routeGauges(directory: Directory, plans: Pick<Plans, "usedRoutes">, running: RunningRoutes) {
  const used = plans.usedRoutes();
  return directory
    .routes()
    .filter(({ enabled }) => enabled)
    .map(({ id, name, kind }) => {
      const state = running.state(id);
      const { up = false, window = 0, links = [] } = state?.health ?? {};
      return { name, kind, up, isUsed: used.has(id), window, unanswered: state?.unanswered ?? 0, links };
    });
}
