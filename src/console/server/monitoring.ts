/** What monitoring asks of the console's listener: health, and metrics for those who may have them. */
import { Elysia } from "elysia";
import { addressMatcher } from "../../domain/address-ranges.ts";
import type { ReadinessChecks } from "../../domain/readiness.ts";
import { healthRoutes } from "../../operator/health.ts";

export interface MonitoringDeps {
  readiness(): Promise<ReadinessChecks>;
  metrics: { contentType: string; metrics(): Promise<string> };
  /** Addresses and ranges from which metrics are answered. */
  metricsAllowFrom: readonly string[];
}

/** Null for a request that is none of monitoring's. `address`: null where it came through a proxy that is not trusted. */
export type AnswerMonitoring = (request: Request, address: string | null) => Promise<Response> | null;

const metricsPath = "/metrics";
const paths: ReadonlySet<string> = new Set(["/healthz", "/readyz", metricsPath]);
const noSniff = { "X-Content-Type-Options": "nosniff", "Cache-Control": "no-store" };

export function openMonitoring({ readiness, metrics, metricsAllowFrom }: MonitoringDeps): AnswerMonitoring {
  const isAllowed = addressMatcher(metricsAllowFrom);
  const app = new Elysia({ name: "monitoring" })
    .use(healthRoutes({ readiness }))
    .get(
      metricsPath,
      async () =>
        new Response(await metrics.metrics(), { headers: { "Content-Type": metrics.contentType, ...noSniff } }),
    );
  return (request, address) => {
    const pathname = URL.parse(request.url)?.pathname ?? "";
    if (!paths.has(pathname)) return null;
    if (pathname === metricsPath && (address === null || !isAllowed(address))) return Promise.resolve(notFromHere());
    return Promise.resolve(app.fetch(request));
  };
}

function notFromHere(): Response {
  const sentence = "Metrics are not answered from your address: see metrics.allow_from in the settings of Peyk.\n";
  return new Response(sentence, { status: 403, headers: { "Content-Type": "text/plain; charset=utf-8", ...noSniff } });
}
