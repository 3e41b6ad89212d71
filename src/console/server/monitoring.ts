/** What monitoring gets from the console's listener: health, and metrics for permitted addresses. */
import { Elysia } from "elysia";
import type { ReadinessChecks } from "../../domain/readiness.ts";
import { healthRoutes } from "../../operator/health.ts";
import { sharedRun } from "../../platform/shared-run.ts";
import { isMonitoring, type MonitoringAccess, metricsPath, monitoringRefusals, noSniff } from "./monitoring-access.ts";

export interface MonitoringDeps extends MonitoringAccess {
  readiness(): Promise<ReadinessChecks>;
  metrics: { contentType: string; metrics(): Promise<string> };
}

/** Null if it is not a monitoring request. `address`: null if it came through an untrusted proxy. */
type AnswerMonitoring = (request: Request, address: string | null) => Promise<Response> | null;

export function openMonitoring(deps: MonitoringDeps): AnswerMonitoring {
  const { readiness, metrics } = deps;
  const refusalOf = monitoringRefusals(deps);
  const text = sharedRun(() => metrics.metrics());
  const app = new Elysia({ name: "monitoring" })
    .use(healthRoutes({ readiness }))
    .get(
      metricsPath,
      async () => new Response(await text(), { headers: { "Content-Type": metrics.contentType, ...noSniff } }),
    );
  return (request, address) => {
    if (!isMonitoring(request)) return null;
    return Promise.resolve(refusalOf(request, address) ?? app.fetch(request));
  };
}
