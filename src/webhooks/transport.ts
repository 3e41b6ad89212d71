/** How a callback travels: one POST to one judged address, over TLS verified against the name, and nothing followed. */

/** A request that is ready to go out. */
export interface CallbackRequest {
  /** The judged address that is dialled; nothing is resolved from here on. */
  address: string;
  port: number;
  /** The name that the certificate must carry: the destination's host, which may itself be an address. */
  host: string;
  /** Path and query as the request line has them. */
  target: string;
  headers: Readonly<Record<string, string>>;
  body: Uint8Array;
}

/** Why no usable answer came. Each is a public word of the operator's timeline and of the metrics. */
export type TransportFailure =
  /** Nobody listens there, no way leads there, or the connection ended before TLS stood. */
  | "connect_failed"
  /** The certificate is expired, of an unknown authority, or for another name. */
  | "certificate_refused"
  /** TLS could not be agreed on for another reason. */
  | "tls_failed"
  /** The connection ended before the answer did. */
  | "connection_lost"
  /** What came is no HTTP/1.1 answer. */
  | "malformed_answer"
  /** The signal ended it: the deadline or a stop. */
  | "aborted";

export class TransportFailed extends Error {
  override readonly name = "TransportFailed";
  constructor(
    readonly failure: TransportFailure,
    detail: string,
    /** Not one byte of an answer had come. */
    readonly isBeforeAnswer = false,
  ) {
    super(detail);
  }
}

/** The answer as far as it was read. */
export interface CallbackAnswer {
  status: number;
  retryAfter: string | null;
  /** At most 4 KiB. */
  body: Uint8Array;
}

export interface Transport {
  /**
   * Sends one request and reads its answer. No deadline of its own: `signal` carries it, and ends the attempt at any stage.
   * @throws TransportFailed
   */
  post(request: CallbackRequest, signal: AbortSignal): Promise<CallbackAnswer>;
  /** Lets go of every idle connection; those in use end with their requests. */
  close(): void;
}
