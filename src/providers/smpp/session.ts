/** One connection to an SMSC: binds, submits within its window, unbinds, and notices when the link is dead. */
import type { Socket } from "node:net";
import type { Reason } from "../../domain/reason.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Logger } from "../../platform/log.ts";
import {
  commandIdOf,
  type DeliverSm,
  describeCommand,
  encodeBind,
  encodePlain,
  encodeQuery,
  type QueryFields,
  readMessageId,
  sequenceOf,
  statusOf,
} from "../../smpp/codec.ts";
import { answerBit, commandIds, commandStatus, namedStatus, sequenceMax } from "../../smpp/constants.ts";
import { EarliestTimer } from "../../smpp/earliest-timer.ts";
import type { FrameLengthError } from "../../smpp/frame-reader.ts";
import { LinkWatch } from "../../smpp/link-watch.ts";
import { Wire, type WireTap } from "../../smpp/wire.ts";
import type { PartResult } from "./message-submit.ts";
import type { BindForm, SmppOptions } from "./options.ts";
import { Pace } from "./pace.ts";
import { PeerRequests } from "./peer-requests.ts";
import { QueryExchange, type QueryResult } from "./query-exchange.ts";
import { nackRefusal, refusalOf } from "./submit-errors.ts";
import { type PartSubmit, SubmitWindow } from "./submit-window.ts";

export type BindMode = "transceiver" | "transmitter" | "receiver";

/**
 * How a session ended. `refused`: the SMSC refused the bind, so retrying soon is pointless. `stopped`: Peyk unbound,
 * and the SMSC answered or closed the connection.
 */
export interface SessionEnd {
  kind: "refused" | "lost" | "stopped";
  reason: Reason;
}

export interface SessionEvents {
  bound(): void;
  /** Resolves when the content is committed: only then is the peer's PDU answered. */
  delivery(delivery: DeliverSm): Promise<void>;
  /** Nothing new is sent; open submits may still be answered, and `ended` follows. */
  closing(): void;
  /** Called once. Every part handed over is settled by then. */
  ended(end: SessionEnd): void;
}

export interface SessionDeps {
  mode: BindMode;
  options: SmppOptions;
  events: SessionEvents;
  clock: Clock;
  log: Logger;
  tap?: WireTap;
}

/** The kinds of bind that together make one of a route's binds. */
export const bindModes = {
  transceiver: ["transceiver"],
  "transmitter+receiver": ["transmitter", "receiver"],
  receiver: ["receiver"],
} as const satisfies Record<BindForm, readonly BindMode[]>;

const bindCommands = {
  transceiver: commandIds.bindTransceiver,
  transmitter: commandIds.bindTransmitter,
  receiver: commandIds.bindReceiver,
} as const;

/** How long the peer may take to answer the request that ends a session. */
const endingMs = 2_000;
/**
 * A link that answers enquire_link is ended if none of this many submits is answered within this many response
 * timeouts.
 */
const silentSubmitsMax = 10;
const silentTimeoutsMax = 6;

export class Session {
  readonly window: SubmitWindow;
  readonly #wire: Wire;
  readonly #requests: PeerRequests;
  readonly #watch: LinkWatch;
  readonly #timer: EarliestTimer;
  /** `closing`: open submits may still be answered, nothing new is sent. */
  #state: "binding" | "bound" | "closing" | "over" = "binding";
  /** When `binding` or `closing` must end, whatever the peer does. */
  #stateDeadlineMs: number;
  /** Why the session is closing, and whether Peyk's unbind is the cause. */
  #closing: { end: SessionEnd; unbind: boolean } | null = null;
  #sequence = 0;
  #bindSequence = 0;
  #unbindSequence = 0;
  readonly #pace: Pace;
  readonly #queries: QueryExchange;
  #pausedUntilMs = 0;
  #silent = { submits: 0, sinceMs: 0 };
  #proven = false;

