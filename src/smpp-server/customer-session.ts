/** One customer connection: its state, and the unanswered requests in both directions. */
import type { Socket } from "node:net";
import type { SmppCredentialOptions } from "../domain/credential.ts";
import type { Reason } from "../domain/reason.ts";
import type { Clock } from "../platform/clock.ts";
import { commandIdOf, sequenceOf, statusOf } from "../smpp/codec.ts";
import { answerBit, commandIds, sequenceMax } from "../smpp/constants.ts";
import { EarliestTimer } from "../smpp/earliest-timer.ts";
import { LinkWatch } from "../smpp/link-watch.ts";
import type { SharedReading } from "../smpp/shared-reading.ts";
import { Wire } from "../smpp/wire.ts";
import { bareAnswer } from "./answer-frames.ts";
import { customerStatus } from "./customer-status.ts";
import type { CustomerTap } from "./customer-tap.ts";
import type { FreeRequestTurn } from "./free-request-turns.ts";

export type CustomerBindMode = "transmitter" | "receiver" | "transceiver";

/** What a successful bind establishes. */
export interface BoundTo {
  credentialId: number;
  mode: CustomerBindMode;
  /** How many requests may be unanswered in each direction. */
  window: number;
  /** True from 3.4 on. */
  takesTlvs: boolean;
  /** Counts the requests that cost the customer nothing. */
  free: FreeRequestTurn;
}

/** The outcome of a delivery: null if the connection ended before its answer came. */
export type DeliverAnswer = { status: number } | null;

export interface CustomerSessionEvents {
  /** Called with every customer request except enquire_link and unbind. */
  request(session: CustomerSession, frame: Buffer): void;
  /** Called when there is room for deliveries again. */
  roomy(session: CustomerSession): void;
  /** Called once, whatever ended the session; null: it never bound. */
  ended(session: CustomerSession, why: Reason | null): void;
}

export interface CustomerSessionDeps {
  clock: Clock;
  events: CustomerSessionEvents;
  enquireLinkSeconds: number;
  /** How long the customer may take to answer. */
  responseTimeoutMs: number;
  tap: CustomerTap;
  /** Shared by all connections. */
  share: SharedReading;
}

interface PendingDelivery {
  deadlineMs: number;
  answered(answer: DeliverAnswer): void;
}

/** A connection that has not bound within this time is closed. */
const bindMs = 10_000;
/** How long requests and an unbind may go unanswered before the connection is closed. */
const answersMs = 5_000;
const unbindMs = 2_000;
/** How long a client whose bind was refused may take to close: many lose the answer if the server closes first. */
const refusedMs = 2_000;
const strangersPduOctetsMax = 1_024;
/**
 * Room for the largest message_payload and all other fields; a text over 2,000 characters must be read to be refused.
 */
const customersPduOctetsMax = 70_000;
/** Requests allowed before the bind. */
const strangersRequestsMax = 20;

let lastId = 0;

export class CustomerSession {
  readonly id: number;
  readonly address: string;
  readonly openedAt: number;
  readonly wire: Wire;
  readonly #deps: CustomerSessionDeps;
  readonly #watch: LinkWatch;
  readonly #timer: EarliestTimer;
  readonly #deliveries = new Map<number, PendingDelivery>();
  /** Submits whose answer may not have been written to the socket yet. */
  readonly #unwritten = new Set<number>();
  #state: "open" | "refused" | "bound" | "unbinding" | "over" = "open";
  #stateDeadlineMs: number;
  #bound: BoundTo | null = null;
  #openRequests = 0;
  #strangersRequests = 0;
  #sequence = 0;
  #unbindSequence = 0;
  #peerUnbindSequence: number | null = null;
  #closeReason: Reason | null = null;
  #enquiries = 0;

