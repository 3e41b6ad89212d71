/**
 * Begins the further steps of challenges when they are due: each in one transaction that reads how the challenge stands,
 * so that a kill neither loses a step nor repeats it.
 */
import { ApiError } from "../../domain/api-error.ts";
import { channelOfTarget } from "../../domain/channel.ts";
import { type MessageState, messageClasses } from "../../domain/message.ts";
import { type OtpStep, otpStepLimits } from "../../domain/otp-steps.ts";
import { joinSealed, visibleText } from "../../domain/sealed-text.ts";
import type { BookingClock, Moment } from "../../platform/booking-clock.ts";
import type { Clock, Timer } from "../../platform/clock.ts";
import type { Logger } from "../../platform/log.ts";
import type { MessageRow, NewMessage } from "../../store/messages.ts";
import type { LiveSequence } from "../../store/otp-steps.ts";
import type { Store, Tables } from "../../store/store.ts";
import type { Directory } from "../directory/directory.ts";
import { bySms, termsBy, type Way, wayOfStep } from "../directory/step-way.ts";
import { type Acceptor, type Caller, type QueuedMessage, queuedOf } from "../messages/accept.ts";

export interface OtpStepsDeps {
  store: Store;
  clock: Clock;
  bookingClock: Pick<BookingClock, "moment">;
  log: Logger;
  acceptor: Pick<Acceptor, "rowOf" | "rules">;
  directory: Pick<Directory, "isRevoked" | "isSuspended" | "route">;
  /** Called with messages once they are on disk. */
  accepted(waiting: readonly QueuedMessage[]): void;
  /** False while the wall clock is in doubt: nothing begins or expires meanwhile. */
  mayExpire(): boolean;
}

type NewSequence = Pick<LiveSequence, "messageId" | "accountId" | "steps" | "sealed">;

/** The longest sleep while a challenge goes on: a failure, or a wall clock set forward, is noticed within this time. */
const tickMsMax = 1_000;
const tickMsMin = 5;
/** Steps begun together, in a few milliseconds. */
const sliceRows = 100;
const waitMsMax = otpStepLimits.waitSecondsMax * 1_000;

/** A message is out of the queue's hands, whatever becomes of it. */
const handedOver: ReadonlySet<MessageState> = new Set(["submitted", "delivered", "failed", "cancelled"]);

export class OtpSteps {
  readonly #deps: OtpStepsDeps;
  #timer: Timer | null = null;
  #isRunning = false;
  #looking: Promise<void> = Promise.resolve();

  constructor(deps: OtpStepsDeps) {
    this.#deps = deps;
  }

  start(): void {
    this.#isRunning = true;
    this.changed();
  }

  /** Resolves once nothing is being begun. */
  async stop(): Promise<void> {
    this.#isRunning = false;
    this.#timer?.cancel();
    await this.#looking;
  }

