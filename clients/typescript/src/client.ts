/** The client: one key for each call, kept over its retries. */
import { randomUUID } from "node:crypto";
import { env } from "node:process";
import type { Call, CallOptions, KeyedCallOptions, Transport, TransportResponse } from "./call.ts";
import { errorAnswerIn, PeykApiError, PeykConnectionError } from "./errors.ts";
import {
  type InboundMessage,
  type InboundMessagePage,
  type ListInboundMessagesQuery,
  Operations,
} from "./generated.ts";

export interface PeykOptions {
  /** Of the service, such as `https://sms.example.com`: PEYK_URL of the environment unless given. */
  baseUrl?: string | undefined;
  /** PEYK_API_KEY of the environment unless given. */
  apiKey?: string | undefined;
  /** How often a call is repeated after its first attempt: 6, which takes about 15 seconds. */
  retriesMax?: number | undefined;
  /** Of one attempt, its answer included: 30 seconds. */
  timeoutMs?: number | undefined;
  /** A longer `Retry-After` is not waited for, but thrown: 60 seconds. */
  waitMsMax?: number | undefined;
  /** In place of `fetch`. */
  transport?: Transport | undefined;
  /** For tests: resolves after so many milliseconds, rejects once the signal is aborted. */
  sleep?: ((ms: number, signal?: AbortSignal) => Promise<void>) | undefined;
  /** For tests: 0 to 1. */
  random?: (() => number) | undefined;
  /** For tests: epoch milliseconds. */
  now?: (() => number) | undefined;
}

type Settings = { readonly [Name in keyof PeykOptions]-?: NonNullable<PeykOptions[Name]> };

const firstDelayMs = 250;
const delayMsMax = 8_000;

function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, ms);
    signal?.addEventListener("abort", stop, { once: true });
    if (signal?.aborted) stop();
  });
}

const variables = { baseUrl: "PEYK_URL", apiKey: "PEYK_API_KEY" } as const;

function given(name: keyof typeof variables, value = ""): string {
  if (value !== "") return value;
  throw new TypeError(`Set ${variables[name]}, or give new Peyk() the option ${name}`);
}

/** One attempt: an answer of the service, or what prevented one. */
type Attempt = { response: TransportResponse; text: string } | { cause: unknown };

export class Peyk extends Operations {
  readonly #options: Settings;

  /** @throws TypeError where neither the options nor the environment name the service and its key. */
  constructor(options: PeykOptions = {}) {
    super();
    const { retriesMax = 6, timeoutMs = 30_000, waitMsMax = 60_000, random = Math.random, now = Date.now } = options;
    const { transport = (url, request) => fetch(url, request), sleep: pause = sleep } = options;
    const baseUrl = new URL(given("baseUrl", options.baseUrl ?? env.PEYK_URL)).href.replace(/\/+$/, "");
    const apiKey = given("apiKey", options.apiKey ?? env.PEYK_API_KEY);
    this.#options = { baseUrl, apiKey, retriesMax, timeoutMs, waitMsMax, transport, sleep: pause, random, now };
  }

  /** Every received message from `query.after` on, page by page, until none is left. */
  async *inboundMessages(query: ListInboundMessagesQuery = {}, options?: CallOptions): AsyncGenerator<InboundMessage> {
    for await (const page of this.inboundPages(query, options)) yield* page.items;
  }

  /** The pages themselves: store `nextCursor` once a page is dealt with, and go on from there later. */
  async *inboundPages(query: ListInboundMessagesQuery = {}, options?: CallOptions): AsyncGenerator<InboundMessagePage> {
    for (let after = query.after; ; ) {
      const page = await this.listInboundMessages({ ...query, after }, options);
      yield page;
      if (!page.hasMore) return;
      after = page.nextCursor;
    }
  }

