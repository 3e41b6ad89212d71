/** The route files of a run's carriers. */
import { httpRouteFile } from "./http-carrier.ts";
import type { Plan, RouteTuning } from "./plan.ts";

const tuned = ({ window, responseTimeoutMs, partsPerSecond, onUncertain, resends }: RouteTuning) => ({
  window,
  responseTimeoutMs,
  onUncertain,
  resends,
  ...(partsPerSecond !== null && { partsPerSecond }),
});

export const routeFiles = ({ routes }: Pick<Plan, "routes">) => ({
  smpp: { host: "smsc.lan", port: 2775, systemId: "peyk", password: "secret", ...tuned(routes.smpp) },
  http: { ...httpRouteFile, ...tuned(routes.http) },
});
