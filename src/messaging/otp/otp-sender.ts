/** Sends a message with a code, within the limits of its recipient and the fraud guard. */
import { ApiError, type FieldProblem, invalid } from "../../domain/api-error.ts";
import { messageClasses } from "../../domain/message.ts";
import { type SendLimits, sendWaitMs } from "../../domain/otp.ts";
import { parseTemplate, type Template } from "../../domain/template.ts";
import { codePointLength } from "../../domain/text.ts";
import type { PatternRow } from "../../store/patterns.ts";
import type { Store, Tables } from "../../store/store.ts";
import { type AccountDirectory, chooseSender } from "../directory/sender-choice.ts";
import type { Acceptance, Acceptor, Caller, Draft, RequestIdentity } from "../messages/accept.ts";
import type { EndUsers } from "./end-users.ts";
import type { OtpGuard } from "./otp-guard.ts";
import type { OtpTexts } from "./otp-texts.ts";

/** The fields common to both kinds of sending. */
export interface OtpRequest {
  sender?: string | null;
  /** E.164. */
  recipient: string;
  patternCode?: string | null;
  clientReference?: string | null;
  /** The end user's, as the customer passed it on. */
  endUserAddress?: string | null;
}

/** A code to send. `field`: the request field that determines its length. */
export interface CodeToSend {
  code: string;
  field: "code" | "codeLength";
  validityMs: number;
}

/** See AlsoStore. `storedText`: with the code sealed. */
export type AlsoStoreCode = (tables: Tables, messageId: number, storedText: string) => void;

/** The patterns a code may be sent with. */
export interface SendablePatterns {
  /** Throws `pattern_not_found`, `pattern_not_sendable`. */
  sendable(accountId: number, code: string): PatternRow;
}

export interface OtpSenderDeps {
  store: Store;
  acceptor: Acceptor;
  directory: AccountDirectory;
  patterns: SendablePatterns;
  texts: OtpTexts;
  guard: OtpGuard;
  /** The text for a code sent without a pattern; its variable is `{{code}}`. */
  text: string;
  limits: SendLimits;
  endUsers: EndUsers;
}

export class OtpSender {
  readonly #deps: OtpSenderDeps;
  readonly #template: Template;

  constructor(deps: OtpSenderDeps) {
    this.#deps = deps;
    this.#template = parseTemplate(deps.text);
  }

  /**
   * Accepts the message with the code; `alsoStore` stores what belongs to it. Throws `pattern_not_found`,
   * `pattern_not_sendable`, `validation_failed`, `sender_not_permitted`, `otp_rate_limited`,
   * `idempotency_key_conflict`.
   */
  async send(
    caller: Caller,
    request: RequestIdentity,
    input: OtpRequest,
    { code, field, validityMs }: CodeToSend,
    alsoStore: AlsoStoreCode,
  ): Promise<Acceptance> {
    const { accountId } = caller;
    const { recipient, patternCode, clientReference = null } = input;
    const { patterns, directory, store, texts, acceptor, endUsers } = this.#deps;
    const endUser = endUsers.hashOf(accountId, input.endUserAddress);
    const pattern = patternCode == null ? null : patterns.sendable(accountId, patternCode);
    const template = pattern === null ? this.#template : templateOf(pattern, codePointLength(code), field);
    const sender = chooseSender(directory, accountId, input.sender, pattern?.sender ?? null);
    this.#assertMaySend(store.tables, caller, recipient, endUser);
    await this.#assertNotHeldBack(caller, recipient);
    const text = texts.compose(template, code);
    const draft: Draft = {
      sender,
      recipient,
      ...text,
      clientReference,
      class: messageClasses.otp,
      sendAt: null,
      validityMs,
    };
    return acceptor.accept(caller, request, [draft], (tables, messageId) => {
      // Checked again: only one of several concurrent requests may pass.
      this.#assertMaySend(tables, caller, recipient, endUser);
      if (pattern !== null && pattern.templateId !== null) tables.messageTemplates.insert(messageId, pattern.id);
      alsoStore(tables, messageId, text.storedText);
      if (endUser !== null) tables.otpSends.insertEndUser({ messageId, address: endUser, sentAt: caller.at });
    });
  }

  /** Milliseconds from `at` until a code may be sent to the recipient; 0 for at once. */
  waitMs(accountId: number, recipient: string, at: number): number {
    const { guard, store } = this.#deps;
    const limitMs = this.#limitMs(store.tables, accountId, recipient, at);
    return Math.max(limitMs, guard.waitMs(store.tables, accountId, recipient, at));
  }

  #limitMs(tables: Tables, accountId: number, recipient: string, at: number): number {
    const { limits } = this.#deps;
    const sentAt = tables.otpSends.newestSentAt(accountId, recipient, Math.max(limits.perDay, limits.perHour));
    return sendWaitMs(sentAt, limits, at);
  }

  /** Throws `otp_rate_limited`. */
  #assertMaySend(tables: Tables, { accountId, at }: Caller, recipient: string, endUser: Buffer | null): void {
    const waitMs = this.#limitMs(tables, accountId, recipient, at);
    if (waitMs > 0) throw new ApiError("otp_rate_limited", { retryAfterSeconds: Math.ceil(waitMs / 1000) });
    const endUserMs = this.#deps.endUsers.waitMs(tables, endUser, recipient, at);
    if (endUserMs === 0) return;
    const message = "Codes for this end user's address went to too many numbers.";
    throw new ApiError("otp_rate_limited", { message, retryAfterSeconds: Math.ceil(endUserMs / 1000) });
  }

  /** Throws `otp_rate_limited`. */
  async #assertNotHeldBack({ accountId, at }: Caller, recipient: string): Promise<void> {
    const { guard, store } = this.#deps;
    const waitMs = guard.waitMs(store.tables, accountId, recipient, at);
    if (waitMs === 0) return;
    await guard.countHeld(accountId, recipient, at);
    const message = "Too many codes go to numbers of this range, or too few of them are verified.";
    throw new ApiError("otp_rate_limited", { message, retryAfterSeconds: Math.ceil(waitMs / 1000) });
  }
}

/** Null for a pattern that carries no one-time password, or something else with it. */
export function codeVariableOf({ variables: [variable, another] }: Pick<PatternRow, "variables">) {
  return variable?.name === "code" && another === undefined ? variable : null;
}

/** Throws `pattern_not_sendable`, and `validation_failed` if the pattern allows no code of this length. */
function templateOf(pattern: PatternRow, codeLength: number, field: CodeToSend["field"]): Template {
  const variable = codeVariableOf(pattern);
  if (variable === null) {
    const message = "The pattern carries no one-time password: its only variable must be {{code}}.";
    throw new ApiError("pattern_not_sendable", { message });
  }
  if (codeLength <= variable.maxLength) return parseTemplate(pattern.text);
  throw invalid([tooLongFor(pattern, field, variable.maxLength)]);
}

function tooLongFor(pattern: PatternRow, field: CodeToSend["field"], lengthMax: number): FieldProblem {
  const message = `The pattern ${pattern.code} takes a code of at most ${lengthMax} characters.`;
  return { field, code: field === "code" ? "too_long" : "out_of_range", message };
}