  protected async call<Answer>(call: Call, options: KeyedCallOptions = {}): Promise<Answer> {
    const { retriesMax, sleep: pause } = this.#options;
    const { signal, correlationId = randomUUID() } = options;
    const idempotencyKey = call.isKeyed ? (options.idempotencyKey ?? randomUUID()) : null;
    let wasLost = false;
    for (let attempts = 1; ; attempts += 1) {
      const attempt = await this.#attempt(call, correlationId, idempotencyKey, signal);
      const identity = { correlationId, idempotencyKey, attempts };
      const refusal = this.#refusalOf(attempt, identity);
      if (refusal === null && "text" in attempt) return answerIn(attempt.text);
      // An earlier attempt has removed it, and its answer was lost.
      if (wasLost && call.method === "DELETE" && isMissing(refusal)) return answerIn("");
      const delayMs = attempts > retriesMax ? null : this.#delayMsAfter(refusal, call, attempts);
      if (delayMs === null) throw refusal;
      wasLost ||= !(refusal instanceof PeykApiError) || refusal.status >= 500;
      await pause(delayMs, signal);
    }
  }

  async #attempt(call: Call, correlationId: string, key: string | null, signal?: AbortSignal): Promise<Attempt> {
    const { apiKey, timeoutMs, transport } = this.#options;
    signal?.throwIfAborted();
    const deadline = AbortSignal.timeout(timeoutMs);
    const headers = {
      "X-API-Key": apiKey,
      "X-Correlation-Id": correlationId,
      Accept: "application/json",
      ...(key !== null && { "Idempotency-Key": key }),
      ...(call.body && { "Content-Type": "application/json" }),
    };
    try {
      const response = await transport(this.#urlOf(call), {
        method: call.method,
        headers,
        ...(call.body && { body: JSON.stringify(call.body) }),
        signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
        redirect: "manual",
      });
      const text = await response.text();
      // An answer that was cut short is none.
      if (isSuccess(response)) answerIn(text);
      return { response, text };
    } catch (cause) {
      signal?.throwIfAborted();
      return { cause };
    }
  }

  #urlOf({ path, query = {} }: Call): string {
    const parameters = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) {
      if (value !== null && value !== undefined) {
        parameters.set(name, value instanceof Date ? value.toISOString() : String(value));
      }
    }
    return `${this.#options.baseUrl}${path}${parameters.size > 0 ? `?${parameters}` : ""}`;
  }

  #refusalOf(attempt: Attempt, identity: ConstructorParameters<typeof PeykConnectionError>[0]) {
    if ("cause" in attempt) return new PeykConnectionError(identity, attempt.cause);
    const { response, text } = attempt;
    if (isSuccess(response)) return null;
    return new PeykApiError(response.status, errorAnswerIn(text), this.#retryAfterIn(response), identity);
  }

  #retryAfterIn({ headers }: TransportResponse): number | null {
    const text = headers.get("Retry-After") ?? "";
    if (/^\d{1,9}$/.test(text)) return Number(text);
    const at = Date.parse(text);
    return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - this.#options.now()) / 1_000));
  }

  /** Null: the call is not repeated. */
  #delayMsAfter(refusal: PeykApiError | PeykConnectionError | null, call: Call, attempts: number): number | null {
    const { random, waitMsMax } = this.#options;
    const backoffMs = Math.min(firstDelayMs * 2 ** (attempts - 1), delayMsMax) * (0.5 + random() / 2);
    const isRepeatable = call.isRepeatable ?? true;
    if (!(refusal instanceof PeykApiError)) return isRepeatable ? backoffMs : null;
    const { status, code, retryAfterSeconds } = refusal;
    // A code a minute for a recipient is a rule for people: waiting here would only hold them up.
    const isRefused = (status === 429 && code !== "otp_rate_limited") || code === "service_unavailable";
    if (!isRefused && !(isRepeatable && (status === 408 || status >= 500))) return null;
    const waitMs = (retryAfterSeconds ?? 0) * 1_000;
    if (waitMs > waitMsMax) return null;
    // Whoever was told the same second does not come back in the same moment.
    return Math.max(waitMs + (waitMs > 0 ? random() * firstDelayMs : 0), backoffMs);
  }
}

/** An operation without an answer answers nothing. */
function answerIn<Answer>(text: string): Answer {
  const answer = text === "" ? undefined : JSON.parse(text);
  return answer;
}

const isSuccess = ({ status }: TransportResponse) => status >= 200 && status < 300;
const isMissing = (refusal: unknown) => refusal instanceof PeykApiError && refusal.status === 404;
