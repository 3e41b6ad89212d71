/**
 * Does what a line's rules say about a text from a phone, in the transaction that makes the text available: a crash
 * neither loses nor repeats it.
 */
import type { ApiErrorCode } from "../../domain/api-error.ts";
import { type Decided, decidingRule } from "../../domain/inbound-rule.ts";
import { LocalCalendar } from "../../domain/local-calendar.ts";
import { messageLimits } from "../../domain/message.ts";
import { isWithinWindows } from "../../domain/quiet-hours.ts";
import { suppressedNumber } from "../../domain/suppression.ts";
import type { Logger } from "../../platform/log.ts";
import type { AvailableInbound } from "../../store/inbound.ts";
import type { InboundRule } from "../../store/inbound-rules.ts";
import type { NewMessage } from "../../store/messages.ts";
import type { Store } from "../../store/store.ts";
import type { AccountTimeZones } from "../directory/account-time-zones.ts";
import type { GroupChanges } from "../groups/group-changes.ts";
import type { AutomaticMessages } from "../messages/automatic-messages.ts";
import { type RecipientRules, readRecipient } from "../messages/draft.ts";
import type { InboundMails } from "./inbound-mails.ts";

export interface RuleEngineDeps {
  store: Store;
  clock: { now(): number };
  log: Logger;
  timeZones: Pick<AccountTimeZones, "of">;
  automatic: Pick<AutomaticMessages, "preview" | "send">;
  recipientRules(accountId: number): RecipientRules;
  groups: Pick<GroupChanges, "record">;
  mails: Pick<InboundMails, "record">;
  /** Replies of an account's rules to one number in an hour. */
  repliesHourlyMax: number;
}

/** A text, where it came from and to. */
export type RuledText = Pick<AvailableInbound, "accountId" | "sender" | "receiver" | "message">;

/** Why a rule does not send a message; the codes of the public API for what applies to every message. */
export type HeldBack =
  | "not_mobile"
  | "own_line"
  | "country_not_allowed"
  | "hourly_limit"
  | "daily_limit"
  | ApiErrorCode;

export interface RuleMessage {
  kind: "reply" | "forward";
  recipient: string;
  text: string;
}

/** `row`: as it would be accepted; null if it is held back. */
export interface PreviewedMessage extends RuleMessage {
  heldBack: HeldBack | null;
  row: NewMessage | null;
}

const hourMs = 3_600_000;
/** What a rule's number may get in an hour: two services that forward to each other must come to an end. */
const forwardsHourlyMax = 60;
/** An older text came before its line, or was held up: nobody expects an answer any more. */
const answeredMs = hourMs;
const answersKeptMs = 24 * hourMs;
/** Times the replies of an hour, in a day: so that a machine that answers each reply costs little until it is noticed. */
const repliesDailyFactor = 4;

export class InboundRuleEngine {
  readonly #deps: RuleEngineDeps;

  /** Set where credentials' templates are served, if they are. */
  toProgram: (credentialId: number, text: AvailableInbound) => void = () => undefined;

  constructor(deps: RuleEngineDeps) {
    this.#deps = deps;
  }

  /** Call inside the transaction of the text, unless it is a keyword of the suppression lists. */
  readonly received = (text: AvailableInbound): void => {
    const decided = this.decide(text);
    if (decided === null) return;
    const { store, clock, log, timeZones } = this.#deps;
    const { inboundRules } = store.tables;
    const at = clock.now();
    if (at - text.receivedAt > answeredMs) return;
    let sent = 0;
    for (const message of messagesOf(decided, text)) {
      const reason = this.#heldBack(message, text) ?? this.#send(message, text, at);
      if (reason === null) sent += 1;
      else log.info({ inbound: text.trackingCode, reason }, `a rule does not ${message.kind}`);
    }
    const today = new LocalCalendar(timeZones.of(text.accountId)).day(at).name;
    inboundRules.countUse(decided.rule.id, at, today, sent);
    if (!decided.isOpen) return;
    const { leaves, joins, mail, credentialId } = decided.rule;
    this.#changeGroup(leaves, text, false);
    this.#changeGroup(joins, text, true);
    if (mail !== null) this.#deps.mails.record(text, mail, at);
    // The line's own credential gets it anyway.
    const isOwn = store.tables.lines.byNumber(text.receiver)?.credentialId === credentialId;
    if (credentialId !== null && !isOwn) this.toProgram(credentialId, text);
  };

