/**
 * Explains what would become of a message. Uses the same code that accepts, decides and blocks messages, but stores and
 * counts nothing.
 */
import { ApiError } from "../../domain/api-error.ts";
import { type MessageClass, messageClasses } from "../../domain/message.ts";
import { amountInCurrency } from "../../domain/money-text.ts";
import { OperatorError } from "../../domain/operator-error.ts";
import { type OtpStep, wayOf } from "../../domain/otp-steps.ts";
import { describeReason, type Reason } from "../../domain/reason.ts";
import { isInSendWindow, sendWindowText } from "../../domain/send-window.ts";
import type { BookingClock } from "../../platform/booking-clock.ts";
import type { MessageRow, NewMessage } from "../../store/messages.ts";
import type { Store, Tables } from "../../store/store.ts";
import type { Directory } from "../directory/directory.ts";
import { priceBy, wayOfStep } from "../directory/step-way.ts";
import type { Remark } from "../rules/traffic-rules.ts";
import type { Acceptor, Caller } from "./accept.ts";
import { type RecipientRules, readRecipient } from "./draft.ts";

export interface ExplainerDeps {
  store: Store;
  currency: string;
  bookingClock: Pick<BookingClock, "moment">;
  directory: Pick<Directory, "account" | "isSuspended" | "key" | "route">;
  acceptor: Pick<Acceptor, "rowOf" | "rules" | "unknownNumbers">;
  recipientRules(accountId: number): RecipientRules;
  /** Why a message would never be handed over; null if it would. */
  handover: {
    blocks(
      tables: Tables,
      message: { id: number; accountId: number; class: MessageClass; recipient: string },
    ): Reason | null;
  };
  /** Of the account's one-time passwords by this pattern; null for those without one. */
  otpSteps(accountId: number, pattern: string | null): readonly OtpStep[];
  /** Until a one-time password may be sent to the recipient, in milliseconds; 0 for at once. */
  otpWaitMs(accountId: number, recipient: string, at: number): number;
}

/** The message in question. */
export interface AskedMessage {
  accountId: number;
  /** 0 if no key is given. */
  apiKeyId: number;
  sender: string;
  /** In any common format. */
  recipient: string;
  class: MessageClass;
  text: string;
  /** By which a one-time password goes; null for none. */
  pattern: string | null;
  /** Epoch milliseconds; null for at once. */
  sendAt: number | null;
}

export interface Explanation {
  /** The refusal a request would get; null if it would be accepted. */
  refusal: { code: string; message: string } | null;
  /** Why it would fail before hand-over; null if it would not. */
  blocked: Reason | null;
  /** As it would be stored; null if it is refused before the traffic rules run. */
  row: NewMessage | null;
  /** The decision of each rule that applied, in order. */
  remarks: Remark[];
}

/** No message has this id. */
const noMessage = 0;

export class Explainer {
  constructor(private readonly deps: ExplainerDeps) {}

  /**
   * Runs the checks of a request in order and stops at the first refusal. Throws OperatorError if the account or key
   * does not exist.
   */
  explain(question: AskedMessage): Explanation {
    const explanation: Explanation = { refusal: null, blocked: null, row: null, remarks: [] };
    try {
      this.#ask(question, explanation);
    } catch (reason) {
      if (!(reason instanceof ApiError)) throw reason;
      const { code, message } = reason;
      explanation.refusal = { code, message };
      explanation.remarks.push({ rule: "refusal", words: `A request would be refused with ${code}: ${message}` });
    }
    return explanation;
  }

  /** What was decided about a stored message. */
  recall(message: MessageRow): Remark[] {
    return this.deps.acceptor.rules.recall(message);
  }

