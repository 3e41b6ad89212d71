/** What every carrier looks like to the dispatcher: it takes submissions, and tells of answers, receipts and inbound texts. */
import type { MessageClass, MessageEncoding, MessageErrorCode } from "../domain/message.ts";
import type { Reason } from "../domain/reason.ts";

/** One message on its way to a route. The provider splits it into parts; `partCount` is what the rules in domain count. */
export interface Submission {
  messageId: number;
  trackingCode: string;
  sender: string;
  /** E.164 with its plus sign. */
  recipient: string;
  text: string;
  encoding: MessageEncoding;
  partCount: number;
  class: MessageClass;
  /** Epoch milliseconds after which the message is of no use to anybody. */
  validUntil: number;
  /** How often this message was handed to a route, this time included: 1 for the first. */
  attempt: number;
}

/** How a submission ended. Only `accepted`, `rejected` and `uncertain` say that the message left Peyk. */
export type SubmitOutcome =
  /** The carrier took every part; `partIds[i]` is the provider's id of part i + 1, null where the provider gave none. */
  | { kind: "accepted"; partIds: readonly (string | null)[] }
  /** Refused for good. */
  | { kind: "rejected"; error: MessageErrorCode; reason: Reason }
  /** Refused for now: wait and try again, on another route where there is one. `attemptsMax` bounds the tries, then `error`. */
  | { kind: "temporary"; reason: Reason; attemptsMax?: number; error?: MessageErrorCode }
  /** The carrier throttles. It costs the message no attempt. `pause: "route"` also holds and slows the whole route. */
  | { kind: "throttled"; reason: Reason; retryAfterMs: number; pause: "message" | "route" }
  /** It never left Peyk (link lost before it was written): due again at once, and it costs the message no attempt. */
  | { kind: "not_sent"; reason: Reason }
  /** The carrier may or may not have taken it. With `lateAnswer`, the event `lateAnswer` may still follow. */
  | { kind: "uncertain"; reason: Reason; lateAnswer: boolean };

/** A delivery report of one part. `ids`: every spelling under which the part may have been stored, best first. */
export interface Receipt {
  ids: readonly string[];
  state: "delivered" | "failed" | "pending";
  error?: MessageErrorCode;
  /** The provider's own words, for the operator's timeline. */
  detail: string;
  /** Epoch milliseconds. */
  at: number;
}

/** A text that came from a phone, one PDU or request of it. */
export interface InboundPart {
  sender: string;
  /** The number it was sent to: one of the operator's lines. */
  receiver: string;
  /**
   * The part's own text. What a careless sender cut in two stays so, at either end: half a surrogate pair, or a GSM escape
   * (U+001B) whose character begins the next part. It is made whole when the parts are joined.
   */
  text: string;
  /** Hexadecimal octets where the content is no text; `text` is empty then. */
  binary?: string;
  /** Present on a part of a long message. */
  concat?: { reference: number; part: number; parts: number };
  /** What identifies a repeat of the same PDU, where the provider tells. */
  providerId?: string;
  /** Epoch milliseconds. */
  receivedAt: number;
}

/** How a route is doing, for the dispatcher and for the operator. */
export interface ProviderHealth {
  up: boolean;
  /** Submits that may be unanswered at once, over all binds that are up. */
  window: number;
  /** Parts a second, or null for no limit. */
  partsPerSecond: number | null;
  /** One line per bind or endpoint: its state and what went wrong last. */
  links: readonly { name: string; state: string; lastError: string | null; since: number }[];
}

/** What a provider tells the house. Each promise resolves when the content is committed: only then may it be acknowledged. */
export interface ProviderEvents {
  receipt(receipt: Receipt): Promise<void>;
  inbound(part: InboundPart): Promise<void>;
  /** The answer to a submit that was reported `uncertain` before. */
  lateAnswer(messageId: number, outcome: SubmitOutcome): void;
  /** `health()` gives something new: a bind came or went, a limit changed. */
  healthChanged(): void;
}

export interface Provider {
  /** Begins to connect, and keeps trying until `stop`. Returns at once. */
  start(): void;
  /** Takes no new submits, waits up to `graceMs` for answers, then lets go; submits still open settle as `uncertain`. */
  stop(graceMs: number): Promise<void>;
  /** Hands over one message. Never rejects: every end is an outcome. */
  submit(submission: Submission): Promise<SubmitOutcome>;
  health(): ProviderHealth;
  /** Tries the route out and says what happened, in steps that an operator can read (`peyk route test`). */
  probe(): Promise<readonly { step: string; ok: boolean; detail: string }[]>;
}
