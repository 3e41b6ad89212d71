/**
 * Reads what a message consists of (sender, recipient, text, reference, times) for everyone who submits messages. A
 * refusal is a code; each protocol and page has its own words for it.
 */
import { type Countries, isInCountries } from "../../domain/country.ts";
import { type MessageClass, messageLimits } from "../../domain/message.ts";
import { parseMobileNumber, type RecipientNumbers } from "../../domain/phone-number.ts";
import { isInSendWindow } from "../../domain/send-window.ts";
import { codePointLength, isCleanText, withoutTabs } from "../../domain/text.ts";
import type { Draft } from "./accept.ts";

/** In the order in which they are looked for. */
export const draftProblems = [
  "sender_missing",
  "sender_not_permitted",
  "not_mobile",
  "country_not_allowed",
  "text_unreadable",
  "text_missing",
  "text_too_long",
  "text_not_clean",
  "reference_too_long",
  "reference_not_clean",
  "schedule_out_of_range",
  "validity_over",
] as const;
export type DraftProblem = (typeof draftProblems)[number];
type SenderProblem = Extract<DraftProblem, `sender_${string}`>;
type TextProblem = Extract<DraftProblem, `text_${string}`>;
type ReferenceProblem = Extract<DraftProblem, `reference_${string}`>;

/** One of its problems at least. */
export interface RefusedDraft {
  problems: readonly [DraftProblem, ...DraftProblem[]];
}

/** Ways to read one address, the likeliest first. */
type Spellings = readonly string[];

export interface GivenContent {
  /** None: the account's default. */
  sender: Spellings;
  /** Null for octets that are no text. */
  text: string | null;
  /** As `textProblem` takes it. */
  textKind?: TextKind;
  clientReference?: string | null | undefined;
  /** Epoch milliseconds, null for immediately; not a number if the time could not be read. */
  sendAt?: number | null;
  /** Null for the settings' default; not a number if it could not be read. */
  validityMs?: number | null;
}

export interface GivenDraft extends GivenContent {
  recipient: Spellings;
  class: MessageClass;
  priority?: number;
}

export interface RecipientRules {
  defaultRegion: string;
  numbers: RecipientNumbers;
  /** The countries that the account may send to. */
  countries: Countries;
}

export interface ContentRules {
  defaultSender: string | null;
  /** True for the active senders of the account. */
  isSender(spelling: string): boolean;
  /** The time of the request, epoch milliseconds. */
  at: number;
}

export function readDraft(given: GivenDraft, rules: ContentRules & RecipientRules): Draft | RefusedDraft {
  const { recipient: recipients, class: messageClass, priority } = given;
  const content = readDraftContent(given, rules);
  const recipient = readRecipient(recipients, rules);
  if (!("problems" in content) && typeof recipient === "string")
    return { ...content, recipient, class: messageClass, ...(priority !== undefined && { priority }) };
  const found = new Set<DraftProblem>("problems" in content ? content.problems : []);
  if (typeof recipient !== "string") found.add(recipient.problem);
  return refused(draftProblems.filter((problem) => found.has(problem)));
}

/** What all messages of a request share but their recipients. */
export function readDraftContent(
  given: GivenContent,
  rules: ContentRules,
): Omit<Draft, "recipient" | "class"> | RefusedDraft {
  const { text, textKind, clientReference = null, sendAt = null, validityMs = null } = given;
  const sender = readSender(given.sender, rules);
  const ofText = text === null ? "text_unreadable" : textProblem(text, textKind);
  const ofReference = referenceProblem(clientReference);
  const isInTime = sendAt === null || isInSendWindow(sendAt, rules.at);
  const isValid = validityMs === null || validityMs > 0;
  if (typeof sender === "string" && text !== null && ofText === null && ofReference === null && isInTime && isValid)
    return validityMs === null
      ? { sender, text, clientReference, sendAt }
      : { sender, text, clientReference, sendAt, validityMs };
  const problems = [
    typeof sender === "string" ? null : sender.problem,
    ofText,
    ofReference,
    isInTime ? null : "schedule_out_of_range",
    isValid ? null : "validity_over",
  ] as const;
  return refused(problems.filter((problem) => problem !== null));
}

function refused([first, ...others]: readonly DraftProblem[]): RefusedDraft {
  if (first === undefined) throw new Error("A draft was refused without a problem");
  return { problems: [first, ...others] };
}

const senderMissing = { problem: "sender_missing" } as const;
const senderNotPermitted = { problem: "sender_not_permitted" } as const;

function readSender(given: Spellings, { defaultSender, isSender }: ContentRules): string | { problem: SenderProblem } {
  const spellings = given.length > 0 ? given : [defaultSender ?? ""];
  return spellings.find(isSender) ?? (spellings.every((one) => one === "") ? senderMissing : senderNotPermitted);
}

const notMobile = { problem: "not_mobile" } as const;

/** `recipient`: E.164. */
export type UnfitRecipient = typeof notMobile | { problem: "country_not_allowed"; recipient: string };

/** E.164. */
export function readRecipient(
  given: Spellings,
  { defaultRegion, numbers, countries }: RecipientRules,
): string | UnfitRecipient {
  for (const spelling of given) {
    const recipient = parseMobileNumber(spelling, defaultRegion, numbers);
    if (recipient === null) continue;
    return isInCountries(recipient, countries) ? recipient : { problem: "country_not_allowed", recipient };
  }
  return notMobile;
}

/**
 * `decoded`: from octets, so that U+FFFD stands for an octet that was no text. `segment`: the other half of a
 * surrogate pair or escape may be in the next one, so that only its length is checked.
 */
export type TextKind = "typed" | "decoded" | "segment";

/** What a decoder writes for octets that are not a character. */
const replacement = "\ufffd";

export function textProblem(text: string, kind: TextKind = "typed"): TextProblem | null {
  if (text === "") return "text_missing";
  if (isLonger(text, messageLimits.textMax)) return "text_too_long";
  if (kind === "segment") return null;
  if (kind === "decoded" && text.includes(replacement)) return "text_not_clean";
  return isCleanText(withoutTabs(text)) ? null : "text_not_clean";
}

export function referenceProblem(reference: string | null): ReferenceProblem | null {
  if (reference === null) return null;
  if (isLonger(reference, messageLimits.referenceMax)) return "reference_too_long";
  return isCleanText(withoutTabs(reference)) ? null : "reference_not_clean";
}

/** Counts only what may be too long, and little of what must be. */
function isLonger(text: string, max: number): boolean {
  return text.length > max && (text.length > 2 * max || codePointLength(text) > max);
}
