/** The interface of every carrier: it takes submissions, and reports answers, receipts and inbound texts. */
import type { MessageClass, MessageEncoding, MessageErrorCode } from "../domain/message.ts";
import type { Reason } from "../domain/reason.ts";
import { describeReason } from "../domain/reason-text.ts";
import type { Clock } from "../platform/clock.ts";
import type { Logger } from "../platform/log.ts";
import type { Random } from "../platform/random.ts";
import type { RouteTrace } from "./route-trace.ts";

/** A message as it is handed to a provider, which splits it into parts; `partCount` is as at acceptance. */
export interface Submission {
  messageId: number;
  accountId: number;
  trackingCode: string;
  /** The id under which its pattern is registered with a regulator. For a provider that `needsTemplateId`; null where it has none. */
  templateId?: string | null;
  sender: string;
  /** E.164 with its plus sign. */
  recipient: string;
  text: string;
  encoding: MessageEncoding;
  partCount: number;
  class: MessageClass;
  /** Epoch milliseconds after which the message expires. */
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
  /**
   * Refused for now: wait and try again, on another route where there is one. `attemptsMax` bounds the tries, then `error`.
   * `pauseRouteMs`: how long the carrier wants to be left alone.
   */
  | { kind: "temporary"; reason: Reason; attemptsMax?: number; error?: MessageErrorCode; pauseRouteMs?: number }
  /** The carrier throttles. It costs the message no attempt. `pause: "route"` also holds and slows the whole route. */
  | { kind: "throttled"; reason: Reason; retryAfterMs: number; pause: "message" | "route" }
  /** It never left Peyk (link lost before it was written): due again at once, and it costs the message no attempt. */
  | { kind: "not_sent"; reason: Reason }
  /**
   * The carrier may or may not have taken it. With `lateAnswer`, the event `lateAnswer` may still follow. `waitMs`: how long
   * a resend waits where the route does not say.
   */
  | { kind: "uncertain"; reason: Reason; lateAnswer: boolean; waitMs?: number };

/** A delivery report of one part. `ids`: every spelling under which the part may have been stored, best first. */
export interface Receipt {
  ids: readonly string[];
  /** Zeros in front of an id do not count. */
  anyWidth?: boolean;
  /** Numbers that the receipt names, one of them the recipient's: which message is meant where several have the id. */
  numbers?: readonly string[];
  state: "delivered" | "failed" | "pending";
  error?: MessageErrorCode;
  /** The provider's words for the state, for the timeline. */
  detail: string;
  /** Whatever else it says. Not kept for a one-time password, whose text a provider may echo. */
  remark?: string;
  /** Epoch milliseconds. */
  at: number;
}

/** A text from a phone, as one PDU or request brought it. */
export interface InboundPart {
  sender: string;
  /** The number it was sent to: one of the operator's lines. */
  receiver: string;
  /**
   * The part's own text. A character that the sender cut in two stays cut at either end: half a surrogate pair, or a GSM
   * escape (U+001B) whose character begins the next part. Joining the parts makes it whole.
   */
  text: string;
  /** Hexadecimal octets where the content is no text; `text` is empty then. */
  binary?: string;
  /** Present on a part of a long message. */
  concat?: { reference: number; part: number; parts: number };
  /** Identifies a repeat of the same PDU, where the provider gives an id. */
  providerId?: string;
  /** Epoch milliseconds. */
  receivedAt: number;
}

export interface LinkState {
  name: string;
  state: string;
  lastError: string | null;
  /** The same as data. */
  lastReason: Reason | null;
  /** Epoch milliseconds. */
  since: number;
}

/** The state of a route, for the dispatcher and for the operator. */
export interface ProviderHealth {
  up: boolean;
  /** Submits that may be unanswered at once, over all binds that are up. */
  window: number;
  /** Parts a second, or null for no limit. */
  partsPerSecond: number | null;
  /** One entry for each bind or endpoint: its state and its last error. */
  links: readonly LinkState[];
  /** What the operator should mend though the route is up, a sentence each. */
  warnings?: readonly string[];
  /** The same as data. */
  warningReasons?: readonly Reason[];
}

export const lastErrorOf = (lastReason: Reason | null): Pick<LinkState, "lastError" | "lastReason"> => ({
  lastError: lastReason === null ? null : describeReason(lastReason),
  lastReason,
});

/** Why the route is down, as its first link with an error says; null while it is up, whatever its links went through before. */
export function troubleOf({ up, links }: Pick<ProviderHealth, "up" | "links">): LinkState | null {
  return up ? null : (links.find(({ lastError }) => lastError !== null) ?? null);
}

export const warningsOf = (warningReasons: readonly Reason[]): Pick<ProviderHealth, "warnings" | "warningReasons"> => ({
  warnings: warningReasons.map((reason) => describeReason(reason)),
  warningReasons,
});

/** The events of a provider. Each promise resolves when the content is committed: only then may it be acknowledged. */
export interface ProviderEvents {
  receipt(receipt: Receipt): Promise<void>;
  inbound(part: InboundPart): Promise<void>;
  /** The answer to a submit that was reported `uncertain` before. */
  lateAnswer(messageId: number, outcome: SubmitOutcome): void;
  /** `health()` has changed: a bind came or went, a limit changed. */
  healthChanged(): void;
}

/** The dependencies of every provider. */
export interface ProviderDeps {
  clock: Clock;
  random: Random;
  log: Logger;
  /** What goes over the route's connections is told to it while somebody looks on. */
  trace?: RouteTrace;
}

/** A part that the carrier took, and whose receipt stays out. */
export interface OverduePart {
  providerId: string;
  sender: string;
  recipient: string;
}

/** Questions to the carrier about parts whose receipt stays out. */
export interface ReceiptQueries {
  /** When a message is asked about next, `asked` times after it was sent; null for no more. All epoch milliseconds. */
  nextAt(message: { asked: number; sentAt: number }, now: number): number | null;
  /** How many parts it takes now; none while it could not ask. */
  room(): number;
  /** The answers come as receipts, those about a part on its way too. One that stays out is asked for again. */
  ask(parts: readonly OverduePart[]): void;
}

/** What a route keeps on disk that asks its carrier. Promises reject with StoreUnavailable when the disk refuses. */
export interface RouteStorage {
  /** Up to where a line's texts were read; null before the first time. */
  cursor(line: string): string | null;
  setCursor(line: string, position: string): Promise<void>;
}

/** The dependencies of a provider that asks its carrier. */
export interface AskingProviderDeps extends ProviderDeps {
  storage: RouteStorage;
}

/** One step of trying a route out, in words for the operator. */
export interface ProbeStep {
  step: string;
  /** Null for what was not tried. */
  ok: boolean | null;
  detail: string;
  /** What the detail says, as data; none where it is an address, a PDU, or what the system or the carrier wrote. */
  reason?: Reason;
}

/** A step whose detail can be said in another language. */
export const probeStep = (step: string, ok: boolean | null, reason: Reason): ProbeStep => ({
  step,
  ok,
  detail: describeReason(reason),
  reason,
});

/** Texts that simulated phones keep, the newest of them. */
export const phoneTextsMax = 200;

/** A text that a simulated phone received. */
export interface PhoneText {
  trackingCode: string;
  sender: string;
  recipient: string;
  text: string;
  /** Epoch milliseconds. */
  receivedAt: number;
}

export interface Provider {
  /** It reads `Submission.templateId`, which costs a look-up for each message. */
  readonly needsTemplateId?: boolean;
  /** Begins to connect, and keeps trying until `stop`. Returns at once. */
  start(): void;
  /** Takes no new submits, waits up to `graceMs` for answers, then disconnects; submits still open settle as `uncertain`. */
  stop(graceMs: number): Promise<void>;
  /**
   * Told after a start of each part that it took before and has not reported on, where it keeps nothing itself: a real
   * carrier remembers.
   */
  recall?(part: { providerId: string | null; recipient: string }): void;
  /** Null where its file does not ask for it. */
  readonly receiptQueries?: ReceiptQueries | null;
  /** What its phones received, oldest first, for a provider that simulates them. */
  received?(): readonly PhoneText[];
  /** Its phone of this number (E.164) has received nothing, whatever is on its way there. */
  emptyPhone?(recipient: string): void;
  /** Hands over one message. Never rejects: every result is an outcome. */
  submit(submission: Submission): Promise<SubmitOutcome>;
  health(): ProviderHealth;
  /** What a message looks like on the wire, a line for each part or request, without secrets; a long one under reference 0. */
  describe?(submission: Submission): readonly string[];
  /** Tries the route out, step by step (`peyk route test`); the first step that fails is the last. */
  probe(): Promise<readonly ProbeStep[]>;
}
