/** Who may read metrics and readiness from the console's listener. */
import { addressMatcher } from "../../domain/address-ranges.ts";
import { clientAddress } from "../../domain/client-address.ts";
import { urlOf } from "../../platform/request-url.ts";
import { servesMonitoring } from "./served-hosts.ts";

export interface MonitoringAccess {
  /** Addresses and ranges that may read metrics. */
  metricsAllowFrom: readonly string[];
  /** Host names that monitoring may use, besides addresses and localhost. */
  monitoringHosts: readonly string[];
}

export const metricsPath = "/metrics";
/** Says only that the process responds: to everyone, under any host name. */
const healthPath = "/healthz";
const paths: ReadonlySet<string> = new Set([healthPath, "/readyz", metricsPath]);
export const noSniff = { "X-Content-Type-Options": "nosniff", "Cache-Control": "no-store" };

export const isMonitoring = (request: Request): boolean => paths.has(urlOf(request).pathname);

/** The asker's address, and whether it could come from anywhere: an untrusted proxy forwarded the request. */
export function askerFrom(trustedProxies: readonly string[]) {
  const addressOf = clientAddress(trustedProxies);
  return ({ headers }: Request, peer: string): { address: string; isHidden: boolean } => {
    const address = addressOf(peer, headers.get("X-Forwarded-For"));
    const isForwarded = headers.has("X-Forwarded-For") || headers.has("Forwarded");
    return { address, isHidden: isForwarded && address === addressOf(peer, null) };
  };
}

/** Null if the request may be answered. `address`: null if it came through an untrusted proxy. */
export function monitoringRefusals({ metricsAllowFrom, monitoringHosts }: MonitoringAccess) {
  const isAllowed = addressMatcher(metricsAllowFrom);
  const isServed = servesMonitoring(monitoringHosts);
  return (request: Request, address: string | null): Response | null => {
    const { pathname } = urlOf(request);
    if (pathname !== healthPath && !isServed(request)) return refused(421, otherName);
    const isRefused = pathname === metricsPath && (address === null || !isAllowed(address));
    return isRefused ? refused(403, otherAddress) : null;
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