  constructor(socket: Socket, address: string, deps: CustomerSessionDeps) {
    const { clock, enquireLinkSeconds, responseTimeoutMs, tap, share } = deps;
    lastId += 1;
    this.id = lastId;
    this.address = address;
    this.openedAt = clock.now();
    this.#deps = deps;
    const nowMs = clock.monotonic();
    // Only whole PDUs count as activity: a peer could keep the connection open forever by sending single octets.
    this.#watch = new LinkWatch(enquireLinkSeconds * 1_000, responseTimeoutMs, nowMs);
    this.#timer = new EarliestTimer(clock, (now) => this.#check(now));
    this.#stateDeadlineMs = nowMs + bindMs;
    const events = {
      frame: (frame: Buffer) => this.#take(frame),
      unreadable: () => {
        this.wire.write(bareAnswer(commandIds.genericNack, customerStatus.invalidCommandLength, 0));
        this.end({ code: "client_pdu_invalid" });
      },
      drained: () => this.#deps.events.roomy(this),
      lost: (reason: Reason) => this.end(this.#closeReason ?? reason),
    };
    this.wire = new Wire(socket, clock, events, tap, share);
    this.wire.pduOctetsMax = strangersPduOctetsMax;
    this.#timer.by(this.#stateDeadlineMs);
  }

  get bound(): BoundTo | null {
    return this.#bound;
  }

  get isBound(): boolean {
    return this.#state === "bound";
  }

  get isOver(): boolean {
    return this.#state === "over";
  }

  /** Our requests in flight. */
  get openDeliveries(): number {
    return this.#deliveries.size;
  }

  get openRequests(): number {
    return this.#openRequests;
  }

  /** An enquire_link is unanswered. */
  get isSilent(): boolean {
    return this.#enquiries > 0;
  }

  /** How many deliveries may be sent now. */
  get room(): number {
    if (this.#state !== "bound" || this.#bound === null || this.#bound.mode === "transmitter") return 0;
    return this.wire.backlogged ? 0 : this.#bound.window - this.#deliveries.size;
  }

  /** The bind succeeded. */
  become(bound: BoundTo, alphabets: Pick<SmppCredentialOptions, "charset" | "ia5">): void {
    this.#bound = bound;
    this.#deps.tap.bound(bound.credentialId, alphabets);
    this.#state = "bound";
    this.wire.pduOctetsMax = customersPduOctetsMax;
    this.#timer.by(this.#watch.deadlineMs());
  }

  /** The bind is refused: the client reads `answer` and closes. */
  refuse(answer: Buffer): void {
    if (this.#state !== "open") return;
    this.wire.write(answer);
    this.#state = "refused";
    this.#stateDeadlineMs = this.#deps.clock.monotonic() + refusedMs;
    this.#timer.by(this.#stateDeadlineMs);
  }

  /**
   * Counts a request that costs the customer nothing, such as a refused one. After some of them, the bind is not read
   * until its turn comes.
   */
  countFree(isRefused = false): void {
    if (this.#bound === null || this.#state === "over") return;
    if (!this.#bound.free.count(isRefused)) this.wire.hold(true);
  }

  /** The bind may be read again. */
  goOn(): void {
    this.wire.hold(false);
  }

  /** A request was accepted that will be answered later. */
  began(): void {
    this.#openRequests += 1;
  }

  /** It was answered. `submitId`: a submit whose receipt must not overtake the answer. */
  finish(frame: Buffer, submitId: number | null): void {
    this.#openRequests -= 1;
    if (this.#state === "over") return;
    if (submitId !== null) {
      if (this.#unwritten.size > 0 && this.wire.isDrained) this.#unwritten.clear();
      this.#unwritten.add(submitId);
    }
    this.wire.write(frame);
    this.#endWhenAnswered(false);
  }

  /** True while the answer to this submit may still be on its way to the socket. */
  mayOwe(submitId: number): boolean {
    if (this.#state === "over" || !this.#unwritten.has(submitId)) return false;
    if (this.wire.isDrained) this.#unwritten.clear();
    return this.#unwritten.has(submitId);
  }

  /** Sends a deliver_sm. Call only while there is `room`. */
  deliver(frame: Buffer, answered: (answer: DeliverAnswer) => void): void {
    const sequence = this.#nextSequence();
    const deadlineMs = this.#deps.clock.monotonic() + this.#deps.responseTimeoutMs;
    this.#deliveries.set(sequence, { deadlineMs, answered });
    frame.writeUInt32BE(sequence, 12);
    this.wire.write(frame);
    this.#timer.by(deadlineMs);
  }

  /** Sends an enquire_link at once. */
  enquire(): void {
    if (this.#state === "bound" && this.#enquiries === 0) this.#enquire();
  }

  /** Takes no new requests, waits for those in flight, and unbinds. */
  unbind(why: Reason): void {
    if (this.#isStranger) this.end(why);
    if (this.#state !== "bound") return;
    this.#state = "unbinding";
    this.#closeReason = why;
    this.#stateDeadlineMs = this.#deps.clock.monotonic() + answersMs;
    this.#timer.by(this.#stateDeadlineMs);
    this.#endWhenAnswered(false);
  }

  /** Closes the connection. Safe to call again. */
  end(why: Reason | null): void {
    if (this.#state === "over") return;
    this.#state = "over";
    this.#timer.cancel();
    this.wire.close();
    this.#unwritten.clear();
    const open = [...this.#deliveries.values()];
    this.#deliveries.clear();
    for (const { answered } of open) answered(null);
    this.#deps.events.ended(this, why);
  }

  #endWhenAnswered(isLate: boolean): void {
    if (this.#state !== "unbinding" || (this.#openRequests > 0 && !isLate)) return;
    if (this.#peerUnbindSequence !== null) {
      this.wire.write(bareAnswer(commandIds.unbind, customerStatus.ok, this.#peerUnbindSequence));
      this.end({ code: "client_unbound" });
    } else if (this.#unbindSequence !== 0) {
      if (isLate) this.end(this.#closeReason);
    } else {
      this.#unbindSequence = this.#nextSequence();
      this.wire.write(bareRequest(commandIds.unbind, this.#unbindSequence));
      this.#stateDeadlineMs = this.#deps.clock.monotonic() + unbindMs;
      this.#timer.by(this.#stateDeadlineMs);
    }
  }

  /** From 1 to 0x7FFFFFFF, then from 1 again (§2.6.2), skipping numbers that are still unanswered. */
  #nextSequence(): number {
    do this.#sequence = this.#sequence === sequenceMax ? 1 : this.#sequence + 1;
    while (this.#deliveries.has(this.#sequence) || this.#sequence === this.#unbindSequence);
    return this.#sequence;
  }

  #take(frame: Buffer): void {
    if (this.#state === "over") return;
    this.#watch.heard(this.#deps.clock.monotonic());
    this.#enquiries = 0;
    const commandId = commandIdOf(frame);
    if (commandId >= answerBit) this.#takeAnswer(commandId, frame);
    else if (commandId === commandIds.enquireLink) {
      this.#countStranger();
      this.wire.write(bareAnswer(commandId, customerStatus.ok, sequenceOf(frame)));
      this.countFree(true);
    } else if (commandId === commandIds.unbind) this.#peerUnbinds(sequenceOf(frame));
    else {
      this.#countStranger();
      if (this.#state !== "refused" && !this.isOver) this.#deps.events.request(this, frame);
    }
  }

  get #isStranger(): boolean {
    return this.#state === "open" || this.#state === "refused";
  }

  #countStranger(): void {
    if (!this.#isStranger) return;
    this.#strangersRequests += 1;
    if (this.#strangersRequests > strangersRequestsMax) this.end(null);
  }

  #peerUnbinds(sequence: number): void {
    this.#peerUnbindSequence = sequence;
    if (this.#isStranger) {
      this.wire.write(bareAnswer(commandIds.unbind, customerStatus.ok, sequence));
      this.end({ code: "client_unbound" });
      return;
    }
    this.#state = "unbinding";
    this.#stateDeadlineMs = this.#deps.clock.monotonic() + answersMs;
    this.#timer.by(this.#stateDeadlineMs);
    this.#endWhenAnswered(false);
  }

  #takeAnswer(commandId: number, frame: Buffer): void {
    const sequence = sequenceOf(frame);
    const delivery = this.#deliveries.get(sequence);
    if (delivery !== undefined && commandId !== commandIds.enquireLinkResp) {
      this.#deliveries.delete(sequence);
      const status = statusOf(frame);
      const isNack = commandId === commandIds.genericNack && status === customerStatus.ok;
      delivery.answered({ status: isNack ? customerStatus.systemError : status });
      this.#deps.events.roomy(this);
    } else if (commandId === commandIds.unbindResp && sequence === this.#unbindSequence) this.end(this.#closeReason);
    else this.countFree(true);
  }

  /** Handles every deadline that has passed, and sets the timer for the next. */
  #check(nowMs: number): void {
    if (this.#isStranger && nowMs >= this.#stateDeadlineMs) this.end(null);
    if (this.#state === "unbinding" && nowMs >= this.#stateDeadlineMs) this.#endWhenAnswered(true);
    if (this.#state === "over") return;
    const [oldest] = this.#deliveries.values();
    if (oldest !== undefined && oldest.deadlineMs <= nowMs) this.unbind({ code: "client_acknowledged_nothing" });
    if (this.#state === "bound") this.#watchLink(nowMs);
    if (this.isOver) return;
    if (oldest !== undefined && oldest.deadlineMs > nowMs) this.#timer.by(oldest.deadlineMs);
    this.#timer.by(this.#state === "bound" ? this.#watch.deadlineMs() : this.#stateDeadlineMs);
  }

  #watchLink(nowMs: number): void {
    const need = this.#watch.check(nowMs);
    if (need === "dead") this.end({ code: "client_silent" });
    if (need === "ask") this.#enquire();
  }

  #enquire(): void {
    this.#enquiries += 1;
    this.wire.write(bareRequest(commandIds.enquireLink, this.#nextSequence()));
  }
}

function bareRequest(commandId: number, sequence: number): Buffer {
  const frame = bareAnswer(commandIds.genericNack, 0, sequence);
  frame.writeUInt32BE(commandId, 4);
  return frame;
}
