/** Reasons: stored as codes with values, read back as they were, and shown in words. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { decodeReason, describeReason, encodeReason, mapWords, type Reason } from "../../src/domain/reason.ts";
import { reasonSamples } from "../support/reason-samples.ts";

test.each(Object.values(reasonSamples))("%j is stored, read back and shown", (reason, words) => {
  const stored = encodeReason(reason);
  expect(decodeReason(stored)).toEqual(reason);
  expect(describeReason(decodeReason(stored))).toBe(words);
});

test("a sentence stored by an older version is shown unchanged", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (sentence) => {
      fc.pre(!sentence.startsWith('{"code":'));
      expect(describeReason(decodeReason(sentence))).toBe(sentence);
    }),
  );
});

test("any words of a carrier survive storage, and are cut at 500 characters", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 600 }), fc.nat(), (words, status) => {
      const reason: Reason = { code: "http_answered", status, words };
      expect(decodeReason(encodeReason(reason))).toEqual({ ...reason, words: words.slice(0, 500) });
    }),
  );
});

test("a code stored by a newer version is shown with its values", () => {
  const stored = '{"code":"from_the_future","seconds":7}';
  expect(describeReason(decodeReason(stored))).toBe(stored);
});

test("words are replaced at any depth, and codes are not", () => {
  const cause: Reason = { code: "connection_failed", words: "code 1234" };
  const reason: Reason = { code: "partly_accepted", accepted: 1, parts: 2, cause: { code: "link_lost", cause } };
  const changed = mapWords(reason, (words) => words.replaceAll("code", "****"));
  expect(changed).toEqual({
    ...reason,
    cause: { code: "link_lost", cause: { code: "connection_failed", words: "**** 1234" } },
  });
});
