/** Sends one request to an HTTP provider with a deadline, and explains why if no answer came. */
import { describeReason, type Reason } from "../../domain/reason.ts";
import type { Clock } from "../../platform/clock.ts";
import { errorCode } from "../../platform/error-code.ts";
import { readUpTo } from "../../platform/response-body.ts";
import type { CarrierNetwork } from "../carrier-network.ts";
import type { ProviderAnswer } from "./answer.ts";
import type { ProviderRequest } from "./template.ts";

/** No answer came. `sent`: the request may have reached the provider. */
export class ProviderRequestError extends Error {
  override readonly name = "ProviderRequestError";
  constructor(
    readonly sent: boolean,
    readonly reason: Reason,
  ) {
    super(describeReason(reason));
  }
}

export interface ProviderRequestOptions {
  clock: Clock;
  network: Pick<CarrierNetwork, "fetch">;
  timeoutMs: number;
  /** PEM; null: the system's authorities. */
  authority: string | null;
  /** The rest of a longer answer is not read. */
  octetsMax: number;
}

/**
 * Redirects are not followed: they are returned as the answer. Nothing is decompressed: a few octets could become
 * gigabytes.
 * @throws ProviderRequestError
 */
export async function sendProviderRequest(
  request: ProviderRequest,
  options: ProviderRequestOptions,
): Promise<ProviderAnswer> {
  const abort = new AbortController();
  const late = new ProviderRequestError(true, { code: "no_answer", peer: "provider", afterMs: options.timeoutMs });
  const timer = options.clock.after(options.timeoutMs, () => abort.abort(late));
  try {
    const { method, url, body } = request;
    const headers = new Headers(request.headers);
    headers.set("Accept-Encoding", "identity");
    const response = await options.network.fetch(url, {
      method,
      headers,
      body,
      decompress: false,
      redirect: "manual",
      signal: abort.signal,
      ...(options.authority === null ? {} : { tls: { ca: options.authority } }),
    });
    return { status: response.status, headers: response.headers, body: await readBody(response, options.octetsMax) };
  } catch (error) {
    if (abort.signal.aborted) throw late;
    throw failureOf(error);
  } finally {
    timer.cancel();
  }
}

async function readBody(response: Response, octetsMax: number): Promise<string> {
  const encoding = response.headers.get("Content-Encoding") ?? "identity";
  if (encoding !== "identity") {
    await response.body?.cancel();
    return `(not read: encoded as ${encoding.slice(0, 40)}, which was not asked for)`;
  }
  return (await readUpTo(response, octetsMax)).subarray(0, octetsMax).toString("utf8");
}

/** Codes of fetch errors that mean no connection was made. */
const connectFailures = new Set([
  "ConnectionRefused",
  "FailedToOpenSocket",
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "CERT_HAS_EXPIRED",
  "CERT_NOT_YET_VALID",
  "ERR_TLS_CERT_ALTNAME_INVALID",
]);

/** Never contains the URL, which may hold the credentials. */
function failureOf(reason: unknown): ProviderRequestError {
  const error = errorCode(reason);
  return connectFailures.has(error)
    ? new ProviderRequestError(false, { code: "http_unreachable", error })
    : new ProviderRequestError(true, { code: "http_connection_lost", error });
}
