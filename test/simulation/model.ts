/** What customers and carriers know of each message, independent of Peyk: every answer and every submit is compared with it as it happens. */
import { type Disturbance, Disturbances } from "./disturbances.ts";
import type { Journal } from "./journal.ts";
import type { PlannedMessage, RouteTuning } from "./plan.ts";
import { stepsOfCode } from "./steps.ts";
import { time } from "./virtual-time.ts";

/** A message to one recipient; a batch is several with one key. */
export interface ModelMessage {
  planned: PlannedMessage;
  key: string;
  /** E.164 without its plus sign; unique to a message. */
  recipient: string;
  /** Another customer's; null for the first one's. */
  apiKey: string | null;
  code: string | null;
  /** The time of its first acknowledgement. */
  acknowledgedAt: number | null;
  /** When it may leave, by the wall clock; null for at once. */
  sendAt: number | null;
  /** When it was first requested. */
  askedAt: number;
  cancelled: boolean;
  /** Its scheduled time was too near when Peyk could accept it. */
  isGivenUp: boolean;
  /** Rank of the furthest status seen. */
  rank: number;
}

export interface Submitted {
  at: number;
  /** When its answer left the carrier; null until one did. */
  answeredAt: number | null;
  /** Its answer came too late, and late answers are ignored. */
  isTooLate: boolean;
  outcome: "accepted" | "temporary" | "throttled" | "rejected" | "unanswered";
}

interface AcknowledgedReceipt {
  recipient: string;
  part: number;
  isDelivered: boolean;
  submit: Submitted;
}

interface ToldReceipt extends Omit<AcknowledgedReceipt, "submit"> {
  isLie: boolean;
}

/** From then on nothing may be submitted, except once what was claimed before: it may wait for room in its route's window. */
interface Stop {
  from: number;
  claimed: ReadonlySet<string>;
}

/** A submit reaches its carrier within this time, even if its sender dies meanwhile. */
const submitMsMax = 5;
/** Commits follow an answer within this time, unless the disk refuses. */
const storedMs = 100;
/** After a refusal Peyk leaves the disk alone for a second, and tries again. */
const diskRetryMs = 2_500;
/** A due message leaves within this time, if nothing disturbs and the route's window has room. */
const promptMs = 15_000;

export const finalRank = 9;
const ranks = {
  queued: 0,
  processing: 1,
  sent: 2,
  delivered: finalRank,
  failed: finalRank,
  cancelled: finalRank,
} as const;
/** A message claimed when it was due may still be on its way, for longer if something holds it up. */
const onTheWayMs = 1_000;
const holdingUp: readonly Disturbance[] = ["crash", "connection", "disk", "carrier"];
const unsettling: readonly Disturbance[] = ["crash", "connection", "disk"];
const delaying: readonly Disturbance[] = ["crash", "connection", "disk", "carrier", "clock", "operator"];

/** By whom it must be asked for. */
export const keyOf = ({ apiKey }: ModelMessage) => ({ ...(apiKey !== null && { apiKey }) });

export class Model {
  readonly disturbances = new Disturbances();
  readonly messages: ModelMessage[] = [];
  /** By recipient and part. */
  readonly submits = new Map<string, Submitted[]>();
  readonly receipts: AcknowledgedReceipt[] = [];
  /** Parts of each recipient that a carrier has told delivered. */
  readonly #toldDelivered = new Map<string, Set<number>>();
  /** Until then, monotonic, somebody has something to repeat. */
  awaitedUntil = 0;
  readonly suspensions: (Stop & { to: number })[] = [];
  readonly optOuts = new Map<string, Stop>();
  /** Keys, and since when they must be refused. */
  readonly revoked = new Map<string, number>();
  /** To whom Peyk sends without being asked by a customer: phones that rules reply to. */
  readonly automatic = new Set<string>();
  /** The replies of the line's rules, in each order that they had, and the wall clock's times between which it may have held. */
  readonly ruleOrders: { from: number; to: number; replies: readonly string[] }[] = [];
  /** Times longer customers wait where every request may be refused for minutes. */
  patience = 1;
  /** Numbers whose network a look-up told. */
  readonly lookedUp = new Set<string>();
  /** Numbers whose erasure was confirmed. */
  readonly erased = new Set<string>();
  /** Intervals in which the wall clock was ahead, and how far it got. */
  readonly aheads: { from: number; to: number; wall: number }[] = [];
  readonly journal: Journal;
  readonly #byRecipient = new Map<string, ModelMessage>();
  readonly #tuningOf: (message: ModelMessage) => RouteTuning;

  constructor(journal: Journal, tuningOf: (message: ModelMessage) => RouteTuning) {
    this.journal = journal;
    this.#tuningOf = tuningOf;
  }

