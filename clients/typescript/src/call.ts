/** One call of the API: what it asks for, and what its caller may set. */

/** What an operation sends. Made by the generated operations. */
export interface Call {
  method: "GET" | "POST" | "PATCH" | "DELETE";
  path: string;
  /** Sent under an Idempotency-Key. */
  isKeyed?: boolean;
  /** False where a second request would do a second thing: repeated only if the first was refused. */
  isRepeatable?: boolean;
  query?: Readonly<Record<string, string | number | Date | null | undefined>>;
  body?: object;
}

export interface CallOptions {
  /** Comes back in errors and stands in the server's log; one is made for each call that names none. */
  correlationId?: string | undefined;
  /** Ends the call, its retries too. */
  signal?: AbortSignal | undefined;
}

export interface KeyedCallOptions extends CallOptions {
  /**
   * One key for one operation, at most 100 characters. Without it a random one covers the retries of this call. With one that you
   * store before the call, it can also be repeated after your own process has ended.
   */
  idempotencyKey?: string | undefined;
}

/** What fetch takes, and nothing more. */
export interface TransportRequest {
  method: string;
  headers: Record<string, string>;
  body?: string;
  signal: AbortSignal;
  redirect: "manual";
}

export interface TransportResponse {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  text(): Promise<string>;
}

/** Sends one request; `fetch` is one. Rejects where no answer came. */
export type Transport = (url: string, request: TransportRequest) => Promise<TransportResponse>;

/** @throws TypeError for a value that would make another path. */
export function segment(value: string): string {
  if (value === "" || value === "." || value === "..")
    throw new TypeError(`Not a code or id: ${JSON.stringify(value)}`);
  return encodeURIComponent(value);
}
