/** Opens the console: monitoring is served immediately, the pages are loaded on the first request for one. */

import { Elysia } from "elysia";
import { addressMatcher } from "../../domain/address-ranges.ts";
import { clientAddress } from "../../domain/client-address.ts";
import type { ReadinessChecks } from "../../domain/readiness.ts";
import { healthRoutes } from "../../operator/health.ts";
import { nextTurn } from "../../platform/next-turn.ts";
import { urlOf } from "../../platform/request-url.ts";
import type { AnswerFrom } from "./listener.ts";
import type { Pages, PagesDeps, SideOptions } from "./pages.ts";
import { servesMonitoring } from "./served-hosts.ts";

export interface ConsoleDeps extends PagesDeps, MonitoringDeps {
  /** Proxies whose X-Forwarded-For is trusted. */
  trustedProxies: readonly string[];
}

export type Console = ReturnType<typeof openConsole>;

export function openConsole(deps: ConsoleDeps) {
  let loaded: Promise<Pages> | null = null;
  /** Not at start-up, which need not wait for it: the pages and their words took a quarter of it. */
  const pages = () => {
    loaded ??= loadPages(deps);
    return loaded;
  };
  const addressOf = clientAddress(deps.trustedProxies);
  const monitoring = openMonitoring(deps);

  /** The request handler of one listener. */
  function serve(options: SideOptions): AnswerFrom {
    let server: ReturnType<Pages["serverFor"]> | null = null;
    return async (request, { peer, mayBeSilent }) => {
      const { headers } = request;
      const address = addressOf(peer, headers.get("X-Forwarded-For"));
      // A request forwarded by an untrusted proxy could come from anywhere.
      const isHidden =
        (headers.has("X-Forwarded-For") || headers.has("Forwarded")) && address === addressOf(peer, null);
      const monitored = options.side === "console" ? monitoring(request, isHidden ? null : address) : null;
      if (monitored !== null) return monitored;
      const { serverFor } = await pages();
      server ??= serverFor(options);
      return server.answer(request, { address, mayBeSilent });
    };
  }
  return {
    serve,
    /** Ends the pages' open streams. */
    async stop(): Promise<void> {
      (await loaded)?.streams.stop();
    },
  };
}

async function loadPages(deps: PagesDeps): Promise<Pages> {
  const { openPages, prepareDates } = await import("./pages.ts");
  await nextTurn();
  const pages = openPages(deps);
  await prepareDates(deps.timeZone, deps.clock.now(), nextTurn);
  return pages;
}

interface MonitoringDeps {
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

/** Health, and metrics for permitted addresses. */
function openMonitoring(deps: MonitoringDeps): AnswerMonitoring {
  const { readiness, metrics } = deps;
  const isAllowed = addressMatcher(deps.metricsAllowFrom);
  const isServed = servesMonitoring(deps.monitoringHosts);
  const app = new Elysia({ name: "monitoring" })
    .use(healthRoutes({ readiness }))
    .get(
      metricsPath,
      async () =>
        new Response(await metrics.metrics(), { headers: { "Content-Type": metrics.contentType, ...noSniff } }),
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