  /** The account may be resumed since `from`, whoever has asked for it. */
  resumed(from: number): void {
    for (const span of this.suspensions) span.to = Math.min(span.to, from);
  }

  /** Somebody comes back after this time. */
  awaits(afterMs: number): void {
    this.awaitedUntil = Math.max(this.awaitedUntil, time.monotonic + afterMs + 60_000);
  }

  add(message: ModelMessage): void {
    this.messages.push(message);
    this.#byRecipient.set(message.recipient, message);
  }

  of(recipient: string): ModelMessage | undefined {
    return this.#byRecipient.get(recipient);
  }

  acknowledged(message: ModelMessage, code: string): void {
    this.journal.tell("accepted", message.recipient, code);
    if (message.code !== null && message.code !== code) {
      this.journal.violated("one request", `${message.key} stands for ${message.code} and ${code}`);
    }
    if (message.code === null) {
      message.acknowledgedAt = time.monotonic;
    }
    message.code = code;
  }

  cancelConfirmed(message: ModelMessage): void {
    if (message.cancelled) return;
    message.cancelled = true;
    this.journal.tell("cancelled", message.recipient);
    if (this.submitsOf(message.recipient).length > 0) {
      this.journal.violated("cancelled", `${message.recipient} was submitted, and its cancel confirmed`);
    }
  }

  /** Long before its time nothing may have happened to it. */
  cancelRefused(message: ModelMessage): void {
    const { recipient, sendAt } = message;
    this.journal.tell("not cancelled", recipient);
    if (sendAt === null || message.rank === finalRank || message.cancelled || message.isGivenUp) return;
    const isDisturbed = this.disturbances.touch(["clock"], 0, time.monotonic) || this.optOuts.has(recipient);
    if (sendAt - time.now() > promptMs && !isDisturbed) {
      this.journal.violated("cancelled", `the cancel of ${recipient} was refused long before its time`);
    }
  }

  /** `before`: its rank when this was asked; answers to several requests at once may overtake each other. */
  saw(message: ModelMessage, status: string, before = message.rank): void {
    const rank = Object.entries(ranks).find(([name]) => name === status)?.[1];
    if (rank === undefined) {
      this.journal.violated("forward", `${message.recipient} is ${status}`);
      return;
    }
    if (rank < before) this.journal.violated("forward", `${message.recipient} went back to ${status}`);
    message.rank = Math.max(message.rank, rank);
    if (status === "delivered") this.#judgeDelivered(message);
  }

  /** A carrier tells Peyk, which may commit it before it acknowledges. */
  receiptTold({ recipient, part, isDelivered, isLie }: ToldReceipt): void {
    if (!isDelivered || isLie) return;
    const told = this.#toldDelivered.get(recipient) ?? new Set();
    this.#toldDelivered.set(recipient, told.add(part));
  }

