/** One request to an HTTP provider and its answer, within one deadline, and what went wrong where there is none. */
import type { Clock } from "../../platform/clock.ts";
import { errorCode } from "../../platform/error-code.ts";
import type { ProviderAnswer } from "./answer.ts";
import type { ProviderRequest } from "./template.ts";

const answerOctetsMax = 64 * 1024;

/** No answer came. `sent`: the request may have reached the provider. */
export class ProviderRequestError extends Error {
  override readonly name = "ExchangeError";
  constructor(
    readonly sent: boolean,
    message: string,
  ) {
    super(message);
  }
}

export interface ProviderRequestOptions {
  clock: Clock;
  timeoutMs: number;
  /** PEM; null: the system's authorities. */
  authority: string | null;
}

/** Redirects are not followed: what comes back is the answer. @throws ExchangeError */
export async function sendProviderRequest(
  request: ProviderRequest,
  terms: ProviderRequestOptions,
): Promise<ProviderAnswer> {
  const abort = new AbortController();
  const late = new ProviderRequestError(true, `the provider did not answer within ${terms.timeoutMs} ms`);
  const timer = terms.clock.after(terms.timeoutMs, () => abort.abort(late));
  try {
    const { method, url, headers, body } = request;
    const response = await fetch(url, {
      method,
      headers,
      body,
      redirect: "manual",
      signal: abort.signal,
      ...(terms.authority === null ? {} : { tls: { ca: terms.authority } }),
    });
    return { status: response.status, headers: response.headers, body: await readBody(response) };
  } catch (error) {
    if (abort.signal.aborted) throw late;
    throw new ProviderRequestError(!neverSent(error), wordsFor(error));
  } finally {
    timer.cancel();
  }
}

async function readBody(response: Response): Promise<string> {
  if (response.body === null) return "";
  const chunks: Uint8Array[] = [];
  let octets = 0;
  for await (const chunk of response.body) {
    chunks.push(chunk);
    octets += chunk.length;
    if (octets >= answerOctetsMax) break;
  }
  return Buffer.concat(chunks).subarray(0, answerOctetsMax).toString("utf8");
}

/** What fetch says when it had no connection to write to. */
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

function neverSent(error: unknown): boolean {
  return connectFailures.has(errorCode(error));
}

/** Never the URL, which may hold the credentials. */
function wordsFor(error: unknown): string {
  const code = errorCode(error);
  if (neverSent(error)) return `the provider could not be reached (${code})`;
  return `the connection broke before an answer came${code === "" ? "" : ` (${code})`}`;
}
