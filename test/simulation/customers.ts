/** Customers: send what the plan says, retry until it is acknowledged, ask for the result, and cancel. */
import { Chance } from "./chance.ts";
import { dropInCode, dropInRequest, isDropInRetry } from "./drop-in.ts";
import { guessAt, isChallenge } from "./guesses.ts";
import { finalRank, type Model, type ModelMessage } from "./model.ts";
import { firstOther, type Plan, type PlannedMessage } from "./plan.ts";
import type { SmppCustomer } from "./smpp-customer.ts";
import { stepsPattern } from "./steps.ts";
import { time } from "./virtual-time.ts";

export interface Answer {
  status: number;
  /** As parsed JSON. */
  body: unknown;
}

export interface ApiRequest {
  method: "GET" | "POST";
  path: string;
  body?: unknown;
  key?: string;
  /** Other than the customer's own. */
  apiKey?: string;
  /** To the listener for programs of other services, which answers in plain text. */
  isDropIn?: boolean;
}

/** Null if there was no answer. */
export type Ask = (request: ApiRequest, answered: (answer: Answer | null) => void) => void;

interface Accepted {
  trackingCode: string;
  duplicate: boolean;
}

/** What is stored for a recipient: Kannel's answer names no id. */
export type CodeOf = (recipient: string) => string | null;

const senders = { smpp: "982000123", http: "982000124" } as const;
const otherSender = "982000125";
const numberOf = (index: number) => `98912${String(1_000_000 + index)}`;
const recipientsPerMessage = 10;
/** Members of groups have their own numbers. */
export const memberOf = (group: number, index: number) => numberOf(5_000_000 + recipientsPerMessage * group + index);
export const groupCode = (group: number) => `group-${group}`;
export const patternCode = "hello";

const paths = {
  single: "/v1/messages",
  long: "/v1/messages",
  batch: "/v1/messages/batch",
  "large batch": "/v1/messages/batch",
  scheduled: "/v1/messages/scheduled",
  otp: "/v1/otp/codes",
  challenge: "/v1/otp/challenges",
  "challenge by steps": "/v1/otp/challenges",
  pattern: `/v1/patterns/${patternCode}/messages`,
} as const;

/** Larger bodies are parsed by a thread. */
const padding = "x".repeat(260 * 1024);

export const otpCodeOf = (planned: PlannedMessage) => `Z${9_000 + planned.number}Q`;

/** Both customers number theirs alike. */
const keyOf = (seed: number, number: number) =>
  `key-${seed}-${number}-${new Chance(seed, "customer's key", number).uuid()}`;

function isAccepted(value: unknown): value is Accepted {
  return typeof value === "object" && value !== null && "trackingCode" in value && "duplicate" in value;
}

export class Customers {
  readonly #plan: Plan;
  readonly #model: Model;
  readonly #ask: Ask;
  readonly #smpp: SmppCustomer;
  readonly #codeOf: CodeOf;
  readonly #otherKey: string;

  /** `otherKey`: the other customer's API key. */
  constructor(plan: Plan, model: Model, ask: Ask, smpp: SmppCustomer, codeOf: CodeOf, otherKey: string) {
    this.#otherKey = otherKey;
    this.#plan = plan;
    this.#model = model;
    this.#ask = ask;
    this.#smpp = smpp;
    this.#codeOf = codeOf;
  }

