/**
 * What a drop-in protocol is: the paths it serves, and its answers to requests that are refused before they reach it.
 */
import type { RawRequest } from "./raw-request.ts";

export interface DropInAnswer {
  status: number;
  contentType: string;
  body: string;
  headers?: Readonly<Record<string, string>>;
  /** Closes the connection: the rest of the request is not read. */
  closes?: boolean;
}

/**
 * The outcome of a request for metrics: `accepted`, `asked` (it sends nothing), `sign_in`, `unread` (nobody could be
 * identified), or why it was refused.
 */
export interface ServedRequest {
  answer: DropInAnswer;
  outcome: string;
}

export interface DropInRoute {
  /** For metrics; one of a few. */
  name: string;
  /** A rejection other than BodiesBusy is a defect; `unavailable` answers both. */
  serve(request: RawRequest): Promise<ServedRequest>;
  /** The answer while the service starts or stops, if the store cannot write or memory for bodies is short, and after a defect. */
  unavailable: DropInAnswer;
}

export interface DropInProtocol {
  /** Null if the path does not belong to the protocol. */
  find(path: string): DropInRoute | null;
}

/** For a path that belongs to no protocol. */
export const notFound: DropInAnswer = { status: 404, contentType: "text/plain; charset=utf-8", body: "Not found" };

/** Bun copies them into each response, which is twice as fast as building them from an object. */
const plainHeaders = new Map<string, Headers>();
/** Protocols have a few types between them. */
const plainHeadersMax = 20;

function headersOf(contentType: string): Headers {
  const known = plainHeaders.get(contentType);
  if (known !== undefined) return known;
  const headers = new Headers({ "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff" });
  if (contentType !== "") headers.set("Content-Type", contentType);
  if (plainHeaders.size < plainHeadersMax) plainHeaders.set(contentType, headers);
  return headers;
}

export function responseOf({ status, contentType, body, headers: more, closes = false }: DropInAnswer): Response {
  const shared = headersOf(contentType);
  const headers = more === undefined && !closes ? shared : new Headers(shared);
  for (const [name, value] of Object.entries(more ?? {})) headers.set(name, value);
  if (closes) headers.set("Connection", "close");
  return new Response(body === "" && contentType === "" ? null : body, { status, headers });
}