  constructor(
    socket: Socket,
    readonly deps: SessionDeps,
  ) {
    const { options, clock, log, events, tap = null } = deps;
    const nowMs = clock.monotonic();
    this.window = new SubmitWindow(options.window, options.responseTimeoutMs);
    this.#queries = new QueryExchange(log);
    this.#pace = new Pace(options.partsPerSecondPerBind);
    this.#watch = new LinkWatch(options.enquireLinkSeconds * 1000, options.responseTimeoutMs, nowMs);
    this.#timer = new EarliestTimer(clock, (now) => this.#check(now));
    this.#stateDeadlineMs = nowMs + options.responseTimeoutMs;
    const wireEvents = {
      frame: (frame: Buffer) => this.#take(frame),
      unreadable: (error: FrameLengthError) => {
        this.#wire.write(encodePlain(commandIds.genericNack, 0, commandStatus.invalidCommandLength));
        this.end({ kind: "lost", reason: error.reason });
      },
      drained: () => this.#pump(),
      lost: (reason: Reason) => this.end({ kind: this.#unbindSequence === 0 ? "lost" : "stopped", reason }),
    };
    this.#wire = new Wire(socket, clock, wireEvents, tap);
    const requestEvents = {
      delivery: events.delivery,
      answered: () => this.#endWhenDrained(false),
      unbound: () => this.#peerUnbound(),
    };
    this.#requests = new PeerRequests(this.#wire, requestEvents, log);
  }

  /** Parts may be handed over. */
  get isBound(): boolean {
    return this.#state === "bound";
  }

  /** The SMSC throttles this bind. */
  get isPaused(): boolean {
    return this.deps.clock.monotonic() < this.#pausedUntilMs;
  }

  /** The SMSC accepted a part over this bind. */
  get isProven(): boolean {
    return this.#proven;
  }

  /** Sends the bind; `events.bound` or `events.ended` follows. */
  bind(): void {
    const { mode, options } = this.deps;
    this.#bindSequence = this.#nextSequence();
    this.#wire.write(encodeBind({ ...options, commandId: bindCommands[mode] }, this.#bindSequence));
    this.#timer.by(this.#stateDeadlineMs);
  }

  /** Sends a part as soon as the window has room. Only for a session that `isBound`. */
  submit(part: PartSubmit): void {
    this.window.wait(part);
    this.#pump();
  }

  /** True if a query may be sent: none is open, and no submit would have to wait for it. */
  get mayQuery(): boolean {
    const hasRoom = this.window.waitingCount === 0 && this.window.unansweredCount < this.window.size;
    return this.#state === "bound" && hasRoom && !this.#queries.isOpen && !this.isPaused && !this.#wire.backlogged;
  }

  /** Queries the state of a part. Only for a session that `mayQuery`. */
  query(fields: QueryFields, answered: (result: QueryResult) => void): void {
    const sequence = this.#nextSequence();
    const deadlineMs = this.deps.clock.monotonic() + this.deps.options.responseTimeoutMs;
    this.#queries.begin({ sequence, deadlineMs, answered });
    this.#wire.write(encodeQuery(fields, sequence));
    this.#timer.by(deadlineMs);
  }

  /**
   * Sends nothing new, waits up to `graceMs` for open requests, unbinds. `events.ended` follows when all is settled.
   */
  stop(graceMs: number): void {
    const end: SessionEnd = { kind: "stopped", reason: { code: "route_stopped" } };
    if (this.#state === "binding") this.end(end);
    else this.#close(end, graceMs, true);
  }

  /** Settles everything and closes the connection. Safe to call again. */
  end(end: SessionEnd): void {
    if (this.#state === "over") return;
    this.#state = "over";
    this.#timer.cancel();
    this.#wire.close();
    this.window.close(end.reason);
    this.#queries.close();
    this.deps.events.ended(this.#closing !== null && this.#unbindSequence === 0 ? this.#closing.end : end);
  }

  #close(end: SessionEnd, graceMs: number, unbind: boolean): void {
    if (this.#state === "over" || this.#state === "closing") return;
    this.#state = "closing";
    this.#closing = { end, unbind };
    this.deps.events.closing();
    this.window.release(end.reason);
    this.#stateDeadlineMs = this.deps.clock.monotonic() + graceMs;
    this.#timer.by(this.#stateDeadlineMs);
    this.#endWhenDrained(false);
  }

  /** Unbinds or ends a closing session, once nothing is open or its time is up. */
  #endWhenDrained(timeIsUp: boolean): void {
    if (this.#state !== "closing" || this.#closing === null) return;
    const isOpen = this.window.unansweredCount > 0 || this.#requests.openCount > 0;
    if (isOpen && !timeIsUp) return;
    const asked = this.#unbindSequence !== 0;
    if (!this.#closing.unbind) this.end(this.#closing.end);
    else if (asked && timeIsUp) this.end({ kind: "lost", reason: { code: "unbind_unanswered" } });
    if (!this.#closing.unbind || asked) return;
    this.#unbindSequence = this.#nextSequence();
    this.#wire.write(encodePlain(commandIds.unbind, this.#unbindSequence));
    this.#stateDeadlineMs = this.deps.clock.monotonic() + endingMs;
    this.#timer.by(this.#stateDeadlineMs);
  }

  #peerUnbound(): void {
    const end: SessionEnd = { kind: "lost", reason: { code: "smsc_unbound" } };
    if (this.#state === "bound") this.#close(end, endingMs, false);
    else this.end(end);
  }

  #pump(): void {
    if (this.#state !== "bound" || this.window.waitingCount === 0) return;
    const nowMs = this.deps.clock.monotonic();
    let waitMs = Math.max(this.#pausedUntilMs - nowMs, this.#pace.waitMs(nowMs));
    while (waitMs <= 0 && !this.#wire.backlogged) {
      const part = this.window.send(this.#nextSequence, nowMs);
      if (part === null) break;
      this.#wire.write(part.frame, part.isSecret);
      this.#pace.sent(nowMs);
      waitMs = this.#pace.waitMs(nowMs);
    }
    if (waitMs > 0) this.#timer.by(nowMs + waitMs);
    this.#timer.by(this.window.deadlineMs());
  }

  /** From 1 to 0x7FFFFFFF, then from 1 again (§2.6.2), skipping numbers that are still unanswered. */
  readonly #nextSequence = (): number => {
    do this.#sequence = this.#sequence === sequenceMax ? 1 : this.#sequence + 1;
    while (this.#isTaken(this.#sequence));
    return this.#sequence;
  };

  #isTaken(sequence: number): boolean {
    return this.window.isOpen(sequence) || this.#queries.isOf(sequence) || sequence === this.#unbindSequence;
  }

  #take(frame: Buffer): void {
    if (this.#state === "over") return;
    this.#watch.heard(this.deps.clock.monotonic());
    if (commandIdOf(frame) >= answerBit) this.#takeAnswer(frame);
    else this.#requests.take(frame, this.#state !== "binding");
  }

  #takeAnswer(frame: Buffer): void {
    const commandId = commandIdOf(frame);
    const sequence = sequenceOf(frame);
    if (this.#state === "binding") {
      if (sequence === this.#bindSequence) this.#takeBindAnswer(commandId, statusOf(frame));
    } else if (this.window.isOpen(sequence)) {
      const isNack = commandId === commandIds.genericNack;
      if (isNack || commandId === commandIds.submitSmResp) this.#takeSubmitAnswer(isNack, sequence, frame);
    } else if (this.#queries.isOf(sequence)) {
      this.#queries.answer(frame);
    } else if (commandId === commandIds.unbindResp && sequence === this.#unbindSequence) {
      this.end({ kind: "stopped", reason: { code: "unbound" } });
    } else if (commandId !== commandIds.enquireLinkResp) {
      this.deps.log.debug(`the SMSC sent ${describeCommand(commandId)} for ${sequence}, which nothing waits for`);
    }
  }

  #takeBindAnswer(commandId: number, status: number): void {
    const expected = bindCommands[this.deps.mode] + answerBit;
    if (commandId === expected && status === commandStatus.ok) {
      this.#state = "bound";
      this.#timer.by(this.#watch.deadlineMs());
      this.deps.events.bound();
    } else {
      const command = commandId === expected ? null : describeCommand(commandId);
      this.end({ kind: "refused", reason: { code: "bind_refused", ...namedStatus(status), command } });
    }
  }

  #takeSubmitAnswer(isNack: boolean, sequence: number, frame: Buffer): void {
    const status = statusOf(frame);
    const notBound = status === commandStatus.invalidBindStatus;
    this.#silent.submits = 0;
    this.window.answer(sequence, this.#partResult(isNack, status, frame));
    if (notBound) this.#close({ kind: "lost", reason: { code: "link_not_bound" } }, endingMs, false);
    this.#pump();
    this.#endWhenDrained(false);
  }

  #partResult(isNack: boolean, status: number, frame: Buffer): PartResult {
    if (status === commandStatus.ok && !isNack) {
      this.#proven = true;
      return { kind: "accepted", id: readMessageId(frame) };
    }
    if (status === commandStatus.invalidBindStatus) {
      return { kind: "unsent", reason: { code: "smpp_refused", ...namedStatus(status) } };
    }
    const { options, clock } = this.deps;
    const refusal = isNack ? nackRefusal(status, options) : refusalOf(status, options);
    if (refusal.kind === "throttled") this.#pausedUntilMs = clock.monotonic() + refusal.retryAfterMs;
    return { kind: "refused", refusal };
  }

  /** Handles every deadline that has passed, and sets the timer for the next. */
  #check(nowMs: number): void {
    const timeIsUp = this.#state !== "bound" && nowMs >= this.#stateDeadlineMs;
    if (timeIsUp && this.#state === "binding") this.end({ kind: "lost", reason: { code: "bind_unanswered" } });
    this.#endWhenDrained(timeIsUp);
    // Answers may be unread behind deliveries that wait for Peyk's own disk: not the peer's fault.
    if (this.#requests.isHeld) this.#watch.heard(nowMs);
    else {
      this.#expireSubmits(nowMs);
      this.#queries.expire(nowMs);
    }
    if (this.#state === "bound") this.#watchLink(nowMs);
    this.#pump();
    this.#setTimer(nowMs);
  }

  #setTimer(nowMs: number): void {
    if (this.#state === "over") return;
    const answersDueMs = Math.min(this.window.deadlineMs(), this.#queries.deadlineMs);
    this.#timer.by(this.#requests.isHeld ? nowMs + endingMs : answersDueMs);
    this.#timer.by(this.#state === "bound" ? this.#watch.deadlineMs() : this.#stateDeadlineMs);
  }

  #expireSubmits(nowMs: number): void {
    const expired = this.window.expire(nowMs);
    if (expired === 0) return;
    if (this.#silent.submits === 0) this.#silent.sinceMs = nowMs;
    this.#silent.submits += expired;
    const silentMs = nowMs - this.#silent.sinceMs;
    const isSilent = silentMs >= silentTimeoutsMax * this.deps.options.responseTimeoutMs;
    if (!isSilent || this.#silent.submits < silentSubmitsMax) return;
    const seconds = Math.round(silentMs / 1000);
    this.end({ kind: "lost", reason: { code: "submits_unanswered", seconds } });
  }

  #watchLink(nowMs: number): void {
    const need = this.#watch.check(nowMs);
    if (need === "dead") this.end({ kind: "lost", reason: { code: "enquire_link_unanswered" } });
    if (need === "ask") this.#wire.write(encodePlain(commandIds.enquireLink, this.#nextSequence()));
  }
}
