/** What every door reads of a message, and the codes of its refusals. */
import { expect, test } from "bun:test";
import { messageClasses } from "../../src/domain/message.ts";
import { validNumbers } from "../../src/domain/phone-number.ts";
import { type GivenDraft, readDraft, readDraftContent } from "../../src/messaging/messages/draft.ts";

const at = Date.parse("2026-11-20T12:00:00Z");
const rules = {
  defaultRegion: "IR",
  numbers: validNumbers,
  countries: new Set(["IR"]),
  defaultSender: "30001234",
  isSender: (spelling: string) => ["30001234", "+982000"].includes(spelling),
  at,
};
const good = { sender: ["2000", "+982000"], recipient: ["09121234567"], text: "سلام", class: messageClasses.single };
const problemsOf = (given: Partial<GivenDraft>) => {
  const draft = readDraft({ ...good, ...given }, rules);
  return "problems" in draft ? draft.problems : [];
};

test("a draft gets the first spelling of its sender that the account has, and its recipient as E.164", () => {
  expect(readDraft({ ...good, sendAt: at + 60_000, validityMs: 1, priority: 2 }, rules)).toEqual({
    sender: "+982000",
    recipient: "+989121234567",
    text: "سلام",
    clientReference: null,
    class: messageClasses.single,
    sendAt: at + 60_000,
    validityMs: 1,
    priority: 2,
  });
});

test("what is not given is no key of the draft, and a refused one has its problems alone", () => {
  expect(readDraft(good, rules)).toStrictEqual({
    sender: "+982000",
    recipient: "+989121234567",
    text: "سلام",
    clientReference: null,
    sendAt: null,
    class: messageClasses.single,
  });
  expect(readDraft({ ...good, text: "" }, rules)).toStrictEqual({ problems: ["text_missing"] });
  expect(readDraft({ ...good, recipient: ["021"] }, rules)).toStrictEqual({ problems: ["not_mobile"] });
});

test("a draft without a sender gets the account's default one", () => {
  expect(readDraftContent({ ...good, sender: [] }, rules)).toMatchObject({ sender: "30001234" });
  expect(readDraftContent({ ...good, sender: [] }, { ...rules, defaultSender: null })).toEqual({
    problems: ["sender_missing"],
  });
});

test("each problem of a draft has its code, and all are reported in one order", () => {
  const letter = "😀";
  expect(problemsOf({ sender: ["1000"] })).toEqual(["sender_not_permitted"]);
  expect(problemsOf({ sender: ["", "1000"] })).toEqual(["sender_not_permitted"]);
  expect(problemsOf({ recipient: ["123", "+123"] })).toEqual(["not_mobile"]);
  expect(problemsOf({ recipient: ["+4915112345678"] })).toEqual(["country_not_allowed"]);
  expect(problemsOf({ text: null })).toEqual(["text_unreadable"]);
  expect(problemsOf({ text: "" })).toEqual(["text_missing"]);
  expect(problemsOf({ text: letter.repeat(2_000) })).toEqual([]);
  expect(problemsOf({ text: letter.repeat(2_001) })).toEqual(["text_too_long"]);
  expect(problemsOf({ text: "a\tb\r\n" })).toEqual([]);
  expect(problemsOf({ text: "a\u0007" })).toEqual(["text_not_clean"]);
  expect(problemsOf({ clientReference: letter.repeat(120) })).toEqual([]);
  expect(problemsOf({ clientReference: letter.repeat(121) })).toEqual(["reference_too_long"]);
  expect(problemsOf({ clientReference: "\ud800" })).toEqual(["reference_not_clean"]);
  expect(problemsOf({ sendAt: at + 29_999 })).toEqual(["schedule_out_of_range"]);
  expect(problemsOf({ sendAt: Number.NaN })).toEqual(["schedule_out_of_range"]);
  expect(problemsOf({ validityMs: 0 })).toEqual(["validity_over"]);
  expect(problemsOf({ sender: [""], recipient: [""], text: "", sendAt: at })).toEqual([
    "sender_missing",
    "not_mobile",
    "text_missing",
    "schedule_out_of_range",
  ]);
});

test("a replacement character is refused in decoded octets, and a segment's text is checked once complete", () => {
  expect(problemsOf({ text: "a\ufffd" })).toEqual([]);
  expect(problemsOf({ text: "a", textKind: "decoded" })).toEqual([]);
  expect(problemsOf({ text: "a\ufffd", textKind: "decoded" })).toEqual(["text_not_clean"]);
  expect(problemsOf({ text: "a\ud83d", textKind: "segment" })).toEqual([]);
  expect(problemsOf({ text: "a\ud83d", textKind: "decoded" })).toEqual(["text_not_clean"]);
});
