/** Peyk in memory, for the tests of a program that sends: it takes every operation, sends nothing and needs no server. */
import { randomInt, randomUUID } from "node:crypto";
import type { Transport, TransportRequest, TransportResponse } from "./call.ts";
import { Peyk, type PeykOptions } from "./client.ts";
import type { ErrorCode } from "./errors.ts";
import type {
  ApprovedGroup,
  CreatedWebhook,
  FieldError,
  InboundMessage,
  MessageRecord,
  OtpChallenge,
  Pattern,
  Sender,
  SendResult,
} from "./generated.ts";

type Fields = Readonly<Record<string, unknown>>;
type Status = MessageRecord["status"];
type Handler = (body: Fields, ids: readonly string[], query: URLSearchParams) => { status: number; body?: unknown };
type Mutable<Value> = { -readonly [Name in keyof Value]: Value[Name] };

/** `code` of one that carries a one-time password, which `message` masks. */
export type FakeMessage = Mutable<MessageRecord> & { code?: string };
export type FakeGroup = ApprovedGroup & { recipients: readonly string[] };
type FakeChallenge = Mutable<OtpChallenge> & { code: string; state: "live" | "expired" | "used" };

/** `lost`: the request is carried out, and its answer never arrives. `broken`: neither. */
export type FakeFailure = "lost" | "broken" | { status: number; code: ErrorCode; retryAfterSeconds?: number };

class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly code: ErrorCode,
    readonly errors?: readonly FieldError[],
  ) {
    super(code);
  }
}

const textOf = (value: unknown) => (typeof value === "string" ? value : "");
const listOf = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value : []);
const e164 = (number: string) => number.replace(/^00/, "+").replace(/^0?(?=9\d{9}$)/, "+98");

/** Near enough for tests: the service counts by the alphabet of GSM. */
function measured(message: string) {
  const isLatin = /^[\n\r\x20-\x7e]*$/.test(message);
  const encoding: MessageRecord["encoding"] = isLatin
    ? "Latin"
    : /[\u0600-\u06ff]/.test(message)
      ? "Persian"
      : "Unicode";
  const [single, part] = isLatin ? [160, 153] : [70, 67];
  const partCount = message.length <= single ? 1 : Math.ceil(message.length / part);
  return { encoding, characterCount: [...message].length, partCount };
}

function checked(condition: boolean, field: string, code: FieldError["code"]): void {
  if (!condition) throw new Refusal(400, "validation_failed", [{ field, code, message: code }]);
}

function found<Value>(value: Value | undefined, code: ErrorCode): Value {
  if (value === undefined) throw new Refusal(404, code);
  return value;
}

export class FakePeyk {
  /** Every message that was accepted, the oldest first. */
  readonly messages: FakeMessage[] = [];
  readonly inbound: InboundMessage[] = [];
  readonly senders: Sender[] = [{ sender: "30001234", active: true }];
  readonly groups: FakeGroup[] = [];
  readonly patterns: Pattern[] = [];
  readonly webhooks: Mutable<CreatedWebhook>[] = [];
  readonly #failures: FakeFailure[] = [];
  readonly #challenges: FakeChallenge[] = [];
  readonly #replays = new Map<string, { operation: string; body: unknown }>();
  readonly #now: () => number;

  /** `now`: epoch milliseconds. */
  constructor({ now = Date.now }: { now?: () => number } = {}) {
    this.#now = now;
  }

  /** A client of this fake. It does not wait between its attempts. */
  client(options: Partial<PeykOptions> = {}): Peyk {
    const { transport } = this;
    return new Peyk({ baseUrl: "http://peyk.test", apiKey: "fake", sleep: async () => {}, ...options, transport });
  }

  /** The next requests fail, one for each of these. */
  failNext(...failures: readonly FakeFailure[]): void {
    this.#failures.push(...failures);
  }

