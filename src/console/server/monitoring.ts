/** What monitoring gets from the console's listener: health, and metrics for permitted addresses. */
import { Elysia } from "elysia";
import { addressMatcher } from "../../domain/address-ranges.ts";
import type { ReadinessChecks } from "../../domain/readiness.ts";
import { healthRoutes } from "../../operator/health.ts";
import { urlOf } from "../../platform/request-url.ts";
import { sharedRun } from "../../platform/shared-run.ts";
import { servesMonitoring } from "./served-hosts.ts";

export interface MonitoringDeps {
  readiness(): Promise<ReadinessChecks>;
  metrics: { contentType: string; metrics(): Promise<string> };
  /** Addresses and ranges that may read metrics. */
  metricsAllowFrom: readonly string[];
  /** Host names that monitoring may use, besides addresses and localhost. */
  monitoringHosts: readonly string[];
}

/** Null if it is not a monitoring request. `address`: null if it came through an untrusted proxy. */
type AnswerMonitoring = (request: Request, address: string | null) => Promise<Response> | null;

const metricsPath = "/metrics";
/** Says only that the process responds: to everyone, under any host name. */
const healthPath = "/healthz";
const paths: ReadonlySet<string> = new Set([healthPath, "/readyz", metricsPath]);
const noSniff = { "X-Content-Type-Options": "nosniff", "Cache-Control": "no-store" };

export function openMonitoring(deps: MonitoringDeps): AnswerMonitoring {
  const { readiness, metrics } = deps;
  const isAllowed = addressMatcher(deps.metricsAllowFrom);
  const isServed = servesMonitoring(deps.monitoringHosts);
  const text = sharedRun(() => metrics.metrics());
  const app = new Elysia({ name: "monitoring" })
    .use(healthRoutes({ readiness }))
    .get(
      metricsPath,
      async () => new Response(await text(), { headers: { "Content-Type": metrics.contentType, ...noSniff } }),
    );
  return (request, address) => {
    const pathname = urlOf(request).pathname;
    if (!paths.has(pathname)) return null;
    if (pathname !== healthPath && !isServed(request)) return Promise.resolve(refused(421, otherName));
    if (pathname === metricsPath && (address === null || !isAllowed(address))) {
      return Promise.resolve(refused(403, otherAddress));
    }
    return Promise.resolve(app.fetch(request));
  };
}

const otherAddress = "Metrics are not answered from your address: see metrics.allow_from in the settings of Peyk.";
/**
 * The name could be a stranger's that now resolves to our address, so that the stranger's page could read the answer.
 */
const otherName = "Monitoring is not answered under this name: see metrics.hosts in the settings of Peyk.";

function refused(status: number, sentence: string): Response {
  const headers = { "Content-Type": "text/plain; charset=utf-8", ...noSniff };
  return new Response(`${sentence}\n`, { status, headers });
}