  #ask(question: AskedMessage, explanation: Explanation): void {
    const { acceptor, handover, store, bookingClock } = this.deps;
    const { accountId, apiKeyId, class: messageClass, sender, text, sendAt } = question;
    const { remarks } = explanation;
    const caller = { accountId, apiKeyId, ...bookingClock.moment() };
    this.#assertActive(question, remarks);
    const recipient = this.#recipientOf(question, remarks);
    assertSendWindow(sendAt, caller.at);
    if (messageClass === messageClasses.otp) this.#assertOtp(caller, recipient, question.pattern, remarks);
    const draft = { sender, recipient, text, clientReference: null, class: messageClass, sendAt };
    const isAsked = acceptor.unknownNumbers(caller, [draft]).size > 0;
    const row = acceptor.rowOf(caller, draft, remarks);
    if (isAsked)
      remarks.push({ rule: "network", words: "Its network would be looked up first: the following is without it." });
    explanation.row = row;
    if (messageClass === messageClasses.otp) remarks.push(...this.#stepsOf(row, question.pattern));
    const demand = acceptor.rules.demandOf([row]);
    remarks.push(...acceptor.rules.explain(caller, demand));
    acceptor.rules.check(caller, demand);
    explanation.blocked = handover.blocks(store.tables, { id: noMessage, accountId, class: messageClass, recipient });
    if (explanation.blocked === null) return;
    remarks.push({
      rule: "suppression",
      words: `It would fail with blocked: ${describeReason(explanation.blocked)}. Nothing is charged.`,
    });
  }

  /** Throws OperatorError, `account_suspended`, `api_key_invalid`. */
  #assertActive({ accountId, apiKeyId }: AskedMessage, remarks: Remark[]): void {
    const { directory } = this.deps;
    const account = directory.account(accountId);
    if (account === null) throw new OperatorError("account_not_found");
    const key = apiKeyId === 0 ? null : directory.key(apiKeyId);
    if (apiKeyId !== 0 && key?.accountId !== accountId) throw new OperatorError("key_not_found");
    if (directory.isSuspended(accountId)) throw new ApiError("account_suspended");
    if (key !== null && key.revokedAt !== null) throw new ApiError("api_key_invalid");
    remarks.push({ rule: "account", words: `${account.name} is active.` });
  }

  /** E.164. Throws `validation_failed`. */
  #recipientOf({ accountId, recipient }: AskedMessage, remarks: Remark[]): string {
    const rules = this.deps.recipientRules(accountId);
    const { countries } = rules;
    const allowed = countries === null ? "every country" : [...countries].join(", ");
    const number = readRecipient([recipient], rules);
    if (typeof number !== "string") {
      const message =
        number.problem === "not_mobile"
          ? `${recipient} is no mobile number.`
          : `${number.recipient} is of a country that the account may not send to (${allowed}).`;
      throw new ApiError("validation_failed", { message });
    }
    remarks.push({ rule: "recipient", words: `${number} is a mobile number; the account may send to ${allowed}.` });
    return number;
  }

  /** By how many messages a challenge may be tried, and the bound of their cost. */
  #stepsOf(row: NewMessage, pattern: string | null): Remark[] {
    const steps = this.deps.otpSteps(row.accountId, pattern);
    if (steps.length === 0) return [];
    const ways = steps.map((step) => wayOfStep(step, this.deps.directory));
    const told = steps.map((step, index) => {
      const isOff = ways[index] === null && row.isTest !== 1;
      return `by ${wayOf(step)} after ${step.waitSeconds} s${isOff ? ", passed over while that is off" : ""}`;
    });
    // A test key's steps go to the simulator, and cost nothing.
    const open = ways.filter((way) => way !== null || row.isTest === 1);
    const sum = open.reduce((total, way) => total + (way === null ? 0 : (priceBy(way, row) ?? 0)), row.price ?? 0);
    const most = row.price == null ? "" : `, which cost at most ${amountInCurrency(sum, this.deps.currency)} in all`;
    const words = `A challenge goes by sms, and again ${told.join("; ")}; each while nothing confirms it. At most ${open.length + 1} messages${most}.`;
    return [{ rule: "steps", words }];
  }

  /** Throws `pattern_not_sendable`, `otp_rate_limited`. */
  #assertOtp({ accountId, at }: Caller, recipient: string, pattern: string | null, remarks: Remark[]): void {
    const isApproved = (code: string) =>
      this.deps.store.tables.patterns.byAccountAndCode(accountId, code)?.status === "approved";
    if (pattern !== null && !isApproved(pattern)) throw new ApiError("pattern_not_sendable");
    if (this.deps.otpWaitMs(accountId, recipient, at) > 0) throw new ApiError("otp_rate_limited");
    remarks.push({ rule: "one-time passwords", words: "The limits of its recipient leave room for one." });
  }
}

/** Throws `validation_failed`. */
function assertSendWindow(sendAt: number | null, at: number): void {
  if (sendAt === null || isInSendWindow(sendAt, at)) return;
  throw new ApiError("validation_failed", { message: `The time to send must lie ${sendWindowText} ahead.` });
}
