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

/** The outcome of a request for metrics: `accepted`, `asked` (it sends nothing), `sign_in`, or why it was refused. */
export interface ServedRequest {
  answer: DropInAnswer;
  outcome: string;
}

export interface DropInRoute {
  /** For metrics; one of a few. */
  name: string;
  /** A rejection is a defect, and `unavailable` answers it. */
  serve(request: RawRequest): Promise<ServedRequest>;
  /** The answer while the service starts or stops, if the store cannot write, and after a defect. */
  unavailable: DropInAnswer;
}

export interface DropInProtocol {
  /** Null if the path does not belong to the protocol. */
  find(path: string): DropInRoute | null;
}

/** For a path that belongs to no protocol. */
export const notFound: DropInAnswer = { status: 404, contentType: "text/plain; charset=utf-8", body: "Not found" };

export function responseOf({ status, contentType, body, headers = {}, closes = false }: DropInAnswer): Response {
  return new Response(body === "" && contentType === "" ? null : body, {
    status,
    headers: {
      ...(contentType !== "" && { "Content-Type": contentType }),
      "Cache-Control": "no-store",
      "X-Content-Type-Options": "nosniff",
      ...headers,
      ...(closes && { Connection: "close" }),
    },
  });
}
