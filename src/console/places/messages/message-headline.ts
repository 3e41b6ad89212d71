/** The sentence under a message's number: what became of it and how long it took; then what it waited for. */
import type { MessageAnswer } from "../../../operator/messages.ts";
import type { Locale } from "../../locale.ts";
import { reasonText } from "../../page/message-reason.ts";
import { epochOf, epochOrNull, failureOf, pillOf, type ReadBy, reasonOf } from "./message-state.ts";
import { waitText } from "./message-steps.ts";
import type { MessageWaits, Wait } from "./message-waits.ts";
import { messageTimeWords } from "./time-words.ts";

export interface Headline {
  outcome: string;
  cause: string;
}

interface Told extends MessageWaits {
  message: MessageAnswer;
  readBy: ReadBy;
  /** What its messages usually take; null if unknown. */
  usualMs: number | null;
}

/** Below it the outcome says enough. */
export const longMs = 5_000;
/** A wait that made up this share is a cause. */
const causeShareMin = 0.15;

const lowerFirst = (sentence: string): string => sentence.slice(0, 1).toLowerCase() + sentence.slice(1);

const lengthOf = ({ from, to }: Pick<Wait, "from" | "to">): number => to - from;

export function headlineOf(told: Told, locale: Locale): Headline | null {
  const { message, readBy, waits } = told;
  const { format, language } = locale;
  const say = messageTimeWords[language].headline;
  const accepted = epochOf(message.submittedAt);
  const span = (from: number, to: number) => coarse(to - from, locale);
  const pill = pillOf(message, readBy);
  const reason = reasonOf(message, readBy);
  const why = reason === null ? "" : waitText(reason, message.ahead, locale);
  const final = epochOrNull(message.finalAt) ?? format.now;
  switch (pill) {
    case "delivered":
      return deliveredLine(waits, accepted, final, locale);
    case "sent":
      return {
        outcome: say.sent(span(epochOrNull(message.sentAt) ?? accepted, format.now)),
        cause: receiptLine(told, locale),
      };
    case "waiting":
      return { outcome: say.waiting(span(lastHoldEnd(waits, accepted), format.now)), cause: why };
    case "unsure":
      return {
        outcome: say.unsure,
        cause: why === "" || message.state === "submitted" ? againLine(message, locale) : why,
      };
    case "failed": {
      const failure = lowerFirst(reasonText(failureOf(message.error ?? { code: "internal", message: "" }), locale));
      const isFree = message.charge === "given_back";
      return {
        outcome: say.failed(span(accepted, final), failure),
        cause: isFree ? say.notCharged : causes(waits, locale),
      };
    }
    default:
      return why === "" ? null : { outcome: why, cause: "" };
  }
}

/** Since when it waits for others than its own account. */
const lastHoldEnd = (waits: readonly Wait[], accepted: number): number =>
  waits.find(({ who, isOpen }) => who === "account" && isOpen !== true)?.to ?? accepted;

function deliveredLine(waits: readonly Wait[], accepted: number, final: number, locale: Locale): Headline {
  const say = messageTimeWords[locale.language].headline;
  const held = waits.find(({ who }) => who === "account");
  if (held === undefined || lengthOf(held) < longMs) {
    const total = final - accepted;
    return { outcome: say.delivered(coarse(total, locale)), cause: total < longMs ? "" : causes(waits, locale) };
  }
  const isQuiet = held.label !== locale.words.states.scheduled;
  const why = isQuiet ? say.held.quiet : say.held.schedule;
  const took = say.thenTook(why, locale.format.minute(held.to), coarse(final - held.to, locale));
  return { outcome: say.asMeant(coarse(final - accepted, locale)), cause: took };
}

/** The carrier's or the queue's part with its reason, and the network's. */
function causes(waits: readonly Wait[], locale: Locale): string {
  const { headline: say } = messageTimeWords[locale.language];
  const total = waits.reduce((sum, wait) => sum + lengthOf(wait), 0);
  if (total < longMs) return "";
  const large = waits.filter((wait) => lengthOf(wait) >= causeShareMin * total);
  const told = large.map((wait, index) => {
    const took = coarse(lengthOf(wait), locale);
    if (wait.who === "network") return index === 0 ? say.networkTook(took) : say.thenNetwork(took);
    return say.causes(wait.label, took);
  });
  return told.length === 0 ? "" : `${told.join(semicolon(locale))}.`;
}

const semicolon = ({ language }: Locale): string => (language === "fa" ? "؛ " : "; ");

/** Which route gave no answer, and over which it went out again. */
function againLine({ timeline, route, sentAt, submittedAt }: MessageAnswer, locale: Locale): string {
  const say = messageTimeWords[locale.language];
  const silent = timeline.find(({ kind }) => kind === "uncertain");
  if (silent === undefined || route === null) return "";
  const after = coarse(epochOf(silent.at) - epochOf(submittedAt), locale);
  const first = say.who.attempt.uncertain(silent.route ?? "");
  return sentAt === null ? `${first}.` : `${first}${semicolon(locale)}${say.headline.again(after, route)}.`;
}

function receiptLine({ message, usualMs }: Told, locale: Locale): string {
  const say = messageTimeWords[locale.language].headline;
  const until = locale.format.minute(message.validUntil);
  if (usualMs === null) return say.mayTake(until);
  return `${say.usually(locale.format.duration(usualMs))}${semicolon(locale)}${say.mayTakeThen(until)}`;
}

/** `65 s`, `3 min 20 s`: in a sentence, without tenths. */
export function coarse(ms: number, { format }: Locale): string {
  return ms < 120_000 ? format.duration(ms) : format.span(ms);
}