  /** A text from a phone, as `inboundMessages` will show it. */
  receive(sender: string, receiver: string, message: string): InboundMessage {
    const received = { trackingCode: this.#code(), sender, receiver, message, receivedAt: this.#time() };
    this.inbound.push(received);
    return received;
  }

  /** What the network would have answered. */
  setStatus(trackingCode: string, status: Status, error: FakeMessage["error"] = null): void {
    const message = found(this.#message(trackingCode), "message_not_found");
    const at = this.#time();
    message.status = status;
    message.error = error;
    message.updatedAt = at;
    message.history = [...message.history, { status, note: status, changedAt: at }];
    if (status === "sent" || status === "delivered") message.sentAt ??= at;
    if (status === "delivered") message.deliveredAt = at;
  }

  readonly transport: Transport = async (url, request) => {
    const failure = this.#failures.shift();
    if (failure === "broken") throw new Error("The connection broke");
    if (typeof failure === "object") return this.#refused(request, failure.status, failure);
    const answer = this.#answer(new URL(url), request);
    if (failure === "lost") throw new Error("The connection broke before the answer");
    return answer;
  };

  #answer(url: URL, request: TransportRequest): TransportResponse {
    try {
      for (const [name, handler] of Object.entries(this.#handlers)) {
        const [method, path = ""] = name.split(" ");
        const ids = new RegExp(`^${path.replaceAll("*", "([^/]+)")}$`).exec(url.pathname);
        if (method !== request.method || ids === null) continue;
        const body: Fields = JSON.parse(request.body ?? "{}");
        return this.#replayed(`${method} ${url.pathname}`, request, () =>
          handler(body, ids.slice(1).map(decodeURIComponent), url.searchParams),
        );
      }
      throw new Refusal(404, "not_found");
    } catch (reason) {
      if (reason instanceof Refusal) return this.#refused(request, reason.status, reason);
      throw reason;
    }
  }

  #replayed(operation: string, request: TransportRequest, perform: () => ReturnType<Handler>): TransportResponse {
    const key = request.headers["Idempotency-Key"];
    const earlier = this.#replays.get(key ?? "");
    if (earlier !== undefined && earlier.operation !== operation) throw new Refusal(409, "idempotency_key_conflict");
    if (earlier !== undefined) return response(request, 200, duplicateOf(earlier.body));
    const { status, body } = perform();
    if (key !== undefined) this.#replays.set(key, { operation, body });
    return response(request, status, body);
  }

