/** The interface of every carrier: it takes submissions, and reports answers, receipts and inbound texts. */
import type { MessageClass, MessageEncoding, MessageErrorCode } from "../domain/message.ts";
import { describeReason, type Reason } from "../domain/reason.ts";
import type { Clock } from "../platform/clock.ts";
import type { Logger } from "../platform/log.ts";
import type { Random } from "../platform/random.ts";
import type { CarrierNetwork } from "./carrier-network.ts";
import type { RouteTrace } from "./route-trace.ts";

/** A message as it is handed to a provider, which splits it into parts; `partCount` is as at acceptance. */
export interface Submission {
  messageId: number;
  accountId: number;
  trackingCode: string;
  /**
   * The id under which its pattern is registered with a regulator, for a provider that `needsTemplateId`; null if it
   * has none.
   */
  templateId?: string | null;
  /** TLVs that the customer's client sent, encoded, for a provider with `passedTags`. */
  tlvs?: Uint8Array | null;
  sender: string;
  /** E.164 with its plus sign. */
  recipient: string;
  text: string;
  /** The one-time password in the text, for a provider that `needsCode`. */
  code?: string;
  encoding: MessageEncoding;
  partCount: number;
  class: MessageClass;
  /** Epoch milliseconds after which the message expires. */
  validUntil: number;
  /** How often this message was handed to a route, including now: 1 for the first time. */
  attempt: number;
}

/** How a submission ended. Only `accepted`, `rejected` and `uncertain` say that the message left Peyk. */
export type SubmitOutcome =
  /**
   * The carrier took every part; `partIds[i]` is the provider's id for part i + 1, null if it gave none.
   */
  | { kind: "accepted"; partIds: readonly (string | null)[] }
  /** Refused for good. */
  | { kind: "rejected"; error: MessageErrorCode; reason: Reason }
  /**
   * Refused for now: wait and try again, on another route if there is one. After `attemptsMax` tries it fails with
   * `error`. `pauseRouteMs`: how long the carrier wants to be left alone.
   */
  | { kind: "temporary"; reason: Reason; attemptsMax?: number; error?: MessageErrorCode; pauseRouteMs?: number }
  /** The carrier throttles. It costs the message no attempt. `pause: "route"` also holds and slows the whole route. */
  | { kind: "throttled"; reason: Reason; retryAfterMs: number; pause: "message" | "route" }
  /** It never left Peyk (link lost before it was written): due again at once, and it costs the message no attempt. */
  | { kind: "not_sent"; reason: Reason }
  /**
   * The carrier may or may not have taken it. With `lateAnswer`, the event `lateAnswer` may still follow. `waitMs`: how
   * long a resend waits if the route does not say.
   */
  | { kind: "uncertain"; reason: Reason; lateAnswer: boolean; waitMs?: number };

/** A delivery report of one part. `ids`: every spelling under which the part may have been stored, best first. */
export interface Receipt {
  ids: readonly string[];
  /** Only this many of the first ids are certain; the others count only for a recipient whom the receipt names. */
  certain?: number;
  /** Leading zeros of an id do not count. */
  anyWidth?: boolean;
  /**
   * Identifies a repeat of the same report, for a provider that reports on each part under one id and without the
   * part's number.
   */
  eventId?: string;
  /** How many parts such a provider split the message into. */
  partCount?: number;
  /** Numbers in the receipt, one of them the recipient's: they tell messages with the same id apart. */
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
   * The part's own text. A character that the sender cut in two stays cut at either end: half a surrogate pair, or a
   * GSM escape (U+001B) whose character begins the next part. Joining the parts makes it whole.
   */
  text: string;
  /** Hexadecimal octets if the content is not text; `text` is empty then. */
  binary?: string;
  /** Present on a part of a long message. */
  concat?: { reference: number; part: number; parts: number };
  /** Identifies a repeat of the same PDU, if the provider gives an id. */
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
  /** How many submits may be unanswered, over all binds that are up. */
  window: number;
  /** Parts a second, or null for no limit. */
  partsPerSecond: number | null;
  /** One entry for each bind or endpoint: its state and its last error. */
  links: readonly LinkState[];
  /** What the operator should fix although the route is up, one sentence each. */
  warnings?: readonly string[];
  /** The same as data. */
  warningReasons?: readonly Reason[];
}

