/** Tests an HTTP route step by step, without sending a message. */

import { tryParseJson } from "../../domain/json-path.ts";
import type { CarrierAddress } from "../carrier-network.ts";
import { probeConnection } from "../connection.ts";
import { type ProbeStep, type ProviderDeps, probeStep, stepTimer } from "../provider.ts";
import { matches, reasonOfAnswer } from "./answer.ts";
import type { HttpOptions } from "./options.ts";
import { RouteRequests } from "./route-requests.ts";
import { ProviderRequestError } from "./send-request.ts";

type ProbeDeps = Pick<ProviderDeps, "clock" | "random" | "network">;

/** The steps `connect`, `tls` (for https) and `login`; the first that fails is the last. */
export async function probeHttp(options: HttpOptions, deps: ProbeDeps): Promise<ProbeStep[]> {
  const { steps, socket } = await probeConnection(addressOf(options), deps, options.responseTimeoutMs);
  socket?.destroy();
  if (socket === null) return steps;
  return [
    ...steps,
    options.probe === null
      ? probeStep("login", null, { code: "test_credentials_untried" })
      : await probeLogin(options, options.probe, deps),
  ];
}

function addressOf({ request, caFile }: HttpOptions): CarrierAddress {
  const { protocol, hostname, port } = new URL(request.url);
  const isSecure = protocol === "https:";
  return {
    host: hostname.replace(/^\[|\]$/g, ""),
    port: port === "" ? (isSecure ? 443 : 80) : Number(port),
    tls: isSecure ? { caFile, serverName: null } : null,
  };
}

/** Fills the probe's template, which sends no message. */
const noMessage = {
  messageId: 0,
  accountId: 0,
  trackingCode: "route-test",
  sender: "",
  recipient: "",
  text: "",
  encoding: "Latin",
  partCount: 1,
  class: 1,
  validUntil: 0,
  attempt: 1,
} as const;

async function probeLogin(
  options: HttpOptions,
  { request, accepted }: NonNullable<HttpOptions["probe"]>,
  deps: ProbeDeps,
): Promise<ProbeStep> {
  const requests = new RouteRequests(options, deps);
  const took = stepTimer(deps.clock);
  try {
    const answer = await requests.send(request, requests.valuesOf(noMessage));
    const ok = accepted.some((condition) => matches(condition, answer, tryParseJson(answer.body)));
    return { ...probeStep("login", ok, ok ? { code: "test_credentials_taken" } : reasonOfAnswer(answer)), ms: took() };
  } catch (error) {
    if (!(error instanceof ProviderRequestError)) throw error;
    return { step: "login", ok: false, detail: error.message, ms: took() };
  }
}
