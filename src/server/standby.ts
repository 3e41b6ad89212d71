/** The answers of a following node: it is alive, it is not ready, and which node leads. */
import { join } from "node:path";
import type { FollowerState } from "../cluster/cluster-node.ts";
import { hostPortOf } from "../config/host-port.ts";
import type { Settings } from "../config/settings.ts";
import {
  askerFrom,
  isMonitoring,
  metricsPath,
  monitoringRefusals,
  noSniff,
} from "../console/server/monitoring-access.ts";
import { ApiError } from "../domain/api-error.ts";
import { isCorrelationId } from "../domain/correlation-id.ts";
import { unavailableResponse } from "../drop-in/unavailable.ts";
import { errorResponse } from "../http/responses.ts";
import { notLeadingCode } from "../operator/not-leading.ts";
import { serveSocket } from "../operator/socket.ts";
import { type Certificate, servedCertificate } from "../platform/certificate.ts";
import { cannotListen } from "../platform/listen-error.ts";
import { listenerTls } from "../platform/listener-tls.ts";
import type { Logger } from "../platform/log.ts";
import type { Random } from "../platform/random.ts";
import { urlOf } from "../platform/request-url.ts";
import { consoleCertificates, monitoringAccess } from "./console-listeners.ts";

export interface StandbyDeps {
  settings: Settings;
  random: Random;
  log: Logger;
  state(): FollowerState;
}

export interface Standby {
  url: string;
  stop(): Promise<void>;
}

const retryAfterSeconds = 2;
const retryAfter = { "Retry-After": `${retryAfterSeconds}` };

type AnswerPeer = (request: Request, peer: string) => Response;

export async function openStandby(deps: StandbyDeps): Promise<Standby> {
  const { settings, log, state } = deps;
  await using opened = new AsyncDisposableStack();
  const certificate = servedCertificate(settings.tls, log).current();
  const own = consoleCertificates(settings, log);
  function listen(setting: string, address: string, tls: Certificate | null, answer: AnswerPeer) {
    const { hostname, port } = hostPortOf(address);
    try {
      const server = Bun.serve({
        hostname,
        port,
        development: false,
        ...(tls !== null && { tls: listenerTls(tls) }),
        fetch: (request, self) => answer(request, self.requestIP(request)?.address ?? ""),
      });
      opened.defer(() => server.stop(true));
      return `${tls === null ? "http" : "https"}://${hostname}:${server.port}`;
    } catch (reason) {
      throw cannotListen("standby_listen", reason, address, setting);
    }
  }
  const answerPublic = (request: Request) => healthOf(request, state()) ?? publicAnswer(deps, request);
  const url = listen("--listen", settings.listen, certificate, answerPublic);
  const answerMonitoring = openMonitoring(deps);
  const answerConsole: AnswerPeer = (request, peer) => answerMonitoring(request, peer) ?? pageOf(state());
  listen("--console-listen", settings.consoleListen, own.console.current(), answerConsole);
  if (settings.portalListen !== null)
    listen("portal_listen", settings.portalListen, own.portal.current(), () => pageOf(state()));
  if (settings.dropIn.listen !== null)
    listen("drop_in.listen", settings.dropIn.listen, certificate, (request) =>
      unavailableResponse(urlOf(request).pathname),
    );
  const socket = await serveSocket(join(settings.dataDir, "peyk.sock"), (request) => {
    return (
      healthOf(request, state()) ?? Response.json({ code: notLeadingCode, message: sentence(state()) }, { status: 503 })
    );
  });
  opened.defer(socket.stop);
  const stack = opened.move();
  return { url, stop: () => stack.disposeAsync() };
}

function sentence({ leader, heldBy }: FollowerState): string {
  if (heldBy !== null) return `This node of the cluster waits until ${heldBy} closes its database.`;
  const who = leader === null ? "no node leads at the moment" : `${leader} leads`;
  return `This node of the cluster follows: ${who}. See: peyk cluster status`;
}

/** Health and metrics on the console's listener, as a node that leads serves them there. Null for any other path. */
function openMonitoring({ settings, state }: StandbyDeps): (request: Request, peer: string) => Response | null {
  const askerOf = askerFrom(settings.http.trustedProxies);
  const refusalOf = monitoringRefusals(monitoringAccess(settings));
  return (request, peer) => {
    if (!isMonitoring(request)) return null;
    const { address, isHidden } = askerOf(request, peer);
    const refused = refusalOf(request, isHidden ? null : address);
    if (refused !== null || urlOf(request).pathname !== metricsPath) return refused ?? healthOf(request, state());
    const headers = { "Content-Type": "text/plain; version=0.0.4", ...noSniff };
    return new Response(metricsOf(state()), { headers });
  };
}

/** Null for any other path. */
function healthOf(request: Request, state: FollowerState): Response | null {
  const { pathname } = urlOf(request);
  if (pathname === "/healthz") return Response.json({ status: "alive" });
  if (pathname !== "/readyz") return null;
  const checks = { leads: false, engine: state.hasEngine };
  return Response.json({ code: "not_ready", message: sentence(state), checks }, { status: 503, headers: retryAfter });
}

function publicAnswer({ random }: StandbyDeps, { headers }: Request): Response {
  const given = headers.get("x-correlation-id");
  const correlationId = given !== null && isCorrelationId(given) ? given : random.uuid();
  const message = "Another node of the service answers requests.";
  return errorResponse(new ApiError("service_unavailable", { message, retryAfterSeconds }), {
    correlationId,
    rateLimit: null,
  });
}

function pageOf(state: FollowerState): Response {
  const leader = state.leader ?? "—";
  const page =
    `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Peyk</title>` +
    `<body style="font-family: system-ui; max-width: 40rem; margin: 4rem auto; padding: 0 1rem">` +
    `<p>${Bun.escapeHTML(sentence(state))}</p>` +
    `<p lang="fa" dir="rtl">این گره پیرو است و گرهٔ <bdi>${Bun.escapeHTML(leader)}</bdi> پاسخ می‌دهد.</p></body></html>`;
  return new Response(page, {
    status: 503,
    headers: { ...retryAfter, "Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-store" },
  });
}

const metricsOf = ({ position, behind, hasEngine }: FollowerState): string =>
  [
    "# HELP peyk_cluster_leads Whether this node leads.\n# TYPE peyk_cluster_leads gauge\npeyk_cluster_leads 0",
    `# HELP peyk_cluster_entry The newest entry of the cluster's log that this node has.\n# TYPE peyk_cluster_entry gauge\npeyk_cluster_entry ${position}`,
    `# HELP peyk_cluster_behind_entries Entries that the leader has and this node lacks.\n# TYPE peyk_cluster_behind_entries gauge\npeyk_cluster_behind_entries ${behind}`,
    `# HELP peyk_cluster_engine_up Whether PostgreSQL answers.\n# TYPE peyk_cluster_engine_up gauge\npeyk_cluster_engine_up ${hasEngine ? 1 : 0}\n`,
  ].join("\n");
