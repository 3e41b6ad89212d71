/** A request with its target and body undecoded, since each protocol reads them in charsets of its own. */
import { ApiError } from "../domain/api-error.ts";
import { clientOf } from "../domain/client-address.ts";
import { BodyBudget, type HeldBody } from "../http/body-budget.ts";
import { type BodyReader, bodyReader, declaredLength } from "../http/request-body.ts";
import type { Clock } from "../platform/clock.ts";

/** Why the body could not be read. */
export type BodyProblem = "too_large" | "too_slow" | "incomplete";

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
  /** Reads at most `bytesMax`; only the first caller gets it. Rejects only with BodiesBusy. */
  body(bytesMax: number): Promise<RawBody>;
}

/** As many octets of bodies are in flight as there may be: the client must try again. */
export class BodiesBusy extends Error {
  override readonly name = "BodiesBusy";
}

/**
 * A longer body counts as it arrives: 33 strangers who announced a megabyte each and sent none of it kept everybody
 * else's bodies out.
 */
const reservedMax = 16 * 1024;

/** Bun's replacement for octets in a target that are not UTF-8; other octets beyond ASCII arrive percent-encoded. */
const replaced = "%EF%BF%BD";

/** What every request is read with. */
interface Reading {
  bodies: BodyReader;
  budget: BodyBudget;
  addressOf: (peer: string, forwardedFor: string | null) => string;
}

export class RawRequests {
  readonly #reading: Reading;

  constructor(clock: Clock, addressOf: Reading["addressOf"]) {
    this.#reading = { bodies: bodyReader(clock), budget: new BodyBudget(), addressOf };
  }

  /** `peerOf`: the peer's address. Call `answered` once the request no longer needs its body. */
  of(request: Request, peerOf: () => string): IncomingRequest {
    return new IncomingRequest(request, peerOf, this.#reading);
  }
}

/** Reads only what a protocol asks for: most requests need neither a body nor their client's address. */
class IncomingRequest implements RawRequest {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly isGarbled: boolean;
  readonly #request: Request;
  readonly #peerOf: () => string;
  readonly #reading: Reading;
  #address: string | null = null;
  #held: HeldBody | null = null;

  constructor(request: Request, peerOf: () => string, reading: Reading) {
    const { path, query } = targetOf(request.url);
    this.method = request.method;
    this.path = path;
    this.query = query;
    this.isGarbled = request.url.includes(replaced);
    this.#request = request;
    this.#peerOf = peerOf;
    this.#reading = reading;
  }

  get address(): string {
    this.#address ??= this.#reading.addressOf(this.#peerOf(), this.header("x-forwarded-for"));
    return this.#address;
  }

  get contentType(): string {
    return this.header("content-type") ?? "";
  }

  readonly header = (name: string): string | null => this.#request.headers.get(name);

  async body(bytesMax: number): Promise<RawBody> {
    const { bodies, budget } = this.#reading;
    if ((declaredLength(this.#request.headers) ?? 0) > bytesMax) return { problem: "too_large" };
    // By the end of the body its client may be gone, and with it the address of the connection.
    this.#held ??= budget.open(clientOf(this.address));
    try {
      return { octets: await bodies.read(this.#request, bytesMax, this.#held, reservedMax) };
    } catch (reason) {
      if (reason instanceof ApiError) return { problem: problemOf(reason) };
      throw reason;
    }
  }

  answered(): void {
    this.#held?.release();
  }
}

/** @throws BodiesBusy */
function problemOf({ code }: ApiError): BodyProblem {
  if (code === "payload_too_large") return "too_large";
  if (code === "request_timeout") return "too_slow";
  if (code === "malformed_json") return "incomplete";
  throw new BodiesBusy();
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