  #refused(request: TransportRequest, status: number, refusal: Exclude<FakeFailure, string> | Refusal) {
    const { code } = refusal;
    const errors = refusal instanceof Refusal && refusal.errors !== undefined ? { errors: refusal.errors } : {};
    const retryAfter = "retryAfterSeconds" in refusal ? refusal.retryAfterSeconds : undefined;
    const correlationId = request.headers["X-Correlation-Id"];
    return response(request, status, { code, message: code, correlationId, ...errors }, retryAfter);
  }

  readonly #handlers: Readonly<Record<string, Handler>> = {
    "POST /v1/messages": (body) => ({ status: 202, body: this.#accept(body) }),
    "POST /v1/messages/scheduled": (body) => {
      const sendAt = Date.parse(textOf(body.sendAt));
      const aheadMs = sendAt - this.#now();
      checked(aheadMs >= 30_000 && aheadMs <= 30 * 86_400_000, "sendAt", "out_of_range");
      const time = new Date(sendAt).toISOString();
      return { status: 202, body: { ...this.#accept(body, { sendAt: time }), sendAt: time } };
    },
    "POST /v1/messages/batch": ({ sender, messages }) => {
      for (const [index, one] of listOf(messages).entries()) this.#check({ ...one, sender }, `messages[${index}].`);
      return { status: 202, body: listOf(messages).map((one) => this.#accept({ ...one, sender })) };
    },
    "POST /v1/messages/status": ({ trackingCodes }) => {
      const codes = new Set(Array.isArray(trackingCodes) ? trackingCodes : []);
      return { status: 200, body: [...codes].flatMap((code) => this.#message(textOf(code)) ?? []).map(summaryOf) };
    },
    "GET /v1/messages/*": (_, [code = ""]) => {
      const { code: _code, ...record } = found(this.#message(code), "message_not_found");
      return { status: 200, body: record };
    },
    "POST /v1/messages/*/cancel": (_, [code = ""]) => {
      const { trackingCode, status } = found(this.#message(code), "message_not_found");
      if (status !== "queued" && status !== "cancelled") throw new Refusal(409, "message_not_cancellable");
      if (status === "queued") this.setStatus(trackingCode, "cancelled");
      return { status: 200, body: { trackingCode, status: "cancelled", cancelledAt: this.#message(code)?.updatedAt } };
    },
    "GET /v1/senders": () => ({ status: 200, body: this.senders }),
    "GET /v1/approved-groups": () => ({ status: 200, body: this.groups.map(({ recipients: _, ...group }) => group) }),
    "POST /v1/approved-groups/*/messages": (body, [code]) => {
      const { recipients } = found(
        this.groups.find((group) => group.code === code),
        "group_not_found",
      );
      if (recipients.length === 0) throw new Refusal(409, "group_not_sendable");
      return { status: 202, body: recipients.map((recipient) => this.#accept({ ...body, recipient })) };
    },
    "GET /v1/patterns": () => ({ status: 200, body: this.patterns }),
    "POST /v1/patterns/*/messages": ({ variables, ...body }, [code]) => {
      const pattern = found(
        this.patterns.find((one) => one.code === code),
        "pattern_not_found",
      );
      if (!pattern.isActive) throw new Refusal(409, "pattern_not_sendable");
      const values = new Map(Object.entries(variables ?? {}));
      for (const { name } of pattern.variables) checked(values.has(name), `variables.${name}`, "required");
      const message = pattern.text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => textOf(values.get(name)));
      return { status: 202, body: this.#accept({ ...body, sender: body.sender ?? pattern.sender, message }) };
    },
    "POST /v1/otp/challenges": (body) => ({ status: 202, body: this.#challenge(body) }),
    "POST /v1/otp/challenges/*/verify": ({ code }, [id]) => ({ status: 200, body: this.#verify(id, textOf(code)) }),
    "POST /v1/otp/codes": ({ code, ...body }) => ({ status: 202, body: this.#acceptCode(body, textOf(code)) }),
    "GET /v1/inbound-messages": (_, __, query) => {
      const after = Number(query.get("after") ?? 0);
      const end = after + Number(query.get("limit") ?? 100);
      const items = this.inbound.slice(after, end).filter((one) => isWanted(one, query));
      const nextCursor = String(Math.min(end, this.inbound.length));
      return { status: 200, body: { items, nextCursor, hasMore: end < this.inbound.length } };
    },
    "POST /v1/webhooks/": ({ url, events }) => {
      if (this.webhooks.length >= 5) throw new Refusal(409, "webhook_limit_reached");
      checked(textOf(url).startsWith("https://"), "url", "invalid_format");
      const times = { createdAtUtc: this.#time(), updatedAtUtc: this.#time() };
      const signingSecret = `whsec_${randomUUID().replaceAll("-", "").padEnd(43, "0")}`;
      const kinds: CreatedWebhook["events"] = Array.isArray(events) ? events : [];
      this.webhooks.push({
        id: randomUUID(),
        url: textOf(url),
        events: kinds,
        isActive: true,
        ...times,
        signingSecret,
      });
      return { status: 201, body: this.webhooks.at(-1) };
    },
    "GET /v1/webhooks/": () => ({ status: 200, body: this.webhooks.map(withoutSecret) }),
    "PATCH /v1/webhooks/*": ({ events, isActive }, [id]) => {
      const webhook = this.#webhook(id);
      if (Array.isArray(events)) webhook.events = events;
      if (typeof isActive === "boolean") webhook.isActive = isActive;
      webhook.updatedAtUtc = this.#time();
      return { status: 200, body: withoutSecret(webhook) };
    },
    "DELETE /v1/webhooks/*": (_, [id]) => {
      this.webhooks.splice(this.webhooks.indexOf(this.#webhook(id)), 1);
      return { status: 204 };
    },
    "POST /v1/webhooks/*/test": (_, [id]) => {
      if (!this.#webhook(id).isActive) throw new Refusal(409, "webhook_inactive");
      return { status: 202, body: { eventId: randomUUID(), status: "queued" } };
    },
  };

  #check({ sender, recipient, message }: Fields, at = ""): void {
    checked(/^\+\d{8,15}$/.test(e164(textOf(recipient))), `${at}recipient`, "invalid_phone_number");
    checked(textOf(message) !== "", `${at}message`, "too_short");
    checked([...textOf(message)].length <= 2_000, `${at}message`, "too_long");
    const isKnown = this.senders.some((one) => one.active && one.sender === sender);
    if (!isKnown) throw new Refusal(403, "sender_not_permitted");
  }

  #accept(body: Fields, more: Partial<FakeMessage> = {}): SendResult {
    const sender = body.sender ?? this.senders.find(({ active }) => active)?.sender;
    this.#check({ ...body, sender });
    const at = this.#time();
    const record: FakeMessage = {
      trackingCode: this.#code(),
      clientReference: textOf(body.clientReference) || null,
      sender: textOf(sender),
      recipient: e164(textOf(body.recipient)),
      message: textOf(body.message),
      ...measured(textOf(body.message)),
      status: "queued",
      error: null,
      ...{ submittedAt: at, updatedAt: at, sendAt: null, sentAt: null, deliveredAt: null },
      history: [{ status: "queued", note: "queued", changedAt: at }],
      ...more,
    };
    this.messages.push(record);
    const { trackingCode, encoding, characterCount, partCount } = record;
    return { trackingCode, status: "queued", encoding, characterCount, partCount, submittedAt: at, duplicate: false };
  }

  #acceptCode(body: Fields, code: string): SendResult {
    checked(/^[\p{L}\p{Nd}]{4,10}$/u.test(code), "code", "invalid_format");
    return this.#accept({ ...body, message: "•".repeat(code.length) }, { code });
  }

  #challenge(body: Fields): OtpChallenge {
    const length = Number(body.codeLength ?? 6);
    const code = String(randomInt(10 ** length)).padStart(length, "0");
    const { trackingCode } = this.#acceptCode(body, code);
    const recipient = this.#message(trackingCode)?.recipient;
    for (const one of this.#challenges) {
      if (one.state === "live" && this.#message(one.trackingCode)?.recipient === recipient) one.state = "expired";
    }
    const challenge: OtpChallenge = {
      challengeId: randomUUID(),
      trackingCode,
      status: "pending",
      expiresAt: this.#time(Number(body.ttlSeconds ?? 300)),
      resendAvailableAt: this.#time(60),
      attemptsRemaining: 5,
      duplicate: false,
    };
    this.#challenges.push({ ...challenge, code, state: "live" });
    return challenge;
  }

  #verify(challengeId: string | undefined, code: string) {
    const challenge = found(
      this.#challenges.find((one) => one.challengeId === challengeId),
      "otp_challenge_not_found",
    );
    if (challenge.state === "used") throw new Refusal(409, "otp_challenge_used");
    const isOver = challenge.state === "expired" || challenge.expiresAt <= this.#time();
    if (isOver) throw new Refusal(409, "otp_challenge_expired");
    if (challenge.attemptsRemaining === 0) throw new Refusal(409, "otp_challenge_locked");
    challenge.attemptsRemaining -= 1;
    const isRight = code === challenge.code;
    if (isRight) challenge.state = "used";
    const { attemptsRemaining } = challenge;
    const verifiedAt = isRight ? this.#time() : null;
    return { challengeId, status: isRight ? "verified" : "pending", verifiedAt, attemptsRemaining };
  }

  #message(trackingCode: string): FakeMessage | undefined {
    return this.messages.find((one) => one.trackingCode === trackingCode);
  }

  #webhook(id: string | undefined): Mutable<CreatedWebhook> {
    return found(
      this.webhooks.find((one) => one.id === id),
      "webhook_not_found",
    );
  }

  #code(): string {
    return `01FAKE${String(this.messages.length + this.inbound.length + 1).padStart(20, "0")}`;
  }

  #time(inSeconds = 0): string {
    return new Date(this.#now() + inSeconds * 1_000).toISOString();
  }
}

const withoutSecret = ({ signingSecret: _, ...webhook }: CreatedWebhook) => webhook;
const isWanted = (one: InboundMessage, query: URLSearchParams) =>
  (query.get("receiver") ?? one.receiver) === one.receiver &&
  e164(query.get("sender") ?? one.sender) === e164(one.sender) &&
  Date.parse(query.get("from") ?? one.receivedAt) <= Date.parse(one.receivedAt) &&
  Date.parse(one.receivedAt) < Date.parse(query.get("to") ?? "9999-01-01T00:00:00Z");

function summaryOf({ trackingCode, clientReference, sender, recipient, status, ...record }: FakeMessage) {
  const { partCount, submittedAt, updatedAt } = record;
  return { trackingCode, clientReference, sender, recipient, status, partCount, submittedAt, updatedAt };
}

function duplicateOf(body: unknown): unknown {
  if (Array.isArray(body)) return body.map(duplicateOf);
  return typeof body === "object" && body !== null ? { ...body, duplicate: true } : body;
}

function response(
  { headers }: TransportRequest,
  status: number,
  body: unknown,
  retryAfter?: number,
): TransportResponse {
  const answered = new Headers({ "X-Correlation-Id": headers["X-Correlation-Id"] ?? "" });
  if (retryAfter !== undefined) answered.set("Retry-After", String(retryAfter));
  return { status, headers: answered, text: async () => (body === undefined ? "" : JSON.stringify(body)) };
}
