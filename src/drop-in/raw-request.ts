/** A request with its target and body undecoded, since each protocol reads them in charsets of its own. */
import { ApiError } from "../domain/api-error.ts";
import { BodyBudget } from "../http/body-budget.ts";
import { bodyReader } from "../http/request-body.ts";
import type { Clock } from "../platform/clock.ts";

/** Why the body could not be read. */
export type BodyProblem = "too_large" | "too_slow" | "incomplete" | "busy";

export type RawBody = { octets: Uint8Array<ArrayBuffer> } | { problem: BodyProblem };

export interface RawRequest {
  method: string;
  /** Percent-encoded, like the query. */
  path: string;
  /** Without the question mark. */
  query: string;
  /** The target held raw octets that are not UTF-8; Bun has replaced them, so the originals are lost. */
  isGarbled: boolean;
  /** The client's address: a trusted proxy's own if it forwarded none. */
  address: string;
  contentType: string;
  header(name: string): string | null;
  /** Reads at most `bytesMax`; only the first caller gets it. Never rejects. */
  body(bytesMax: number): Promise<RawBody>;
}

/** One budget covers the bodies of all credentials. */
const allCredentials = 0;

/** Bun's replacement for octets in a target that are not UTF-8; other octets beyond ASCII arrive percent-encoded. */
const replaced = "%EF%BF%BD";

export class RawRequests {
  readonly #bodies;
  readonly #budget = new BodyBudget();
  readonly #addressOf: (peer: string, forwardedFor: string | null) => string;

  constructor(clock: Clock, addressOf: (peer: string, forwardedFor: string | null) => string) {
    this.#bodies = bodyReader(clock);
    this.#addressOf = addressOf;
  }

  /** Call `answered` once the request no longer needs its body. */
  of(request: Request, peer: string): { raw: RawRequest; answered(): void } {
    const held = this.#budget.open(allCredentials);
    const { path, query } = targetOf(request.url);
    const { headers, method } = request;
    const read = async (bytesMax: number): Promise<RawBody> => {
      if (Number(headers.get("content-length") ?? 0) > bytesMax) return { problem: "too_large" };
      try {
        return { octets: await this.#bodies.read(request, bytesMax, held) };
      } catch (reason) {
        if (reason instanceof ApiError) return { problem: problemOf(reason) };
        throw reason;
      }
    };
    const raw: RawRequest = {
      method,
      path,
      query,
      isGarbled: request.url.includes(replaced),
      address: this.#addressOf(peer, headers.get("x-forwarded-for")),
      contentType: headers.get("content-type") ?? "",
      header: (name) => headers.get(name),
      body: read,
    };
    return { raw, answered: () => held.release() };
  }
}

function problemOf({ code }: ApiError): BodyProblem {
  if (code === "payload_too_large") return "too_large";
  if (code === "request_timeout") return "too_slow";
  return code === "malformed_json" ? "incomplete" : "busy";
}

/** Bun gives the whole URL for absolute and origin form, but only the target for HTTP/1.0 without a Host. */
function targetOf(url: string): { path: string; query: string } {
  const scheme = url.startsWith("/") ? -1 : url.indexOf("://");
  const host = scheme === -1 ? 0 : scheme + 3;
  const [slash, mark] = [url.indexOf("/", host), url.indexOf("?", host)];
  const end = mark === -1 ? url.length : mark;
  const path = slash === -1 || slash > end ? "/" : url.slice(slash, end);
  return { path, query: mark === -1 ? "" : url.slice(mark + 1) };
}
