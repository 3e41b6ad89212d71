/** Tries an HTTP route out without sending a message, and says how far it came. */
import { readFileSync } from "node:fs";
import { describeReason } from "../../domain/reason-text.ts";
import type { Clock } from "../../platform/clock.ts";
import { type CarrierAddress, ConnectionError, openConnection } from "../connection.ts";
import { matches, reasonOfAnswer } from "./answer.ts";
import { tryParseJson } from "./json-path.ts";
import { callbackUrls, type HttpOptions } from "./options.ts";
import { ProviderRequestError, sendProviderRequest } from "./send-request.ts";
import { fillRequest, valuesFor } from "./template.ts";

export interface ProbeStep {
  step: string;
  ok: boolean;
  detail: string;
}

/** The steps `connect`, `tls` (for https) and `login` (where the file or the preset says how); the first that fails is the last. */
export async function probeHttp(options: HttpOptions, clock: Clock): Promise<ProbeStep[]> {
  const steps = await probeConnection(options, clock);
  const isReached = steps.every(({ ok }) => ok);
  return isReached && options.probe !== null ? [...steps, await probeLogin(options, options.probe, clock)] : steps;
}

async function probeConnection(options: HttpOptions, clock: Clock): Promise<ProbeStep[]> {
  const peer = peerOf(options);
  const socket = await openConnection(peer, clock, options.responseTimeoutMs).opened.catch((error: unknown) =>
    error instanceof ConnectionError ? error : new ConnectionError("connect", String(error)),
  );
  const failure = socket instanceof ConnectionError ? socket : null;
  if (!(socket instanceof ConnectionError)) socket.destroy();
  const isReached = failure?.step !== "connect";
  const steps = [{ step: "connect", ok: isReached, detail: isReached ? `${peer.host}:${peer.port}` : failure.message }];
  if (isReached && peer.tls !== null) {
    steps.push({ step: "tls", ok: failure === null, detail: failure?.message ?? "the certificate is good" });
  }
  return steps;
}

function peerOf({ request, caFile }: HttpOptions): CarrierAddress {
  const { protocol, hostname, port } = new URL(request.url);
  const isSecure = protocol === "https:";
  return {
    host: hostname.replace(/^\[|\]$/g, ""),
    port: port === "" ? (isSecure ? 443 : 80) : Number(port),
    tls: isSecure ? { caFile, serverName: null } : null,
  };
}

/** The probe's template is filled like a message that nobody gets. */
const nobody = {
  messageId: 0,
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
  clock: Clock,
): Promise<ProbeStep> {
  const { username, password, token, responseTimeoutMs, caFile } = options;
  const values = valuesFor(nobody, { username, password, token, ...callbackUrls(options) }, clock.now());
  const authority = caFile === null ? null : readFileSync(caFile, "utf8");
  try {
    const answer = await sendProviderRequest(fillRequest(request, values), {
      clock,
      timeoutMs: responseTimeoutMs,
      authority,
    });
    const ok = accepted.some((condition) => matches(condition, answer, tryParseJson(answer.body)));
    const detail = ok ? "the provider takes the credentials" : describeReason(reasonOfAnswer(answer));
    return { step: "login", ok, detail };
  } catch (error) {
    if (!(error instanceof ProviderRequestError)) throw error;
    return { step: "login", ok: false, detail: error.message };
  }
}
