/** One attempt to deliver one callback: checks the destination, signs, sends, and has an outcome within ten seconds. */
import {
  type Destination,
  DestinationRefused,
  parseDestination,
  type TrustedDestinations,
} from "../domain/destination-url.ts";
import { retryAfterMs } from "../domain/retry-after.ts";
import { signCallback } from "../domain/signature.ts";
import type { Clock } from "../platform/clock.ts";
import { type DestinationGuard, DestinationNotAllowed, type DestinationRefusalReason } from "./destination-guard.ts";
import {
  type CallbackRequest,
  type CallbackResponse,
  type Transport,
  TransportFailed,
  type TransportFailure,
} from "./transport/transport.ts";

/** For a whole attempt: name, handshake, request and the response with its body (docs/api-rules.md, "Webhooks"). */
export const attemptMsMax = 10_000;

/** A callback to be sent. */
export interface Callback {
  url: string;
  eventId: string;
  /** `message.status`, `inbound.received` or `webhook.test`. */
  kind: string;
  /** The envelope, exactly as it is signed and sent. */
  body: string;
  signingSecret: string;
  /** 1 for the first attempt. */
  attempt: number;
}

export type AttemptFailure =
  | Exclude<TransportFailure, "aborted">
  | DestinationRefusalReason
  /** The URL breaks a rule that it did not break when it was registered (a trusted destination was taken off the list). */
  | "destination_refused"
  /** A response came, and its status is not 2xx. */
  | "status"
  /** Ten seconds were not enough. */
  | "timeout"
  /** The webhook was removed or switched off, its account was suspended, or the service stops. */
  | "stopped";

export interface AttemptOutcome {
  /** Null: the receiver accepted the callback. */
  failure: AttemptFailure | null;
  /** For the operator; empty if `status` says it all. */
  detail: string;
  status: number | null;
  /** The address that was dialled; null if none was. */
  address: string | null;
  durationMs: number;
  /** The first bytes of the response's body, at most 4 KiB. */
  excerpt: Uint8Array;
  /** The wait that the receiver asked for, at most an hour. */
  retryAfterMs: number | null;
}

export interface CallbackAttemptsDeps {
  clock: Clock;
  guard: DestinationGuard;
  transport: Transport;
  trusted: TrustedDestinations;
}

/** What is known before the address and the duration are added. */
type DeliveryResult = Pick<AttemptOutcome, "failure"> & Partial<AttemptOutcome>;

const defaultOutcome = { detail: "", status: null, excerpt: new Uint8Array(), retryAfterMs: null };

function signedHeaders({ eventId, kind, signingSecret, body }: Callback, now: number): Record<string, string> {
  const timestamp = Math.floor(now / 1000);
  return {
    "Content-Type": "application/json",
    "User-Agent": "Peyk",
    "X-Service-Event-Id": eventId,
    "X-Service-Event": kind,
    "X-Service-Timestamp": String(timestamp),
    "X-Service-Signature": signCallback(signingSecret, timestamp, body),
  };
}

/** @throws whatever is a defect. */
function failedResult(error: unknown): DeliveryResult {
  if (error instanceof DestinationNotAllowed) return { failure: error.reason, detail: error.message };
  if (error instanceof DestinationRefused) return { failure: "destination_refused", detail: error.message };
  if (!(error instanceof TransportFailed)) throw error;
  return { failure: error.failure === "aborted" ? "stopped" : error.failure, detail: error.message };
}

function respondedResult({ status, body, retryAfter }: CallbackResponse, now: number): DeliveryResult {
  const isAccepted = status >= 200 && status <= 299;
  return {
    failure: isAccepted ? null : "status",
    status,
    excerpt: body,
    retryAfterMs: isAccepted ? null : retryAfterMs(retryAfter, now),
  };
}

export class CallbackAttempts {
  readonly #deps: CallbackAttemptsDeps;

  constructor(deps: CallbackAttemptsDeps) {
    this.#deps = deps;
  }

  /** Resolves by the deadline even if an abort does not take effect; rejects only on a defect. `stop` ends the attempt early. */
  async run(callback: Callback, stop: AbortSignal): Promise<AttemptOutcome> {
    const { clock } = this.#deps;
    const startedAt = clock.monotonic();
    const abort = new AbortController();
    const ended = Promise.withResolvers<DeliveryResult>();
    const end = (failure: AttemptFailure) => {
      ended.resolve({ failure });
      abort.abort();
    };
    const onStop = () => end("stopped");
    const deadline = clock.after(attemptMsMax, () => end("timeout"));
    stop.addEventListener("abort", onStop);
    if (stop.aborted) onStop();
    let address: string | null = null;
    const delivery = this.#deliver(callback, abort.signal, (dialled) => {
      address = dialled;
    });
    try {
      const result = await Promise.race([ended.promise, delivery.catch(failedResult)]);
      return { ...defaultOutcome, ...result, address, durationMs: clock.monotonic() - startedAt };
    } finally {
      deadline.cancel();
      stop.removeEventListener("abort", onStop);
    }
  }

  /** `onDial` is called with the address before it is dialled. */
  async #deliver(callback: Callback, signal: AbortSignal, onDial: (address: string) => void): Promise<DeliveryResult> {
    const { clock, guard, transport, trusted } = this.#deps;
    const destination = parseDestination(callback.url, trusted);
    const addresses = await guard.addressesOf(destination);
    if (signal.aborted) throw new TransportFailed("aborted", "ended while resolving");
    // A further attempt takes the next address: the one before may be what is broken.
    const address = addresses[(callback.attempt - 1) % addresses.length];
    if (address === undefined) throw new DestinationNotAllowed("name_not_found", `${destination.host} has no address`);
    onDial(address);
    const response = await transport.post(this.#requestTo(destination, address, callback), signal);
    return respondedResult(response, clock.now());
  }

  #requestTo({ href, host, port }: Destination, address: string, callback: Callback): CallbackRequest {
    const { pathname, search } = new URL(href);
    const headers = signedHeaders(callback, this.#deps.clock.now());
    const body = new TextEncoder().encode(callback.body);
    return { address, host, port, target: `${pathname}${search}`, headers, body };
  }
}
