/** Why a message is in its state, as data; and the sentence for it in the reader's language. */
import type { MessageErrorCode } from "../../domain/message.ts";
import { describeReason, englishReasons, type Reason, type ReasonTexts } from "../../domain/reason.ts";
import { persianReasons } from "../../words/fa/reason-text.ts";
import type { Language } from "../language.ts";
import type { Locale } from "../locale.ts";

/**
 * Moments in epoch milliseconds, durations in milliseconds. `route` is null for a customer, who sees neither routes nor
 * carrier codes.
 */
export type MessageReason =
  /** As stated by the queue, a route or a carrier. Never for a customer. */
  | { kind: "told"; reason: Reason }
  /** The reason shown to a customer for anything that holds a message which is due. */
  | { kind: "inQueue" }
  | { kind: "accountSuspended" }
  | { kind: "scheduled"; at: number }
  | { kind: "handingOver"; route: string | null }
  | { kind: "noReceipt"; handedOverAt: number }
  | { kind: "delivered"; afterMs: number }
  | { kind: "failed"; error: MessageErrorCode }
  /** Given up after attempts that got no answer. */
  | { kind: "deliveryUnknown" }
  | { kind: "cancelled" };

const reasonTexts: Readonly<Record<Language, ReasonTexts>> = { en: englishReasons, fa: persianReasons };

export function reasonText(reason: MessageReason, locale: Locale): string {
  const { words, format } = locale;
  const say = words.reasons;
  switch (reason.kind) {
    case "told":
      return toldText(reason.reason, locale);
    case "inQueue":
      return say.inQueue;
    case "accountSuspended":
      return say.accountSuspended;
    case "scheduled":
      return say.scheduled(format.day(reason.at), format.clock(reason.at));
    case "handingOver":
      return say.handingOver(reason.route ?? say.network);
    case "noReceipt":
      return say.noReceipt(format.duration(Math.max(0, format.now - reason.handedOverAt)));
    case "delivered":
      return say.delivered(format.duration(reason.afterMs));
    case "failed":
      return say.failed[reason.error];
    case "deliveryUnknown":
      return say.deliveryUnknown;
    case "cancelled":
      return say.cancelled;
  }
}

/** What is wrong with a route; in English as the service writes it. */
export const routeTrouble = (reason: Reason, locale: Locale): string =>
  locale.language === "en" ? describeReason(reason) : toldText(reason, locale);

/** The domain's words are parts of sentences; here they are sentences. */
export function toldText(reason: Reason, { language, format }: Locale): string {
  const writing = { time: (at: number) => format.moment(at), number: (value: number) => format.decimal(value) };
  const words = describeReason(reason, reasonTexts[language], writing);
  const begun = words.slice(0, 1).toLocaleUpperCase(language) + words.slice(1);
  return /[.!?؟]$/.test(begun) ? begun : `${begun}.`;
}