  /** A challenge with steps is on disk. */
  changed(): void {
    if (this.#timer !== null || !this.#isRunning) return;
    const { store, clock } = this.#deps;
    const nextAt = store.tables.otpSteps.nextDueAt();
    if (nextAt === null) return;
    const waitMs = Math.min(Math.max(nextAt - clock.now(), tickMsMin), tickMsMax);
    this.#timer = clock.after(waitMs, () => {
      this.#looking = this.#look();
    });
  }

  /** In the transaction of the challenge, after its row. */
  insert(tables: Tables, row: NewSequence, { sentAt, expiresAt }: { sentAt: number; expiresAt: number }): void {
    const [first] = row.steps;
    if (first === undefined) return;
    tables.otpSteps.insert({ ...row, dueAt: Math.min(sentAt + first.waitSeconds * 1_000, expiresAt) });
  }

  async #look(): Promise<void> {
    const { log, mayExpire } = this.#deps;
    try {
      if (mayExpire()) while ((await this.#beginDue()) === sliceRows && this.#isRunning);
    } catch (reason) {
      log.error({ err: reason }, "the next steps of one-time passwords were not begun; they are tried again");
    }
    this.#timer = null;
    this.changed();
  }

  async #beginDue(): Promise<number> {
    const { store, bookingClock, accepted } = this.#deps;
    const moment = bookingClock.moment();
    const { otpSteps } = store.tables;
    // The wall clock went back: no wait is longer.
    if ((otpSteps.nextDueAt() ?? 0) > moment.at + waitMsMax)
      await store.write((tables) => tables.otpSteps.pullIn(moment.at + waitMsMax));
    const due = otpSteps.due(moment.at, sliceRows);
    const begun = await Promise.all(due.map((sequence) => this.#begin(sequence, moment)));
    accepted(begun.filter((queued) => queued !== null));
    return due.length;
  }

  async #begin({ messageId }: LiveSequence, moment: Moment): Promise<QueuedMessage | null> {
    const { store } = this.#deps;
    try {
      return await store.write((tables) => this.#beginIn(tables, messageId, moment));
    } catch (reason) {
      if (!(reason instanceof ApiError)) throw reason;
      // A quota or a balance was used up meanwhile.
      await store.write((tables) => tables.otpSteps.end(messageId, "refused", moment.at));
      return null;
    }
  }

  /** Throws ApiError. */
  #beginIn(tables: Tables, messageId: number, moment: Moment): QueuedMessage | null {
    const { otpSteps, otpSends, messages } = tables;
    const now = moment.at;
    const sequence = otpSteps.sequenceOf(messageId);
    if (sequence === null || sequence.dueAt === null || sequence.dueAt > now || sequence.sealed === null) return null;
    const live: LiveSequence = { ...sequence, dueAt: sequence.dueAt, sealed: sequence.sealed };
    const first = messages.byId(messageId);
    const expiresAt = otpSends.challengeOfMessage(messageId)?.expiresAt ?? 0;
    const [step, following] = live.steps.slice(live.begun);
    if (first === null || step === undefined || expiresAt <= now) {
      otpSteps.end(messageId, "expired", now);
      return null;
    }
    // At the end of the challenge at the latest, which ends the steps too.
    const dueAfter = ({ waitSeconds }: OtpStep) => Math.min(now + waitSeconds * 1_000, expiresAt);
    const nextDueAt = following === undefined ? null : dueAfter(following);
    const way = first.isTest === 1 ? bySms : wayOfStep(step, this.#deps.directory);
    if (way === null || isOnItsWay(tables, live, way)) {
      // Its channel is gone; or another SMS would wait beside it, or arrive with it: then the last one waits.
      if (nextDueAt === null && way !== null) otpSteps.postpone(live, dueAfter(step));
      else otpSteps.begin(live, null, now, nextDueAt);
      return null;
    }
    const isSuspended = tables.messageTemplates.isSuspended(messageId);
    const row = isSuspended ? null : this.#rowOf(first, live, way, { ...moment, expiresAt });
    if (row === null) {
      otpSteps.end(messageId, "refused", now);
      return null;
    }
    const id = this.#insert(tables, row, { ...callerOf(first), ...moment });
    tables.messageTemplates.copy(messageId, id);
    otpSteps.begin(live, id, now, nextDueAt);
    return queuedOf(row, id);
  }

  /** Null if a request for it would be refused now. */
  #rowOf(
    first: MessageRow,
    { sealed }: LiveSequence,
    way: Way,
    moment: Moment & { expiresAt: number },
  ): NewMessage | null {
    const { acceptor, directory } = this.#deps;
    const caller = { ...callerOf(first), ...moment };
    if (directory.isSuspended(caller.accountId) || directory.isRevoked(caller.apiKeyId)) return null;
    const { sender, recipient } = first;
    const text = visibleText(first.text);
    try {
      const asSms = acceptor.rowOf(caller, {
        sender,
        recipient,
        text,
        clientReference: null,
        sendAt: null,
        class: messageClasses.otp,
        storedText: joinSealed(text, sealed),
        validityMs: moment.expiresAt - moment.at,
      });
      const row = { ...asSms, ...termsBy(way, asSms) };
      acceptor.rules.check(caller, acceptor.rules.demandOf([row]));
      return row;
    } catch (reason) {
      if (reason instanceof ApiError) return null;
      throw reason;
    }
  }

  /** Throws ApiError. */
  #insert(tables: Tables, row: NewMessage, caller: Caller): number {
    const { rules } = this.#deps.acceptor;
    rules.reserve(tables, caller, rules.demandOf([row]));
    tables.targetShares.take(row);
    return tables.messages.insert(row);
  }
}

const callerOf = ({ accountId, apiKeyId }: MessageRow) => ({ accountId, apiKeyId: apiKeyId ?? 0 });

/** True while a message of the challenge by this way has not been handed over. */
function isOnItsWay({ messages, otpSteps }: Tables, { messageId }: LiveSequence, { channelId }: Way): boolean {
  const ids = [messageId, ...otpSteps.stepsOf(messageId).map((step) => step.messageId)];
  return ids.some((id) => {
    const row = messages.byId(id);
    return row !== null && !handedOver.has(row.state) && channelOfTarget(row.targetId) === channelId;
  });
}
