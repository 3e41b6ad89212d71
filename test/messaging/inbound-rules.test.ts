/** Rules for texts from phones: what is sent, once per text, within limits, and never in a loop. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { GroupChanges } from "../../src/messaging/groups/group-changes.ts";
import { type ListReaders, listReaders } from "../../src/messaging/groups/list-readers.ts";
import { InboundMails } from "../../src/messaging/inbound-rules/inbound-mails.ts";
import { InboundRuleEngine } from "../../src/messaging/inbound-rules/inbound-rules.ts";
import { emptyRule, RuleService } from "../../src/messaging/inbound-rules/rule-service.ts";
import { AutomaticMessages } from "../../src/messaging/messages/automatic-messages.ts";
import { forgetOld } from "../../src/messaging/messages/retention.ts";
import { Keywords } from "../../src/messaging/suppression/keywords.ts";
import { background } from "../../src/platform/background.ts";
import { isoTime } from "../../src/platform/clock.ts";
import { silentLog } from "../../src/platform/log.ts";
import { StoreUnavailable } from "../../src/store/group-commit.ts";
import type { RuleContent } from "../../src/store/inbound-rules.ts";
import { believedBy } from "../support/booking.ts";
import { settleLoop, until } from "../support/manual-clock.ts";
import { createTestServer, senderOf, type TestServer } from "../support/test-server.ts";

let server: TestServer;
let rules: RuleService;
let opened: { readers: ListReaders; mails: InboundMails };
let mailed: (to: string, subject: string, text: string) => Promise<void> = () => Promise.resolve();
let pass: () => Promise<void> | null = () => null;
let received = 0;
const line = senderOf(1);
const phone = "+989120000010";
const minuteMs = 60_000;

const recipientRules = () => ({
  defaultRegion: "IR",
  numbers: { recipients: "valid" as const, extraRanges: [] },
  countries: null,
});

beforeEach(async () => {
  server = await createTestServer();
  open();
  await addLine(line);
});
afterEach(() => server.stop());

const addLine = (number: string, accountId = 1) =>
  server.store.write(({ lines }) => lines.insert({ number, accountId, createdAt: 0, credentialId: null }));

function open(): void {
  const { store, clock, directory, acceptor, dispatch } = server;
  const bookingClock = believedBy(clock);
  const automatic = new AutomaticMessages({ store, bookingClock, directory, acceptor, accepted: dispatch.accepted });
  const settings = { stopWords: ["STOP"], startWords: ["START"], stopReply: "Bye.", startReply: "" };
  const keywords = new Keywords({ store, log: silentLog, automatic, settings });
  const timeZones = { of: () => "UTC" };
  const readers = listReaders();
  const groups = new GroupChanges({ store, background: background(silentLog), readers, membersMax: 3 });
  const answerGate = { pass: () => pass() };
  const mails = new InboundMails({ store, clock, log: silentLog, answerGate, send: (...mail) => mailed(...mail) });
  mails.start();
  const rest = { automatic, recipientRules, repliesHourlyMax: 3, groups, mails };
  const deps = { store, clock, log: silentLog, timeZones, ...rest };
  opened = { readers, mails };
  const engine = new InboundRuleEngine(deps);
  store.onInbound((text) => void (keywords.received(text) || engine.received(text)));
  rules = new RuleService({ store, defaultRegion: "IR", recipientRules, mails });
}

const add = (content: Partial<RuleContent>, place?: number) => rules.add(line, { ...emptyRule, ...content }, place);

async function text(message: string, { sender = phone, receiver = line, ageMs = 0 } = {}): Promise<void> {
  received += 1;
  const trackingCode = `IN${received}`;
  await server.store.write(({ inbound, lines }) => {
    const row = { routeId: 1, sender, receiver, text: message, octets: null, partCount: 1, partsReceived: 1 };
    const id = inbound.insert({ ...row, trackingCode, receivedAt: server.clock.now() - ageMs });
    inbound.makeAvailable(id, lines.byNumber(receiver)?.accountId ?? 1, server.clock.now());
  });
  await settleLoop();
}

const sent = () =>
  server.store.tables.messages.run(1, 500).map(({ trackingCode }) => {
    const row = server.store.tables.messages.byCodeAnywhere(trackingCode);
    return `${row?.sender} → ${row?.recipient}: ${row?.text}`;
  });
const used = () => rules.list(line).rules.map(({ uses }) => uses);

describe("a rule", () => {
  test("replies once under the line's number, in its order, and counts", async () => {
    await add({ words: ["hours"], reply: "9 to 17" });
    await add({ match: "any", reply: "Write HOURS." });
    await text("Hours?");
    await text("hello", { sender: "+989120000011" });
    expect(sent()).toEqual([`${line} → ${phone}: 9 to 17`, `${line} → +989120000011: Write HOURS.`]);
    expect(used()).toEqual([1, 1]);
    await add({ match: "any", reply: "First." }, 1);
    await text("hours", { sender: "+989120000012" });
    expect(sent().at(-1)).toContain("First.");
    expect(used()).toEqual([1, 1, 1]);
  });

  test("never takes what the suppression list does", async () => {
    await add({ match: "any", reply: "Thank you." });
    await text("STOP");
    await text("start");
    await text("Stop.", { sender: "7575" });
    expect(sent()).toEqual([`${line} → ${phone}: Bye.`]);
    expect(used()).toEqual([0]);
  });

  test("replies in its hours, and otherwise as it says for then, or leaves the text to the next", async () => {
    // The clock stands at noon of a Monday.
    await add({ words: ["a"], hours: ["12:00-12:01 Mon"], reply: "open", closedReply: "closed" });
    await add({ words: ["b"], hours: ["12:00-12:01"], reply: "open" });
    await add({ match: "any", reply: "next" });
    const texts = async (...phones: string[]) => {
      for (const sender of phones) for (const word of ["a", "b"]) await text(word, { sender });
      return sent()
        .splice(-2)
        .map((one) => one.split(": ")[1]);
    };
    expect(await texts("+989120000001")).toEqual(["open", "open"]);
    await server.clock.advance(minuteMs);
    expect(await texts("+989120000002")).toEqual(["closed", "next"]);
  });

  test("sends on what came, with its number, and what no message may contain left out", async () => {
    await add({ match: "any", forwardTo: "0912 000 0099" });
    await text("two\nlines\u0007\ud800");
    expect(sent()).toEqual([`${line} → +989120000099: ${phone}: two\nlines \ufffd`]);
    await text("x".repeat(3_000));
    expect(sent().at(-1)).toHaveLength(`${line} → +989120000099: `.length + 2_000);
  });
});

test("the figures of a rule tell by day what it took and sent, go with it, and are kept as reports are", async () => {
  await add({ words: ["hours"], reply: "9 to 17", forwardTo: "+989120000099" });
  await add({ match: "any", reply: "Write HOURS." });
  const days = () => rules.days(line).map(({ day, position, texts, sent }) => `${day} ${position} ${texts} ${sent}`);
  await text("hours");
  await text("hello");
  await text("hello", { sender: "7575" });
  await server.clock.advance(24 * 60 * minuteMs);
  await text("hours");
  const [later, today] = [server.clock.now(), server.clock.now() - 24 * 60 * minuteMs].map((at) =>
    isoTime(at).slice(0, 10),
  );
  expect(days()).toEqual([`${later} 0 1 2`, `${today} 0 1 2`, `${today} 1 2 1`]);
  await forgetOld(server.store, server.clock.now(), { messageDays: 400, idempotencyDays: 3, rollupDays: 0 });
  expect(days()).toEqual([`${later} 0 1 2`]);
  await rules.remove(line, rules.list(line).rules[0]?.id ?? 0);
  expect(days()).toEqual([]);
});

describe("edits that race", () => {
  const words = () => rules.list(line).rules.map(({ words: [word = ""] }) => word);
  const places = () => rules.list(line).rules.map(({ position }) => position);

  test("of two operators leave every rule in one place, and the later one decides", async () => {
    for (const word of ["a", "b", "c"]) await add({ words: [word], reply: word });
    const [a, b, c] = rules.list(line).rules.map(({ id }) => id);
    await Promise.all([
      rules.update(line, a ?? 0, {}, 3),
      rules.update(line, c ?? 0, {}, 1),
      rules.update(line, b ?? 0, { reply: "from the one" }),
      rules.update(line, b ?? 0, { reply: "from the other" }),
      add({ words: ["d"], reply: "d" }, 2),
    ]);
    expect(words()).toEqual(["c", "d", "b", "a"]);
    expect(places()).toEqual([0, 1, 2, 3]);
    expect(rules.list(line).rules[2]?.reply).toBe("from the other");
    const removed = await Promise.allSettled([
      rules.remove(line, b ?? 0),
      rules.remove(line, b ?? 0),
      rules.update(line, b ?? 0, { reply: "again" }),
    ]);
    expect(removed.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected"]);
    expect(places()).toHaveLength(3);
    await add({ words: ["e"], reply: "e" }, 1);
    expect(words()).toEqual(["e", "c", "d", "a"]);
  });

  test("with texts: each text meets the rule as it was before or after, and has one reply", async () => {
    await add({ match: "any", reply: "0" });
    const id = rules.list(line).rules[0]?.id ?? 0;
    const phones = Array.from({ length: 30 }, (_, index) => `+9891200001${String(index).padStart(2, "0")}`);
    await Promise.all(
      phones.flatMap((sender, index) => [
        text("hello", { sender }),
        rules.update(line, id, { reply: String(index + 1) }).catch(() => null),
        ...(index === 20 ? [rules.remove(line, id)] : []),
      ]),
    );
    const replies = sent().map((one) => one.split(": ")[1]);
    expect(replies).toEqual(Array.from({ length: 21 }, (_, index) => String(index)));
  });
});

describe("no loop", () => {
  const answers = async (count: number, sender = phone) => {
    for (let index = 0; index < count; index += 1) await text("again", { sender });
    return sent().length;
  };

  test("with a machine that answers: three replies an hour, twelve a day, for each number", async () => {
    await add({ match: "any", reply: "Thank you." });
    expect(await answers(2)).toBe(2);
    expect(await answers(5)).toBe(3);
    expect(await answers(1, "+989120000011")).toBe(4);
    await server.clock.advance(59 * minuteMs);
    expect(await answers(1)).toBe(4);
    await server.clock.advance(minuteMs + 1);
    expect(await answers(4)).toBe(7);
    for (let hour = 0; hour < 10; hour += 1) {
      await server.clock.advance(61 * minuteMs);
      await answers(4);
    }
    expect(sent()).toHaveLength(13);
  });

  test("between lines of this service, nor to short codes and names", async () => {
    await addLine("+989121111111", 2);
    await add({ match: "any", reply: "Thank you." });
    for (const sender of ["+989121111111", "7575", "BANK", line]) expect(await answers(1, sender)).toBe(0);
    expect(used()).toEqual([4]);
  });

  test("by sending on: not to the number itself, not to a line that was added later, and sixty in an hour", async () => {
    await add({ match: "any", forwardTo: "+989120000099" });
    expect(await answers(1, "+989120000099")).toBe(0);
    expect(await answers(60)).toBe(60);
    expect(await answers(1)).toBe(60);
    await server.clock.advance(61 * minuteMs);
    await addLine("+989120000099", 2);
    expect(await answers(1)).toBe(60);
  });

  test("over texts that are older than an hour, as those that came before their line", async () => {
    await add({ match: "any", reply: "Thank you." });
    await text("old", { ageMs: 60 * minuteMs + 1 });
    expect(sent()).toEqual([]);
    await text("just in time", { ageMs: 60 * minuteMs });
    expect(sent()).toHaveLength(1);
  });
});

test("nothing is sent for an account without an active sender, and the text is kept", async () => {
  await add({ match: "any", reply: "Thank you." });
  await server.store.write((tables) => tables.senders.update(1, { active: false }));
  const sender = server.store.tables.senders.all().find(({ id }) => id === 1);
  if (sender !== undefined) server.directory.putSender(sender);
  await text("hello");
  expect(sent()).toEqual([]);
  expect(server.store.tables.inbound.byCode(`IN${received}`)?.accountId).toBe(1);
});

test("a transaction that is rolled back leaves no reply, and the text's next attempt one", async () => {
  await add({ match: "any", reply: "Thank you." });
  const broken = server.store.write(({ inbound }) => {
    const row = { routeId: 1, sender: phone, receiver: line, text: "x", octets: null, partCount: 1, partsReceived: 1 };
    inbound.makeAvailable(inbound.insert({ ...row, trackingCode: "INX", receivedAt: server.clock.now() }), 1, 0);
    throw new Error("the disk refuses");
  });
  await expect(broken).rejects.toThrow("the disk refuses");
  expect(sent()).toEqual([]);
  await text("x");
  expect(sent()).toHaveLength(1);
});

const members = () => {
  const { groups, groupMembers } = server.store.tables;
  const list = groups.list(groups.byAccountAndCode(1, "news")?.approvedListId ?? null);
  return list === null ? [] : groupMembers.slice(list.id, 0, 10).map(({ recipient }) => recipient);
};
const groupChanges = () => server.store.tables.inboundRules.groupChanges().length;

async function addGroup(): Promise<number> {
  return server.store.write(({ groups }) => {
    const row = { accountId: 1, code: "news", name: "News", status: "approved" as const, createdAt: 0, updatedAt: 0 };
    const group = groups.insert({ ...row, approvedListId: null, draftListId: null });
    const list = groups.insertList({ groupId: group.id, memberCount: 0, createdAt: 0, approvedAt: 0, approvedBy: "x" });
    groups.update(group.id, { approvedListId: list.id });
    return list.id;
  });
}

describe("a group", () => {
  test("gets each number once, up to its limit, and loses it again", async () => {
    await addGroup();
    await add({ words: ["join"], joins: "news", reply: "Welcome." });
    await add({ words: ["leave"], leaves: "news" });
    const phones = [1, 2, 3, 4].map((index) => `+98912000000${index}`);
    for (const sender of [...phones, phone, "7575"]) await text("join", { sender });
    await text("join", { sender: phones[0] ?? "" });
    await until(() => groupChanges() === 0);
    expect(members()).toEqual(phones.slice(0, 3));
    await text("leave", { sender: phones[0] ?? "" });
    await text("leave", { sender: phone });
    await until(() => groupChanges() === 0);
    expect(members()).toEqual([phones[2] ?? "", phones[1] ?? ""]);
  });

  test("keeps its members while it is sent to, and what was said last counts", async () => {
    const listId = await addGroup();
    await add({ words: ["join"], joins: "news" });
    await add({ words: ["leave"], leaves: "news" });
    await text("join");
    await until(() => groupChanges() === 0);
    const reading = Promise.withResolvers<void>();
    const sending = opened.readers.reading(listId, () => reading.promise);
    for (const word of ["leave", "join", "leave"]) await text(word);
    expect([members(), groupChanges()]).toEqual([[phone], 1]);
    reading.resolve();
    await sending;
    await until(() => groupChanges() === 0);
    expect(members()).toEqual([]);
  });
});

describe("a mail", () => {
  const sentMails: string[] = [];
  let isDown = false;
  beforeEach(async () => {
    sentMails.length = 0;
    isDown = false;
    mailed = async (to, subject, body) => {
      if (isDown) throw new Error("no connection");
      sentMails.push(`${to} ${subject}: ${body.split("\n")[0]}`);
    };
    await server.store.write(({ users, balanceWatches }) => {
      const user = { name: "shop", role: "customer" as const, accountId: 1, passwordHash: null, createdAt: 0 };
      const { id: userId } = users.insert(user);
      const watch = { userId, below: 1, mail: "shop@example.com", toldAt: null };
      balanceWatches.saveWatch({ ...watch, tokenHash: null, expiresAt: null });
    });
  });
  const waiting = () => server.store.tables.inboundRules.dueMails(Number.MAX_SAFE_INTEGER, 10).length;

  test("goes to a confirmed address of the account, again after a failure, and not once it is no longer confirmed", async () => {
    await expect(add({ match: "any", mail: "other@example.com" })).rejects.toMatchObject({ code: "invalid" });
    await add({ match: "any", mail: "shop@example.com" });
    await text("hello");
    await until(() => waiting() === 0);
    expect(sentMails).toEqual([`shop@example.com ${phone} → ${line}: hello`]);
    isDown = true;
    await text("again");
    await until(() => server.store.tables.inboundRules.dueMails(Number.MAX_SAFE_INTEGER, 1)[0]?.attempts === 1);
    isDown = false;
    opened.mails.wake();
    await settleLoop();
    expect(sentMails).toHaveLength(1);
    await server.clock.advance(minuteMs);
    opened.mails.wake();
    await until(() => waiting() === 0);
    expect(sentMails).toHaveLength(2);
    await server.store.write(({ balanceWatches }) => balanceWatches.remove(1));
    await text("third");
    await until(() => waiting() === 0);
    expect(sentMails).toHaveLength(2);
  });

  test("waits until sending has begun, as after a restore", async () => {
    await add({ match: "any", mail: "shop@example.com" });
    isDown = true;
    await text("hello");
    await until(() => server.store.tables.inboundRules.dueMails(Number.MAX_SAFE_INTEGER, 1)[0]?.attempts === 1);
    isDown = false;
    await server.clock.advance(minuteMs);
    const { store, clock } = server;
    const mails = new InboundMails({ store, clock, log: silentLog, send: (...mail) => mailed(...mail) });
    mails.wake();
    await settleLoop();
    expect(sentMails).toEqual([]);
    mails.start();
    await until(() => waiting() === 0);
    expect(sentMails).toHaveLength(1);
  });

  test("waits until the cluster has the commit of its text, also where that takes too long at first", async () => {
    await add({ match: "any", mail: "shop@example.com" });
    pass = () => Promise.reject(new StoreUnavailable("the log of the cluster does not answer"));
    await text("hello");
    const held = Promise.withResolvers<void>();
    pass = () => held.promise;
    opened.mails.wake();
    await settleLoop();
    expect(sentMails).toEqual([]);
    pass = () => null;
    held.resolve();
    await until(() => waiting() === 0);
    expect(sentMails).toHaveLength(1);
  });
});

describe("a rule is refused", () => {
  const problems = async (content: Partial<RuleContent>) => {
    const refused = await add(content).then(
      () => [],
      (reason: { problems: { key: string; code: string }[] }) => reason.problems,
    );
    return refused.map(({ key, code }) => `${key} ${code}`);
  };

  test("that takes nothing, does nothing, or says what cannot be sent", async () => {
    expect(await problems({ reply: "x" })).toEqual(["words required"]);
    for (const word of ["!?", "x".repeat(61), "\ufdfa".repeat(5)])
      expect(await problems({ words: [word], reply: "x" })).toEqual(["words rule_word"]);
    expect(await problems({ words: ["x".repeat(60), "\ufdfa".repeat(4)], reply: "x" })).toEqual([]);
    expect(await problems({ words: ["a"] })).toEqual(["reply rule_does_nothing"]);
    expect(await problems({ words: ["a"], closedReply: "x" })).toEqual(["reply rule_does_nothing"]);
    expect(await problems({ words: ["a"], reply: "" })).toEqual(["reply text_length"]);
    expect(await problems({ words: ["a"], reply: "x".repeat(2_001) })).toEqual(["reply text_length"]);
    expect(await problems({ words: ["a"], reply: "x".repeat(2_000) })).toEqual([]);
    expect(await problems({ words: ["a"], reply: "\u0007" })).toEqual(["reply text_unclean"]);
    expect(await problems({ words: ["a"], hours: ["25:00-26:00"], reply: "x" })).toEqual(["hours quiet_window"]);
    expect(await problems({ words: ["a"], forwardTo: "02188888888" })).toEqual(["forwardTo not_mobile"]);
    await addLine("+989121111111", 2);
    expect(await problems({ words: ["a"], forwardTo: "09121111111" })).toEqual(["forwardTo own_line"]);
  });

  test("whose words look like a pattern, which would be compared as other words, or which it would not compare", async () => {
    const patterns = [
      "(a+)+$",
      "^info",
      "inf.*",
      "a|b",
      "[ab]c",
      "a{2}",
      "\\d1",
      "c++",
      "colou?r",
      "/info/i",
      "（a＋）＋",
    ];
    for (const word of patterns)
      for (const match of ["keyword", "prefix", "contains"] as const)
        expect([word, await problems({ match, words: ["a", word], reply: "x" })]).toEqual([
          word,
          ["words rule_pattern"],
        ]);
    const words = [
      "info?",
      "what? now",
      "e-mail",
      "don't",
      "u.s.",
      "and/or",
      "/start",
      "50%",
      "#win",
      "«راهنما»",
      "سلام!",
    ];
    expect(await problems({ words, reply: "x" })).toEqual([]);
    expect(await problems({ match: "any", words: ["(a+)+$"], reply: "x" })).toEqual(["words rule_any_words"]);
    const [kept] = rules.list(line).rules;
    const changed = (change: Partial<RuleContent>) =>
      rules.update(line, kept?.id ?? 0, change).then(
        (list) => list.rules[0]?.words,
        (reason: { problems: { code: string }[] }) => reason.problems.map(({ code }) => code),
      );
    expect(await changed({ words: ["a*"] })).toEqual(["rule_pattern"]);
    expect(await changed({ match: "any", words: ["a"] })).toEqual(["rule_any_words"]);
    expect(await changed({ reply: "y" })).toEqual(words);
    expect(await changed({ match: "any" })).toEqual([]);
  });

  test("beyond the fiftieth of a line, and goes with its line", async () => {
    for (let count = 0; count < 50; count += 1) await add({ words: [`w${count}`], reply: "x" });
    expect(await problems({ words: ["a"], reply: "x" })).toEqual(["line list"]);
    const [first, second] = rules.list(line).rules;
    await rules.update(line, first?.id ?? 0, {}, 50);
    expect(
      rules
        .list(line)
        .rules.map(({ id }) => id)
        .slice(-1),
    ).toEqual([first?.id ?? 0]);
    expect(rules.list(line).rules[0]?.id).toBe(second?.id ?? 0);
    expect((await rules.remove(line, second?.id ?? 0)).rules).toHaveLength(49);
    await server.store.write(({ lines }) => lines.remove(line));
    await addLine(line, 2);
    expect(rules.list(line).rules).toEqual([]);
  });
});