  begin(): void {
    for (const planned of [...this.#plan.messages, ...this.#plan.others]) {
      const isOther = planned.number >= firstOther;
      const apiKey = isOther ? this.#otherKey : null;
      // Nothing is known of it while its customer is suspended, or asks by another key.
      const ask: Ask = (request, answered) => this.#ask({ ...(apiKey !== null && { apiKey }), ...request }, answered);
      const request = new Request(planned, this.#plan.seed, this.#model, ask, this.#smpp, this.#codeOf, apiKey);
      time.after(planned.atMs, () => {
        request.send();
        if (planned.doubles) request.send();
      });
    }
  }
}

/** One request of a customer, with one key and one message or several. */
class Request {
  readonly #planned: PlannedMessage;
  readonly #model: Model;
  readonly #ask: Ask;
  readonly #smpp: SmppCustomer;
  readonly #codeOf: CodeOf;
  readonly #chance: Chance;
  readonly #key: string;
  readonly #messages: ModelMessage[];
  #body: unknown = null;
  #isAcknowledged = false;
  #isGuessedAt = false;

  constructor(
    planned: PlannedMessage,
    seed: number,
    model: Model,
    ask: Ask,
    smpp: SmppCustomer,
    codeOf: CodeOf,
    apiKey: string | null,
  ) {
    this.#smpp = smpp;
    this.#codeOf = codeOf;
    this.#planned = planned;
    this.#model = model;
    this.#ask = ask;
    this.#chance = new Chance(seed, "customer", planned.number);
    this.#key = keyOf(seed, planned.number % firstOther);
    this.#messages = Array.from({ length: planned.size }, (_, index) => ({
      planned,
      key: this.#key,
      apiKey,
      recipient:
        planned.group === null
          ? numberOf(planned.number * recipientsPerMessage + index)
          : memberOf(planned.group, index),
      code: null,
      acknowledgedAt: null,
      sendAt: null,
      askedAt: 0,
      cancelled: false,
      isGivenUp: false,
      rank: -1,
    }));
    for (const message of this.#messages) model.add(message);
  }