  #judgeDelivered({ recipient }: ModelMessage): void {
    const told = this.#toldDelivered.get(recipient);
    for (const key of this.submits.keys()) {
      const [of = "", part = ""] = key.split("/");
      if (of !== recipient || told?.has(Number(part)) === true) continue;
      this.journal.violated("receipts", `${recipient} is delivered, and no receipt said so of part ${part}`);
    }
  }

  submitsOf(recipient: string): Submitted[] {
    return [...this.submits].filter(([key]) => key.startsWith(`${recipient}/`)).flatMap(([, submits]) => submits);
  }

  /** A carrier received a part. */
  submitted(recipient: string, part: number): Submitted {
    const key = `${recipient}/${part}`;
    const before = this.submits.get(key) ?? [];
    // One refused part holds up the others of its message until all are tried again.
    const isHeldUp = this.submitsOf(recipient).some(({ outcome }) => outcome !== "accepted");
    const submit: Submitted = { at: time.monotonic, answeredAt: null, isTooLate: false, outcome: "unanswered" };
    this.submits.set(key, [...before, submit]);
    this.journal.tell("submit", key, before.length + 1);
    const message = this.#byRecipient.get(recipient);
    if (message === undefined) {
      if (!this.automatic.has(recipient))
        this.journal.violated("stored", `${recipient} was submitted, and nobody asked for it`);
      return submit;
    }
    this.#judgeAllowed(message, before.at(-1)?.at ?? 0);
    const first = before.at(-1);
    if (first === undefined) {
      if (!isHeldUp) this.#judgePrompt(message);
      this.#judgeTime(message);
    } else this.#judgeRepeat(message, key, before);
    return submit;
  }

  #judgeAllowed(message: ModelMessage, lastAt: number): void {
    const { recipient } = message;
    const now = time.monotonic;
    if (message.cancelled) this.journal.violated("cancelled", `${recipient} was submitted after its cancel`);
    const mayNot = ({ from, claimed }: Stop) => now > from && (lastAt > from || !claimed.has(recipient));
    const optOut = this.optOuts.get(recipient);
    if (optOut !== undefined && mayNot(optOut)) {
      this.journal.violated("stopped", `${recipient} was submitted after its opt-out`);
    }
    // Only the first customer is ever suspended.
    if (message.apiKey !== null) return;
    if (this.suspensions.some((suspension) => now < suspension.to && mayNot(suspension))) {
      this.journal.violated("stopped", `${recipient} was submitted while its account was suspended`);
    }
  }

  #judgePrompt(message: ModelMessage): void {
    const { acknowledgedAt, sendAt } = message;
    const now = time.monotonic;
    if (acknowledgedAt === null) return;
    const waited = Math.min(now - acknowledgedAt, sendAt === null ? now : time.now() - sendAt);
    if (waited <= promptMs) return;
    if (this.disturbances.touch(delaying, now - promptMs, now)) return;
    this.journal.violated("prompt", `${message.recipient} left ${Math.round(waited)} ms after it was due`);
  }

  /** With a clock that was ahead until a moment ago it may have been claimed then. */
  #judgeTime({ recipient, sendAt, askedAt }: ModelMessage): void {
    const wall = time.now();
    const now = time.monotonic;
    if (sendAt === null || wall >= sendAt) return;
    const isOnTheWay = ({ from, to }: { from: number; to: number }) =>
      now - to <= onTheWayMs || this.disturbances.touch(holdingUp, from, now);
    const wasDue = this.aheads.some(
      (ahead) => ahead.to >= askedAt - onTheWayMs && ahead.wall >= sendAt && isOnTheWay(ahead),
    );
    if (!wasDue) this.journal.violated("on time", `${recipient} left ${sendAt - wall} ms before its time`);
  }

  #judgeRepeat(message: ModelMessage, key: string, before: readonly Submitted[]): void {
    // After a restart all parts of a long message are sent again.
    if (message.planned.kind === "long") return;
    if (message.planned.kind === "challenge by steps") {
      this.#judgeStep(message, key, before);
      return;
    }
    const unknown = before.filter((one) => this.#mayBeUnknown(one));
    const last = before.at(-1);
    if (last !== undefined && last.outcome === "accepted" && !this.#mayBeUnknown(last)) {
      const times = `${last.at.toFixed(0)}, answered at ${last.answeredAt?.toFixed(0)}`;
      this.journal.violated("doubles needed", `${key} was submitted again though its answer had come (${times})`);
    }
    const { onUncertain, resends } = this.#tuningOf(message);
    const unknownMax = onUncertain === "fail" ? 0 : resends;
    const surelyUnknown = before.filter(({ outcome }) => outcome === "unanswered");
    if (surelyUnknown.length > unknownMax && unknown.length === before.length) {
      this.journal.violated("submits bounded", `${key} is submitted after ${surelyUnknown.length} unknown outcomes`);
    }
  }

  /** The next step, or the last one again: in both cases nothing of the challenge is on its way. */
  #judgeStep(message: ModelMessage, key: string, before: readonly Submitted[]): void {
    const now = time.monotonic;
    const waitedMs = this.#tuningOf(message).responseTimeoutMs - storedMs;
    const isOpen = ({ at, answeredAt }: Submitted) =>
      answeredAt === null && now - at < waitedMs && !this.disturbances.touch(unsettling, at - submitMsMax, now);
    const open = before.find(isOpen);
    if (open !== undefined)
      this.journal.violated("steps", `${key} is submitted while a submit at ${open.at.toFixed(0)} is unanswered`);
    const sent = before.filter((one) => one.outcome === "accepted" && !this.#mayBeUnknown(one)).length;
    if (sent > stepsOfCode) this.journal.violated("steps", `${key} is submitted again, after ${sent} times`);
  }

  /** Whether its answer may not have reached the disk. */
  #mayBeUnknown({ at, answeredAt, isTooLate }: Submitted): boolean {
    if (answeredAt === null || isTooLate) return true;
    const storedAt = answeredAt + storedMs;
    const until = this.disturbances.touch(["disk"], at, storedAt)
      ? this.disturbances.endOf(["disk"], storedAt, storedAt) + diskRetryMs
      : storedAt;
    return this.disturbances.touch(unsettling, at - submitMsMax, until);
  }

  /** Whether nothing unsettled happened between a submit and the storing of its answer. */
  isSurelyStored(submit: Submitted): boolean {
    return submit.answeredAt !== null && !this.#mayBeUnknown(submit);
  }

  receiptAcknowledged(receipt: AcknowledgedReceipt): void {
    const { recipient, part, isDelivered } = receipt;
    this.journal.tell("receipt acknowledged", `${recipient}/${part}`, isDelivered ? "delivered" : "failed");
    this.receipts.push(receipt);
  }
}
