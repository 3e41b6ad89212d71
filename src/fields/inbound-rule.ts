/** The fields of rules for texts from phones. */
import { ruleLimits, ruleMatches } from "../domain/inbound-rule.ts";
import type { FieldTable } from "./field.ts";
import { routeName } from "./route.ts";
import { address } from "./sender.ts";

export const ruleFields = {
  match: {
    kind: "choice",
    words: ruleMatches,
    option: "match <how>",
    help: "keyword (the first word), prefix, contains, or any text; keyword unless given",
    label: "Takes texts by",
  },
  words: {
    kind: "list",
    max: ruleLimits.words,
    empty: "none",
    entry: "line",
    option: "word <words>",
    help: "what to look for, without regard to case and spaces; may be repeated",
    label: "Words",
    hint: "One a line; capitals, spaces and punctuation make no difference.",
  },
  hours: {
    kind: "list",
    max: 20,
    none: "always",
    empty: "always",
    entry: "line",
    option: "hours <windows>",
    help: "when it applies, in the account's time zone, may be repeated: 09:00-17:00 Sat Sun Mon; always",
    label: "Hours",
    hint: "One window a line, with days after it if it holds on some only. Empty: always.",
    examples: ["09:00-17:00 Sat Sun Mon Tue Wed"],
  },
  reply: {
    kind: "prose",
    none: "none",
    option: "reply <text>",
    help: "what to reply, as a message of the account",
    label: "Reply",
  },
  closedReply: {
    kind: "prose",
    none: "none",
    option: "closed-reply <text>",
    help: "what to reply outside of its hours, in place of everything else; none: the next rules are asked",
    label: "Reply outside of the hours",
    hint: "Empty: then the next rules are asked.",
  },
  joins: {
    ...routeName,
    none: "none",
    option: "join <group>",
    help: "the group that the number is added to, by its code",
    label: "Adds the number to",
  },
  leaves: {
    ...routeName,
    none: "none",
    option: "leave <group>",
    help: "the group that the number is removed from",
    label: "Removes the number from",
  },
  forwardTo: {
    ...address,
    none: "none",
    option: "forward-to <number>",
    help: "the number that the text is sent on to, as a message of the account",
    label: "Sends it on to",
    script: "digits",
  },
  mail: {
    kind: "text",
    max: 254,
    none: "none",
    option: "mail <address>",
    help: "where it is mailed to: an address that a user of the account has confirmed for its balance alert",
    label: "Mails it to",
    hint: "An address that somebody of the account has confirmed, under Balance alert.",
  },
  credential: {
    kind: "id",
    none: "none",
    option: "credential <id>",
    help: "the credential whose program is called, by its forward template",
    label: "Calls the program of",
    hint: "A credential of the account whose template forwards texts.",
  },
} as const satisfies FieldTable;

export const newRuleFields = {
  ...ruleFields,
  /** Where it comes in the order. */
  place: {
    kind: "number",
    min: 1,
    max: ruleLimits.rulesOfLine,
    hasDefault: true,
    option: "place <n>",
    help: "where it comes in the order, from 1; a new one at the end unless given",
    label: "Place",
    hint: "From 1; empty for the end.",
  },
} as const satisfies FieldTable;

/** A text to try. */
export const ruleTrialFields = {
  from: { ...address, isRequired: true, option: "from <number>", help: "the phone's number", label: "From" },
  text: { kind: "prose", isRequired: true, option: "text <text>", help: "what it would send", label: "Text" },
} as const satisfies FieldTable;
