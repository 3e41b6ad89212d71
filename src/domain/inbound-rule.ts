/** Rules for texts from phones: what a rule takes, and which of a line's rules decides. */
import { keywordOf } from "./suppression.ts";

/** `keyword`: the text's first word, or all of it; `prefix` and `contains`: any part of it, without spaces; `any`: every text. */
export const ruleMatches = ["keyword", "prefix", "contains", "any"] as const;

/** `textMax`: how much of a text is compared. */
export const ruleLimits = { rulesOfLine: 50, words: 20, wordMax: 60, textMax: 2_000 };

export interface RuleCondition {
  match: (typeof ruleMatches)[number];
  words: readonly string[];
  closedReply: string | null;
}

export interface Decided<Rule> {
  rule: Rule;
  /** False outside of its hours: then only its other reply is sent. */
  isOpen: boolean;
}

/**
 * The first rule that takes the text. Letter case, spaces, punctuation, and the various keyboards' digits and letters
 * make no difference, as with the words that stop messages. Words are only compared, with the beginning of a long text:
 * a thousand words took 0.2 s with 17,000 ligatures.
 */
export function decidingRule<Rule extends RuleCondition>(
  rules: readonly Rule[],
  text: string,
  isWithinHours: (rule: Rule) => boolean,
): Decided<Rule> | null {
  const beginning = text.slice(0, ruleLimits.textMax);
  const whole = keywordOf(beginning);
  const first = firstWordOf(beginning);
  for (const rule of rules) {
    if (!takes(rule, whole, first)) continue;
    const isOpen = isWithinHours(rule);
    if (isOpen || rule.closedReply !== null) return { rule, isOpen };
  }
  return null;
}

function takes({ match, words }: RuleCondition, whole: string, first: string): boolean {
  if (match === "any") return true;
  const keys = words.map(keywordOf).filter((key) => key !== "");
  if (match === "keyword") return keys.includes(first) || keys.includes(whole);
  return keys.some((key) => (match === "prefix" ? whole.startsWith(key) : whole.includes(key)));
}

/** The first that has a letter or a digit. */
function firstWordOf(text: string): string {
  for (const [word] of text.matchAll(/\S+/gu)) {
    const key = keywordOf(word);
    if (key !== "") return key;
  }
  return "";
}
