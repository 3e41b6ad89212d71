/** One attempt to deliver one callback: judged, signed, sent, and whatever happens told as a result within ten seconds. */
import {
  type Destination,
  DestinationRefused,
  parseDestination,
  type TrustedDestinations,
} from "../domain/destination-url.ts";
import { signCallback } from "../domain/signature.ts";
import type { Clock } from "../platform/clock.ts";
import { type DestinationGuard, DestinationNotAllowed, type DestinationRefusalReason } from "./destination-guard.ts";
import { retryAfterMs } from "./retry-after.ts";
import {
  type CallbackResponse,
  type Transport,
  TransportFailed,
  type TransportFailure,
} from "./transport/transport.ts";

/** For a whole attempt: the name, the handshake, the request and the answer's body (decisions, "Webhooks"). */
export const attemptMsMax = 10_000;

/** A callback as it is handed over. */
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
  /** An answer came, and its status is not 2xx. */
  | "status"
  /** Ten seconds were not enough. */
  | "timeout"
  /** The subscription was deleted or switched off, or the service stops. */
  | "stopped";

/** What became of an attempt. `failure` is null exactly where the receiver took the callback. */
export interface AttemptResult {
  failure: AttemptFailure | null;
  /** For the operator's timeline; empty where `status` tells it all. */
  detail: string;
  status: number | null;
  /** The address that was dialled; null where none was. */
  address: string | null;
  durationMs: number;
  /** The answer's first bytes, at most 4 KiB. */
  excerpt: Uint8Array;
  /** What the receiver asked for, at most an hour. */
  retryAfterMs: number | null;
}

export interface AttemptOptions {
  clock: Clock;
  guard: DestinationGuard;
  transport: Transport;
  trusted: TrustedDestinations;
}

type Course = { address: string | null };
type Ending = Partial<AttemptResult> & { failure: AttemptFailure | null };

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

function endingOf(error: unknown): Ending {
  if (error instanceof DestinationNotAllowed) return { failure: error.reason, detail: error.message };
  if (error instanceof DestinationRefused) return { failure: "destination_refused", detail: error.message };
  if (!(error instanceof TransportFailed)) throw error;
  return { failure: error.failure === "aborted" ? "stopped" : error.failure, detail: error.message };
}

function responseEnding({ status, body, retryAfter }: CallbackResponse, now: number): Ending {
  const isTaken = status >= 200 && status <= 299;
  return {
    failure: isTaken ? null : "status",
    status,
    excerpt: body,
    retryAfterMs: isTaken ? null : retryAfterMs(retryAfter, now),
  };
}

export class CallbackAttempts {
  constructor(readonly options: AttemptOptions) {}

  /** Never later than the deadline, even where something below does not let go; rejects only on a defect. `stop` ends it early. */
  async run(callback: Callback, stop: AbortSignal): Promise<AttemptResult> {
    const { clock } = this.options;
    const begun = clock.monotonic();
    const ending = new AbortController();
    const course: Course = { address: null };
    const cut = Promise.withResolvers<Ending>();
    const end = (failure: AttemptFailure) => {
      cut.resolve({ failure });
      ending.abort();
    };
    const onStop = () => end("stopped");
    const timer = clock.after(attemptMsMax, () => end("timeout"));
    stop.addEventListener("abort", onStop);
    if (stop.aborted) onStop();
    try {
      const {
        detail = "",
        status = null,
        excerpt = new Uint8Array(),
        retryAfterMs = null,
        failure,
      } = await Promise.race([cut.promise, this.#deliver(callback, course, ending.signal).catch(endingOf)]);
      return {
        failure,
        detail,
        status,
        excerpt,
        retryAfterMs,
        address: course.address,
        durationMs: clock.monotonic() - begun,
      };
    } finally {
      timer.cancel();
      stop.removeEventListener("abort", onStop);
    }
  }

  async #deliver(callback: Callback, course: Course, signal: AbortSignal): Promise<Ending> {
    const { clock, guard, transport, trusted } = this.options;
    const destination = parseDestination(callback.url, trusted);
    const addresses = await guard.addressesOf(destination);
    if (signal.aborted) throw new TransportFailed("aborted", "ended while resolving");
    // A further attempt takes the next address: the one before may be what is broken.
    course.address = addresses[(callback.attempt - 1) % addresses.length] ?? null;
    if (course.address === null)
      throw new DestinationNotAllowed("name_not_found", `${destination.host} has no address`);
    const answer = await transport.post(this.#requestTo(destination, course.address, callback), signal);
    return responseEnding(answer, clock.now());
  }

  #requestTo({ href, host, port }: Destination, address: string, callback: Callback) {
    const { pathname, search } = new URL(href);
    const headers = signedHeaders(callback, this.options.clock.now());
    return {
      address,
      host,
      port,
      target: `${pathname}${search}`,
      headers,
      body: new TextEncoder().encode(callback.body),
    };
  }
}
