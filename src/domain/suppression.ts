/** Suppression: which messages the number lists stop, and the keywords that a phone can send to join or leave them. */
import { type MessageClass, messageClasses } from "./message.ts";
import { latinDigits } from "./phone-number.ts";

/** How a number came to be on a list. */
export const suppressionSources = ["operator", "import", "keyword"] as const;
export type SuppressionSource = (typeof suppressionSources)[number];

/** Which list a number is put on: that of the message's account, or that of every account. */
export const suppressedLists = ["account", "all"] as const;

/** `bulk`: scheduled, batch and group messages. */
export const suppressionScopes = ["bulk", "all_but_otp", "all"] as const;
export type SuppressionScope = (typeof suppressionScopes)[number];

/** The account id of the list that applies to every account. */
export const everyAccount = 0;

const firstStopped: Readonly<Record<SuppressionScope, MessageClass>> = {
  bulk: messageClasses.bulk,
  all_but_otp: messageClasses.single,
  all: messageClasses.otp,
};

/** Classes are numbered in order of service: a scope stops its first class and all that are served later. */
export function isStopped(scope: SuppressionScope, messageClass: MessageClass): boolean {
  return messageClass >= firstStopped[scope];
}

/** E.164 as stored in the lists; null if the address is not a number. */
export function suppressedNumber(e164: string): number | null {
  return /^\+\d{7,15}$/.test(e164) ? Number(e164.slice(1)) : null;
}

/** Longer texts mean something else, even if they begin with a keyword. */
const keywordLengthMax = 40;
/** Joiners, direction marks and accents; the stroke that elongates a word (لغـــو); spaces; punctuation. */
const meaningless = /[\p{Cf}\p{Mn}\u0640\p{Z}\s\p{P}\p{S}]/gu;
/** Arabic keyboards use different characters for these Persian letters. */
const persianLetters: Readonly<Record<string, string>> = { ي: "ی", ى: "ی", ك: "ک", ة: "ه" };

/**
 * The form in which words are compared: without spaces, joiners, punctuation and case, and with uniform digits and
 * letters.
 */
export function keywordOf(text: string): string {
  // Lower case first: İ becomes an i with a separate dot. Composed again at the end, because removing a character may
  // join others.
  const plain = latinDigits(text.normalize("NFKC").toLowerCase()).replace(meaningless, "").normalize("NFKC");
  return plain.replace(/[يىكة]/g, (letter) => persianLetters[letter] ?? letter);
}

export type KeywordAction = "stop" | "start";

/** What an inbound text asks for; null for any other text. */
export function keywordReader(stopWords: readonly string[], startWords: readonly string[]) {
  const actions = new Map<string, KeywordAction>();
  for (const word of startWords) actions.set(keywordOf(word), "start");
  for (const word of stopWords) actions.set(keywordOf(word), "stop");
  return (text: string): KeywordAction | null =>
    text.length > keywordLengthMax ? null : (actions.get(keywordOf(text)) ?? null);
}
