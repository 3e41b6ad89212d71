/**
 * How a callback is sent: one request to one checked address, over TLS verified for the name, without following
 * redirects.
 */

/** A request that is ready to be sent. */
export interface CallbackRequest {
  /** POST by default. */
  method?: "GET" | "POST";
  /** Without TLS: only where an operator listed the origin. */
  isPlain?: boolean;
  /** The checked address to dial; nothing is resolved from here on. */
  address: string;
  port: number;
  /** The name that the certificate must match: the destination's host, which may itself be an address. */
  host: string;
  /** Path and query as in the request line. */
  target: string;
  headers: Readonly<Record<string, string>>;
  body: Uint8Array;
}

/** Why there is no usable response. Operators see each in deliveries, logs and metrics. */
export type TransportFailure =
  /** Nothing listens there, there is no network route, or the connection ended before the TLS handshake did. */
  | "connect_failed"
  /** The certificate has expired, is from an unknown authority, or is for another name. */
  | "certificate_refused"
  /** The TLS handshake failed for another reason. */
  | "tls_failed"
  /** The connection ended before the response did. */
  | "connection_lost"
  /** The data received is not an HTTP/1.1 response. */
  | "malformed_answer"
  /** The signal ended it: the deadline or a stop. */
  | "aborted";

export class TransportFailed extends Error {
  override readonly name = "TransportFailed";
  constructor(
    readonly failure: TransportFailure,
    detail: string,
    /** No byte of a response had arrived. */
    readonly isBeforeResponse = false,
  ) {
    super(detail);
  }
}

/** The response as far as it was read. */
export interface CallbackResponse {
  status: number;
  retryAfter: string | null;
  /** At most 4 KiB. */
  body: Uint8Array;
}

export interface Transport {
  /**
   * Sends one request and reads its response. It has no deadline of its own: `signal` ends it at any stage.
   * @throws TransportFailed
   */
  post(request: CallbackRequest, signal: AbortSignal): Promise<CallbackResponse>;
  /** Closes every idle connection; those in use end with their requests. */
  close(): void;
}
