/** Which rule takes a text from a phone. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { decidingRule, type RuleCondition, ruleMatches } from "../../src/domain/inbound-rule.ts";
import { keywordOf } from "../../src/domain/suppression.ts";

const rule = (match: RuleCondition["match"], ...words: string[]) => ({ match, words, closedReply: null });
const always = () => true;
const takes = (one: RuleCondition, text: string) => decidingRule([one], text, always) !== null;

const word = fc.string({ minLength: 1, maxLength: 12 }).filter((text) => keywordOf(text) !== "");
const condition = fc.record({
  match: fc.constantFrom(...ruleMatches),
  words: fc.array(word, { minLength: 1, maxLength: 4 }),
  closedReply: fc.option(fc.constant("closed")),
  isOpen: fc.boolean(),
});
const anyText = fc.oneof(
  fc.string({ maxLength: 60 }),
  fc.array(word).map((words) => words.join(" ")),
);

describe("a rule takes", () => {
  test("the first word or the whole text, whatever the case, the spaces, the keyboard and the punctuation", () => {
    for (const text of ["INFO", " info!", "«Info» please", "i\u200cnfo", "\n\tinfo 12"])
      expect([text, takes(rule("keyword", "Info"), text)]).toEqual([text, true]);
    for (const text of ["", "information", "my info", "...", "🙂"])
      expect([text, takes(rule("keyword", "info"), text)]).toEqual([text, false]);
    expect(takes(rule("keyword", "كد ۱۲"), "کد 12")).toBe(true);
    expect(takes(rule("keyword", "join us"), "Join us!")).toBe(true);
  });

  test("a beginning, a part, or anything", () => {
    expect(takes(rule("prefix", "vote"), "Vote4 me")).toBe(true);
    expect(takes(rule("prefix", "vote"), "a vote")).toBe(false);
    expect(takes(rule("contains", "vote"), "a VO-TE")).toBe(true);
    expect(takes(rule("any"), "")).toBe(true);
    // Stored by nobody, and yet no word of it may take everything.
    for (const match of ["keyword", "prefix", "contains"] as const) expect(takes(rule(match, "!"), "")).toBe(false);
  });

  test("what the first 2,000 characters of a text contain, and nothing after them", () => {
    expect(takes(rule("contains", "vote"), `${"x".repeat(1_996)}vote`)).toBe(true);
    expect(takes(rule("contains", "vote"), `${"x".repeat(1_997)}vote`)).toBe(false);
  });

  test("nothing in more than linear time", () => {
    const started = performance.now();
    const long = "a".repeat(39_000);
    const words = Array.from({ length: 20 }, () => `${"a".repeat(59)}b`);
    const rules = Array.from({ length: 50 }, () => rule("contains", ...words));
    expect(decidingRule(rules, long, always)).toBeNull();
    expect(decidingRule(rules, " ".repeat(39_000), always)).toBeNull();
    expect(performance.now() - started).toBeLessThan(10_000);
  });
});

test("the first rule that takes a text decides, and later ones change nothing", () => {
  fc.assert(
    fc.property(
      fc.array(condition, { maxLength: 6 }),
      fc.array(condition, { maxLength: 3 }),
      anyText,
      (rules, more, text) => {
        const isOpen = (one: { isOpen: boolean }) => one.isOpen;
        const decided = decidingRule(rules, text, isOpen);
        const alone = rules.find((one) => decidingRule([one], text, isOpen) !== null);
        expect(decided?.rule).toBe(alone);
        if (decided === null) return;
        expect(decidingRule([...rules, ...more], text, isOpen)).toEqual(decided);
        expect(decided.isOpen).toBe(decided.rule.isOpen);
        if (!decided.isOpen) expect(decided.rule.closedReply).not.toBeNull();
      },
    ),
  );
});

test("no spelling of a text decides otherwise", () => {
  fc.assert(
    fc.property(fc.array(condition, { maxLength: 5 }), anyText, (rules, text) => {
      const spelled = `  ${text.toUpperCase().toLowerCase()} \u200f`;
      if (keywordOf(spelled) !== keywordOf(text)) return;
      const chosen = (one: string) => decidingRule(rules, one, ({ isOpen }) => isOpen)?.rule;
      expect(chosen(spelled)).toBe(chosen(`${text.toUpperCase().toLowerCase()}`));
    }),
  );
});
