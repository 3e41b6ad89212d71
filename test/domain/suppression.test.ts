import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { defaultSettings } from "../../src/config/settings.ts";
import { messageClasses } from "../../src/domain/message.ts";
import { isStopped, keywordOf, keywordReader, suppressedNumber } from "../../src/domain/suppression.ts";

const { stopWords, startWords } = defaultSettings().suppression;
const actionOf = keywordReader(stopWords, startWords);

describe("a reply from a phone", () => {
  const spellings = [
    ["STOP", "stop"],
    [" stop. ", "stop"],
    ["Stop!", "stop"],
    ["unsubscribe", "stop"],
    ["لغو", "stop"],
    ["لغو۱۱", "stop"],
    ["لغو 11", "stop"],
    ["لغو\u200c١١", "stop"],
    ["\u200fلغو\u00a0۱۱\u200e", "stop"],
    ["لغـــو", "stop"],
    ["شـروع", "start"],
    ["ل\u064eغو ۱1", "stop"],
    ["11", null],
    ["شروع", "start"],
    ["START\r\n", "start"],
    ["please stop calling me", null],
    ["لغو۱۲", null],
    ["", null],
  ] as const;
  for (const [text, action] of spellings) {
    test(`${JSON.stringify(text)} means ${action ?? "nothing"}`, () => expect(actionOf(text)).toBe(action));
  }

  test("is read the same with any digits, joiners, spaces, punctuation and case", () => {
    const noise = fc.constantFrom("", " ", "\u200c", "\u200f", "\u00a0", ".", "-", "\t", "\u064e");
    const digits = fc.constantFrom("0123456789", "۰۱۲۳۴۵۶۷۸۹", "٠١٢٣٤٥٦٧٨٩");
    const written = fc
      .tuple(fc.constantFrom(...stopWords), fc.array(noise, { minLength: 24, maxLength: 24 }), digits, fc.boolean())
      .map(([word, noises, spelling, upper]) =>
        [...(upper ? word.toUpperCase() : word.toLowerCase())]
          .map((letter, index) => (/\d/.test(letter) ? spelling[Number(letter)] : letter) + (noises[index] ?? ""))
          .join(""),
      );
    fc.assert(fc.property(written, (text) => actionOf(text) === "stop"));
  });

  test("is normalized to a keyword that normalizes to itself", () => {
    const readTwice = (text: string) => expect(keywordOf(keywordOf(text))).toBe(keywordOf(text));
    fc.assert(fc.property(fc.string({ unit: "grapheme" }), readTwice), { examples: [["İPTAL"], ["ᄀ-ᅡ"]] });
  });
});

test("a scope blocks bulk alone, all but one-time passwords, or all", () => {
  const stopped = (scope: Parameters<typeof isStopped>[0]) =>
    Object.entries(messageClasses).flatMap(([name, value]) => (isStopped(scope, value) ? [name] : []));
  expect(stopped("bulk")).toEqual(["bulk"]);
  expect(stopped("all_but_otp")).toEqual(["single", "bulk"]);
  expect(stopped("all")).toEqual(["otp", "single", "bulk"]);
});

test("suppression lists contain only numbers", () => {
  expect(suppressedNumber("+989121234567")).toBe(989_121_234_567);
  expect(suppressedNumber("+123456789012345")).toBe(123_456_789_012_345);
  expect([suppressedNumber("BANK"), suppressedNumber("30001"), suppressedNumber("+1234567890123456")]).toEqual([
    null,
    null,
    null,
  ]);
});
