/** What a program without the right to read sees, and how much of it. */
import { expect, test } from "bun:test";
import { declarationOf, harmlessChanges, isOpenTo, operationNames } from "../../src/agents/consequences.ts";
import { answerCharactersMax, boundedJson } from "../../src/agents/data-answer.ts";
import { masked } from "../../src/agents/masking.ts";

const isMobile = (text: string) => /^\+?989\d{9}$/.test(text);

test("numbers are masked wherever they stand, in any digits, and lines are not", () => {
  const answer = {
    recipient: "+989121234567",
    recipientAtHome: "09121234567",
    sender: "30001234567",
    name: "call ۰۹۱۲۱۲۳۴۵۶۷ now",
    timeline: [{ detail: "sent to 989121234567 by smsc-1", at: "2026-11-24T10:00:00.000Z" }],
    "+989121234567": 1,
    number: 989121234567,
    trackingCode: "a123456789012",
    message: "code 12345",
    parts: [{ number: 1 }],
    refusal: { code: "send_refused", message: "Not to +989121234567." },
  };
  const text = JSON.stringify(masked(answer, isMobile));
  expect(text).not.toMatch(/9121234567|۹۱۲۱۲۳۴۵۶۷|12345"/);
  const { sender, trackingCode, timeline, refusal, parts } = answer;
  for (const kept of [sender, trackingCode, timeline[0]?.at ?? ""]) expect(text).toContain(kept);
  expect(masked({ refusal, parts }, isMobile)).toEqual({
    refusal: { code: "send_refused", message: "Not to +989…67." },
    parts: [{ number: 1 }],
  });
  // A phone that wrote is a sender, too.
  expect(masked({ sender: "+989121234567" }, isMobile)).toEqual({ sender: "+989…67" });
});

test("texts are masked under every name that an answer has for them", () => {
  const begins = { words: "Dear Sara,", isAll: false };
  const answer = { message: null, maskedText: "Dear Sara, **", begins, rules: [{ reply: "Dear", closedReply: null }] };
  const text = JSON.stringify(masked(answer, isMobile));
  expect(text).not.toContain("Dear");
  expect(text).toContain('"isAll":false');
});

test("an answer is bounded, and says that it is a part", () => {
  const rows = Array.from({ length: 50_000 }, (_, n) => ({ id: n, name: "x".repeat(5_000) }));
  const { text, isCut } = boundedJson({ rows });
  expect(text.length).toBeLessThanOrEqual(answerCharactersMax);
  expect(isCut).toBe(true);
  expect(JSON.parse(text).rows.at(-1)).toMatch(/more$/);
  let deep: unknown = "end";
  for (let n = 0; n < 1_000; n += 1) deep = { deep };
  expect(boundedJson(deep).text.length).toBeLessThan(500);
});

test("no token changes users, colleagues or tokens, whatever its list names", () => {
  const ofUsers = operationNames.filter((name) =>
    /^(?:user|colleague|token|session)\./.test(declarationOf(name)?.audit?.action ?? ""),
  );
  expect(ofUsers.length).toBeGreaterThan(8);
  expect(ofUsers.filter((name) => isOpenTo([name], name) || isOpenTo([], name))).toEqual([]);
});

test("every change that is done at once is an operation", () => {
  expect([...harmlessChanges].filter((name) => !operationNames.includes(name))).toEqual([]);
});