  decide({ accountId, receiver, message }: RuledText): Decided<InboundRule> | null {
    const { store, clock, timeZones } = this.#deps;
    const rules = store.tables.inboundRules.ofLine(receiver);
    if (rules.length === 0) return null;
    return decidingRule(
      rules,
      message,
      ({ hours }) => hours === null || isWithinWindows(hours, clock.now(), timeZones.of(accountId)),
    );
  }

  /** What would be sent. Nothing is stored or counted. */
  preview(decided: Decided<InboundRule>, text: RuledText): PreviewedMessage[] {
    return messagesOf(decided, text).map((message): PreviewedMessage => {
      const heldBack = this.#heldBack(message, text);
      if (heldBack !== null) return { ...message, heldBack, row: null };
      const row = this.#deps.automatic.preview(automaticOf(message, text));
      return "refused" in row ? { ...message, heldBack: row.refused, row: null } : { ...message, heldBack: null, row };
    });
  }

  #changeGroup(code: string | null, { accountId, sender: recipient }: AvailableInbound, joins: boolean): void {
    const { store, groups, recipientRules } = this.#deps;
    const group = code === null ? null : store.tables.groups.byAccountAndCode(accountId, code);
    if (group === null || typeof readRecipient([recipient], recipientRules(accountId)) !== "string") return;
    groups.record({ groupId: group.id, recipient, joins });
  }

  #send(message: RuleMessage, text: AvailableInbound, at: number): ApiErrorCode | null {
    const { inboundRules } = this.#deps.store.tables;
    const { trackingCode, accountId } = text;
    const recipient = suppressedNumber(message.recipient) ?? 0;
    inboundRules.forgetAnswers(at - answersKeptMs);
    if (!inboundRules.recordAnswer({ trackingCode, kind: message.kind, accountId, recipient, at })) return null;
    const sent = this.#deps.automatic.send(automaticOf(message, text));
    return typeof sent === "number" ? null : sent.refused;
  }

  #heldBack({ kind, recipient }: RuleMessage, { accountId, sender }: RuledText): HeldBack | null {
    const { store, clock, recipientRules, repliesHourlyMax } = this.#deps;
    const { lines, inboundRules } = store.tables;
    const number = suppressedNumber(recipient);
    const read = readRecipient([recipient], recipientRules(accountId));
    // Short codes and names are senders that no answer reaches.
    if (number === null || (typeof read !== "string" && read.problem === "not_mobile")) return "not_mobile";
    const isOwn = [recipient, recipient.slice(1)].some((one) => lines.byNumber(one) !== null);
    if (isOwn || (kind === "forward" && recipient === sender)) return "own_line";
    if (typeof read !== "string") return read.problem;
    const hourlyMax = kind === "reply" ? repliesHourlyMax : forwardsHourlyMax;
    const sentIn = (ms: number) => inboundRules.answersSince({ accountId, kind, recipient: number }, clock.now() - ms);
    if (sentIn(hourMs) >= hourlyMax) return "hourly_limit";
    return kind === "reply" && sentIn(answersKeptMs) >= repliesDailyFactor * hourlyMax ? "daily_limit" : null;
  }
}

const automaticOf = ({ recipient, text }: RuleMessage, { accountId, receiver: line }: RuledText) => ({
  accountId,
  line,
  recipient,
  text,
});

function messagesOf({ rule, isOpen }: Decided<InboundRule>, { sender, message }: RuledText): RuleMessage[] {
  const reply = isOpen ? rule.reply : rule.closedReply;
  const to = isOpen ? rule.forwardTo : null;
  return [
    ...(reply === null ? [] : [{ kind: "reply", recipient: sender, text: reply } as const]),
    ...(to === null ? [] : [{ kind: "forward", recipient: to, text: forwardedText(sender, message) } as const]),
  ];
}

/** What a phone sent, with its number before it, and without what no message may contain. */
function forwardedText(sender: string, message: string): string {
  const clean = message.toWellFormed().replace(/[^\P{Cc}\n\r]/gu, " ");
  return Array.from(`${sender}: ${clean}`).slice(0, messageLimits.textMax).join("");
}
