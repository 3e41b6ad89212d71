/** What monitoring asks of the console's listener: health, and metrics for those who may have them. */
import { Elysia } from "elysia";
import type { ReadinessChecks } from "../../domain/readiness.ts";
import { healthRoutes } from "../../operator/health.ts";

export interface MonitoringDeps {
  readiness(): Promise<ReadinessChecks>;
  metrics: { contentType: string; metrics(): Promise<string> };
}

export const monitoringPaths: ReadonlySet<string> = new Set(["/healthz", "/readyz", "/metrics"]);

const noSniff = { "X-Content-Type-Options": "nosniff", "Cache-Control": "no-store" };

export function monitoringApp({ readiness, metrics }: MonitoringDeps) {
  return new Elysia({ name: "monitoring" })
    .use(healthRoutes({ readiness }))
    .get(
      "/metrics",
      async () =>
        new Response(await metrics.metrics(), { headers: { "Content-Type": metrics.contentType, ...noSniff } }),
    );
}