export const lastErrorOf = (lastReason: Reason | null): Pick<LinkState, "lastError" | "lastReason"> => ({
  lastError: lastReason === null ? null : describeReason(lastReason),
  lastReason,
});

/**
 * Why the route is down, from its first link with an error; null while it is up, whatever happened to its links before.
 */
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
  /** The system's by default. */
  network?: CarrierNetwork;
  /** Receives the traffic of the route's connections while somebody is watching. */
  trace?: RouteTrace;
}

/** A part that the carrier took, with an overdue receipt. */
export interface OverduePart {
  providerId: string;
  sender: string;
  recipient: string;
}

/** Asks the carrier about parts with overdue receipts. */
export interface ReceiptQueries {
  /**
   * When a message is asked about next, after `asked` times since it was sent; null for never again. Epoch
   * milliseconds.
   */
  nextAt(message: { asked: number; sentAt: number }, now: number): number | null;
  /** How many parts it can take now; 0 while it cannot ask. */
  room(): number;
  /** The answers arrive as receipts, even for parts in progress. A receipt that stays overdue is asked for again. */
  ask(parts: readonly OverduePart[]): void;
}

/** What a route keeps on disk. Promises reject with StoreUnavailable if the disk refuses. */
export interface RouteStorage {
  /** How far a line's texts were read; null before the first time. */
  cursor(line: string): string | null;
  setCursor(line: string, position: string): Promise<void>;
}

/** The dependencies of a provider that keeps something on disk. */
export interface AskingProviderDeps extends ProviderDeps {
  storage: RouteStorage;
}

/** One step of testing a route, as text for the operator. */
export interface ProbeStep {
  step: string;
  /** Null if the step was not tried. */
  ok: boolean | null;
  detail: string;
  /** The detail as data; absent if it is an address, a PDU, or text from the system or the carrier. */
  reason?: Reason;
  /** Since the step before; absent if nothing was measured. */
  ms?: number;
}

/** The milliseconds since its last call, or since it was made. */
export function stepTimer(clock: Pick<Clock, "monotonic">): () => number {
  let last = clock.monotonic();
  return () => {
    const now = clock.monotonic();
    const ms = Math.round(now - last);
    last = now;
    return ms;
  };
}

/** A step whose detail can be translated. */
export const probeStep = (step: string, ok: boolean | null, reason: Reason): ProbeStep => ({
  step,
  ok,
  detail: describeReason(reason),
  reason,
});

/** How many texts simulated phones keep: the newest. */
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
  /** It reads `Submission.templateId`, which costs a look-up per message. */
  readonly needsTemplateId?: boolean;
  /** It reads `Submission.code`. */
  readonly needsCode?: boolean;
  /** Tags of TLVs that it passes on from customers' SMPP clients to its carrier. */
  readonly passedTags?: ReadonlySet<number> | undefined;
  /** Starts connecting, and keeps trying until `stop`. Returns at once. */
  start(): void;
  /**
   * Takes no new submits, waits up to `graceMs` for answers, then disconnects; submits still open settle as
   * `uncertain`.
   */
  stop(graceMs: number): Promise<void>;
  /**
   * Called after a start with each part that was accepted earlier and has no report yet, for a provider that stores
   * nothing itself: a real carrier remembers.
   */
  recall?(part: { providerId: string | null; recipient: string }): void;
  /** Null if its file does not ask for it. */
  readonly receiptQueries?: ReceiptQueries | null;
  /** What its phones received, oldest first, for a provider that simulates them. */
  received?(): readonly PhoneText[];
  /** Makes its phone with this number (E.164) forget everything, including what is on its way. */
  emptyPhone?(recipient: string): void;
  /** Hands over one message. Never rejects: every result is an outcome. */
  submit(submission: Submission): Promise<SubmitOutcome>;
  health(): ProviderHealth;
  /**
   * What a message looks like on the wire, a line for each part or request, without secrets; a long one with reference
   * 0.
   */
  describe?(submission: Submission): readonly string[];
  /** Tests the route step by step (`peyk route test`); the first step that fails is the last. */
  probe(): Promise<readonly ProbeStep[]>;
}