  send(): void {
    const { kind, group } = this.#planned;
    if (kind === "by SMPP") {
      for (const message of this.#messages) this.#smpp.send(message);
      return;
    }
    if (kind === "by Kannel" || kind === "by Jasmin") {
      this.#sendByDropIn(kind);
      return;
    }
    const path = kind === "group" ? `/v1/approved-groups/${groupCode(group ?? 0)}/messages` : paths[kind];
    this.#body ??= this.#bodyOf();
    this.#ask({ method: "POST", path, body: this.#body, key: this.#key }, (answer) => this.#answered(answer));
  }

  #sendByDropIn(kind: "by Kannel" | "by Jasmin"): void {
    const [message] = this.#messages;
    if (message === undefined) return;
    const request = dropInRequest(kind, senders[this.#planned.carrier], message.recipient);
    this.#ask({ ...request, key: this.#key, isDropIn: true }, (answer) => {
      const text = String(answer?.body ?? "");
      if (answer === null || isDropInRetry(text)) {
        time.after(this.#model.patience * this.#chance.between(200, 3_000), () => this.send());
        return;
      }
      const code = dropInCode(text, () => this.#codeOf(message.recipient));
      if (code === null) this.#model.journal.violated("answers", `${this.#key} ${kind}: ${answer.status} ${text}`);
      else this.#wasAccepted([code]);
    });
  }

  #bodyOf(): unknown {
    const { carrier, kind, number, delayMs } = this.#planned;
    const sender = number >= firstOther ? otherSender : senders[carrier];
    const items = this.#messages.map(({ recipient }) => ({ recipient: `+${recipient}`, message: `text ${recipient}` }));
    if (kind === "batch") return { sender, messages: items };
    if (kind === "large batch") return { sender, messages: items, ignored: padding };
    if (kind === "group") return { sender, message: `to all of group ${number}` };
    const recipient = items[0]?.recipient;
    if (kind === "pattern") return { sender, recipient, variables: { name: `n${number}` } };
    const challenge = { sender, recipient, codeLength: 10, ttlSeconds: 900 };
    if (kind === "challenge") return challenge;
    if (kind === "challenge by steps") return { ...challenge, patternCode: stepsPattern };
    if (kind === "otp") return { sender, recipient, code: otpCodeOf(this.#planned) };
    if (kind === "long") return { sender, recipient, message: `${number} ${"long ".repeat(50)}` };
    if (kind !== "scheduled") return { sender, ...items[0] };
    const sendAt = time.now() + delayMs;
    for (const message of this.#messages) Object.assign(message, { sendAt, askedAt: time.monotonic });
    return { sender, ...items[0], sendAt: new Date(sendAt).toISOString() };
  }

  #answered(answer: Answer | null): void {
    if (answer === null || [403, 429, 503].includes(answer.status)) {
      time.after(this.#model.patience * this.#chance.between(200, 3_000), () => this.send());
      return;
    }
    if (answer.status === 400 && this.#planned.kind === "scheduled" && this.#messages[0]?.code === null) {
      for (const message of this.#messages) message.isGivenUp = message.code === null;
      return;
    }
    const results = (Array.isArray(answer.body) ? answer.body : [answer.body]).filter(isAccepted);
    if ((answer.status !== 202 && answer.status !== 200) || results.length !== this.#messages.length) {
      const words = `${this.#key}: ${answer.status} ${JSON.stringify(answer.body)}`;
      this.#model.journal.violated("answers", words);
      return;
    }
    this.#wasAccepted(results.map(({ trackingCode }) => trackingCode));
    // The fifth guess ends the steps.
    const isLeftAlone = this.#planned.kind === "challenge by steps" && this.#planned.number % 2 === 0;
    if (!this.#isGuessedAt && !isLeftAlone && isChallenge(answer.body)) {
      this.#isGuessedAt = true;
      guessAt(answer.body.challengeId, this.#ask, this.#chance, this.#model.journal);
    }
  }

  #wasAccepted(codes: readonly string[]): void {
    for (const [index, code] of codes.entries()) {
      const message = this.#messages[index];
      if (message !== undefined) this.#model.acknowledged(message, code);
    }
    if (this.#isAcknowledged) return;
    this.#isAcknowledged = true;
    this.#goOn();
  }

  #goOn(): void {
    const { repeatAfterMs, cancelAfterMs, crosses } = this.#planned;
    if (repeatAfterMs !== null) {
      this.#model.awaits(repeatAfterMs);
      time.after(repeatAfterMs, () => this.send());
    }
    if (crosses) this.#cross();
    const [first] = this.#messages;
    if (cancelAfterMs !== null && first !== undefined) {
      time.after(cancelAfterMs, () => {
        this.#cancel(first);
        // Programs cancel several at once: the end of one must not decide about another.
        const over = this.#model.messages.find(({ rank, code }) => rank === finalRank && code !== null);
        if (over !== undefined) this.#cancel(over);
      });
    }
    for (const message of this.#messages) this.#look(message, 3);
  }

  /** A program that uses a key twice is told so, and nothing more is sent. */
  #cross(): void {
    const { kind, carrier } = this.#planned;
    if (!(kind in paths) || kind.includes("batch")) return;
    const messages = this.#messages.map(({ recipient }) => ({ recipient: `+${recipient}`, message: "again" }));
    const body = { sender: senders[carrier], messages };
    this.#ask({ method: "POST", path: paths.batch, body, key: this.#key }, (answer) => {
      if (answer === null || [403, 409, 429, 503].includes(answer.status)) return;
      const words = `${this.#key} was used for a batch as well: ${answer.status}`;
      this.#model.journal.violated("one request", words);
    });
  }

  #cancel(message: ModelMessage): void {
    const path = `/v1/messages/${message.code}/cancel`;
    this.#ask({ method: "POST", path }, (answer) => {
      if (answer?.status === 200) this.#model.cancelConfirmed(message);
      // A suspended account is refused whatever it asks.
      else if (answer !== null && answer.status !== 403 && answer.status < 500) this.#model.cancelRefused(message);
    });
  }

  #look(message: ModelMessage, times: number): void {
    if (times === 0) return;
    time.after(this.#chance.between(10, 5_000), () => {
      const { rank } = message;
      this.#ask({ method: "GET", path: `/v1/messages/${message.code}` }, (answer) => {
        const { status, body } = answer ?? { status: 0, body: null };
        if (status === 404 && !message.isGivenUp)
          this.#model.journal.violated("stored", `${message.recipient} is not found: ${message.code}`);
        if (status === 200 && typeof body === "object" && body !== null && "status" in body) {
          this.#model.saw(message, String(body.status), rank);
        }
        this.#look(message, times - 1);
      });
    });
  }
}
