/** One attempt to deliver one callback: checks the destination, signs, sends, and has an outcome within ten seconds. */
import {
  type Destination,
  DestinationRefused,
  parseDestination,
  type TrustedDestinations,
} from "../domain/destination-url.ts";
import { retryAfterMs } from "../domain/retry-after.ts";
import { signatureHeaders } from "../domain/signature.ts";
import type { Clock } from "../platform/clock.ts";
import { rememberLatest } from "../platform/remember-latest.ts";
import type { AnswerGate } from "../store/replication.ts";
import { type DestinationGuard, DestinationNotAllowed, type DestinationRefusalReason } from "./destination-guard.ts";
import {
  type CallbackRequest,
  type CallbackResponse,
  type Transport,
  TransportFailed,
  type TransportFailure,
} from "./transport/transport.ts";

/**
 * For a whole attempt: name lookup, handshake, request and the response with its body (docs/api-rules.md, "Webhooks").
 */
export const attemptMsMax = 10_000;

const destinationsMax = 1_000;

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

/** A request and its destination. */
export interface OutgoingCallback {
  destination: Destination;
  method: "GET" | "POST";
  /** Signed, if at all, with the time of `now` (epoch milliseconds). */
  headers(now: number): Readonly<Record<string, string>>;
  body: string;
  /** 1 for the first attempt. */
  attempt: number;
  /** True if a 2xx response with this body means that it arrived. */
  isAcknowledged?(body: Uint8Array): boolean;
}

export type AttemptFailure =
  | Exclude<TransportFailure, "aborted">
  | DestinationRefusalReason
  /** The URL breaks a rule that it did not break when it was registered (a trusted destination was taken off the list). */
  | "destination_refused"
  /** There was a response, but its status is not 2xx. */
  | "status"
  /** The response is 2xx, but not the protocol's acknowledgement. */
  | "not_acknowledged"
  /** Ten seconds were not enough. */
  | "timeout"
  /** The webhook was removed or switched off, its account was suspended, or the service stops. */
  | "stopped";

const everyOutcome: Readonly<Record<AttemptFailure | "delivered", null>> = {
  delivered: null,
  connect_failed: null,
  certificate_refused: null,
  tls_failed: null,
  connection_lost: null,
  malformed_answer: null,
  name_not_found: null,
  resolver_failed: null,
  address_refused: null,
  destination_refused: null,
  status: null,
  not_acknowledged: null,
  timeout: null,
  stopped: null,
};
/** Every failure, and `delivered`: a metric knows them before the first happens. */
export const attemptOutcomes: readonly string[] = Object.keys(everyOutcome);

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
  /** Awaited before an attempt: a node that takes over must know what it reveals. Null without a cluster. */
  gate?: Pick<AnswerGate, "pass"> | null;
}

/** The result before the address and the duration are added. */
type DeliveryResult = Pick<AttemptOutcome, "failure"> & Partial<AttemptOutcome>;

const defaultOutcome = { detail: "", status: null, excerpt: new Uint8Array(), retryAfterMs: null };

function signedHeaders({ eventId, kind, signingSecret, body }: Callback, now: number): Record<string, string> {
  return {
    "Content-Type": "application/json",
    "User-Agent": "Peyk",
    "X-Service-Event-Id": eventId,
    "X-Service-Event": kind,
    ...signatureHeaders(signingSecret, now, body),
  };
}

/** @throws anything that is a bug. */
function failedResult(error: unknown): DeliveryResult {
  if (error instanceof DestinationNotAllowed) return { failure: error.reason, detail: error.message };
  if (error instanceof DestinationRefused) return { failure: "destination_refused", detail: error.message };
  if (!(error instanceof TransportFailed)) throw error;
  return { failure: error.failure === "aborted" ? "stopped" : error.failure, detail: error.message };
}

function respondedResult(
  { status, body, retryAfter }: CallbackResponse,
  now: number,
  isAcknowledged: OutgoingCallback["isAcknowledged"],
): DeliveryResult {
  const isAccepted = status >= 200 && status <= 299;
  const failure = isAcknowledged?.(body) === false ? "not_acknowledged" : null;
  return {
    failure: isAccepted ? failure : "status",
    status,
    excerpt: body,
    retryAfterMs: isAccepted ? null : retryAfterMs(retryAfter, now),
  };
}

export class CallbackAttempts {
  /** Those of webhooks, by URL: its rules are the settings', which stay as they are while the service runs. */
  readonly #destinationOf: (url: string) => Destination;

  constructor(private readonly deps: CallbackAttemptsDeps) {
    this.#destinationOf = rememberLatest((url) => parseDestination(url, deps.trusted), destinationsMax);
  }

  /** Resolves by the deadline even if an abort has no effect; rejects only on a bug. `stop` ends the attempt early. */
  run(callback: Callback, stop: AbortSignal): Promise<AttemptOutcome> {
    return this.send(() => this.outgoing(callback), stop);
  }

  /** Like `run`. `outgoing` may throw DestinationRefused. */
  async send(outgoing: () => OutgoingCallback, stop: AbortSignal): Promise<AttemptOutcome> {
    const { clock, gate } = this.deps;
    await gate?.pass();
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
    const delivery = this.#deliver(outgoing, abort.signal, (dialled) => {
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

  /** Throws DestinationRefused. */
  outgoing(callback: Callback): OutgoingCallback {
    const { attempt, body } = callback;
    const destination = this.#destinationOf(callback.url);
    return { destination, method: "POST", headers: (now) => signedHeaders(callback, now), body, attempt };
  }

  /** `onDial` is called with the address before it is dialled. */
  async #deliver(
    outgoing: () => OutgoingCallback,
    signal: AbortSignal,
    onDial: (address: string) => void,
  ): Promise<DeliveryResult> {
    const { clock, guard, transport } = this.deps;
    const callback = outgoing();
    const { destination, attempt } = callback;
    const addresses = await guard.addressesOf(destination);
    if (signal.aborted) throw new TransportFailed("aborted", "ended while resolving");
    // Each further attempt uses the next address, in case the previous one is broken.
    const address = addresses[(attempt - 1) % addresses.length];
    if (address === undefined) throw new DestinationNotAllowed("name_not_found", `${destination.host} has no address`);
    onDial(address);
    const response = await transport.post(requestTo(callback, address, clock.now()), signal);
    return respondedResult(response, clock.now(), callback.isAcknowledged);
  }
}

function requestTo(
  { destination, method, headers, body }: OutgoingCallback,
  address: string,
  now: number,
): CallbackRequest {
  const { host, port, target, isPlain = false } = destination;
  return { method, isPlain, address, host, port, target, headers: headers(now), body: new TextEncoder().encode(body) };
}
