/** Inbound texts: stored once, numbers in one spelling, assigned to the line's account, or kept for the operator if there is none. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { isTrackingCode } from "../../src/domain/tracking-code.ts";
import { LineRefused } from "../../src/inbound/line-service.ts";
import { StoreUnavailable } from "../../src/store/group-commit.ts";
import { createInboundServer, type InboundServer, line, phone } from "../support/inbound.ts";
import { settleLoop } from "../support/manual-clock.ts";

let server: InboundServer;
beforeEach(async () => {
  server = await createInboundServer();
});
afterEach(() => server.stop());

const refusalOf = (attempt: Promise<unknown>) =>
  attempt.then(
    () => null,
    (reason: unknown) => (reason instanceof LineRefused ? reason.code : reason),
  );

test("a text to a line belongs to its account, with a code, a canonical sender and the time of arrival", async () => {
  await server.inbound.lines.add(1, "+98 3000 1234");
  await server.bring({ sender: "0912 123 4567", receiver: "+9830001234", text: "بله" });
  const [message] = await server.read();
  expect(message).toEqual({
    accountId: 1,
    position: 1,
    trackingCode: expect.any(String),
    sender: phone,
    receiver: line,
    message: "بله",
    receivedAt: server.clock.now(),
  });
  expect(isTrackingCode(message?.trackingCode ?? "")).toBe(true);
  expect(server.heard).toEqual(message === undefined ? [] : [message]);
  expect(await server.read(2)).toEqual([]);
});

test("a sender that is a name, and every character that a text may contain, arrive unchanged", async () => {
  await server.inbound.lines.add(1, line);
  const text = "سلام 😀\n\u0000\u0007 \"'% \u200c";
  await server.bring({ sender: " MyBank ", text });
  expect(await server.read()).toMatchObject([{ sender: "MyBank", message: text }]);
});

test("lone surrogates never reach a client", async () => {
  await server.inbound.lines.add(1, line);
  await server.bring({ sender: "\ud83d", text: "a\ud83d" });
  expect(await server.read()).toMatchObject([{ sender: "\ufffd", message: "a\ufffd" }]);
});

test("a text that a provider sends twice with one id is one message, also after a restart", async () => {
  await server.inbound.lines.add(1, line);
  const part = { text: "yes", providerId: "m-1" };
  await Promise.all([server.bring(part), server.bring(part), server.bring(part)]);
  server = await server.restart();
  expect(await server.bring(part)).toEqual({ kind: "repeat" });
  expect(await server.texts()).toEqual(["yes"]);
});

test("an id used again with another text, sender or route is another message", async () => {
  await server.inbound.lines.add(1, line);
  await server.bring({ text: "yes", providerId: "1" });
  await server.bring({ text: "no", providerId: "1" });
  await server.bring({ text: "yes", providerId: "1", sender: "+989350000001" });
  await server.bring({ text: "yes", providerId: "1" }, 2);
  expect(await server.texts()).toEqual(["yes", "no", "yes", "yes"]);
});

test("parts of a long message that share the provider's id are still parts", async () => {
  await server.inbound.lines.add(1, line);
  for (const part of [1, 2])
    await server.bring({ text: "same", providerId: "9", concat: { reference: 1, part, parts: 2 } });
  expect(await server.texts()).toEqual(["samesame"]);
});

test("the same text sent twice by a person is two messages", async () => {
  await server.inbound.lines.add(1, line);
  await server.bring({ text: "yes" });
  await server.bring({ text: "yes" });
  expect(await server.texts()).toEqual(["yes", "yes"]);
});

test("binary content arrives without a text, and the operator sees its octets", async () => {
  await server.inbound.lines.add(1, line);
  await server.bring({ text: "", binary: "00ff10" });
  await server.bring({ text: "half ", concat: { reference: 1, part: 1, parts: 2 } });
  await server.bring({ text: "", binary: "beef", concat: { reference: 1, part: 2, parts: 2 } });
  expect(await server.texts()).toEqual(["", "half "]);
  const { messages } = await server.inbound.messages.search({ binary: true }, null, 10);
  expect(messages.map(({ octets }) => octets && Buffer.from(octets).toString("hex"))).toEqual(["beef", "00ff10"]);
});

test("a text to a number without a line is kept and shown, and becomes available when the line is added", async () => {
  await server.bring({ text: "first" });
  await server.bring({ text: "second" });
  await server.bring({ text: "other", receiver: "30009999" });
  expect(server.heard).toEqual([]);
  expect(server.inbound.messages.overview().unmapped).toBe(3);
  const arrivedAt = server.clock.now();
  await server.clock.advance(60_000);
  const { madeAvailable } = await server.inbound.lines.add(2, line);
  expect(madeAvailable).toBe(2);
  expect(await server.read(2)).toMatchObject([
    { message: "first", position: 1, receivedAt: arrivedAt },
    { message: "second", position: 2, receivedAt: arrivedAt },
  ]);
  expect(server.heard.map(({ accountId, message }) => [accountId, message])).toEqual([
    [2, "first"],
    [2, "second"],
  ]);
  const { messages } = await server.inbound.messages.search({ unmapped: true }, null, 10);
  expect(messages.map(({ text }) => text)).toEqual(["other"]);
});

test("hundreds of texts that waited for their line come before newer ones, in order of arrival", async () => {
  const waiting = Array.from({ length: 250 }, (_, index) => `${index}`);
  for (const text of waiting) await server.bring({ text });
  const adding = server.inbound.lines.add(1, line);
  const arriving = Array.from({ length: 20 }, (_, index) => `new ${index}`);
  for (const text of arriving) await server.bring({ text });
  await adding;
  await settleLoop();
  expect(await server.texts()).toEqual([...waiting, ...arriving]);
  expect(server.inbound.messages.overview().unmapped).toBe(0);
});

test("a crash while waiting texts are given to a new line is completed at the next start", async () => {
  for (let index = 0; index < 150; index += 1) await server.bring({ text: `${index}` });
  await server.store.write((tables) => {
    // As after a crash between the line and the second slice.
    tables.lines.insert({ number: line, accountId: 1, createdAt: server.clock.now() });
    for (const id of tables.inbound.unmapped(line, 100)) tables.inbound.makeAvailable(id, 1, server.clock.now());
  });
  server = await server.restart();
  await server.inbound.lines.settled();
  expect(await server.texts()).toEqual(Array.from({ length: 150 }, (_, index) => `${index}`));
});

test("a removed line leaves its texts with its account, and later ones wait for the next account", async () => {
  await server.inbound.lines.add(1, line);
  await server.bring({ text: "for one" });
  await server.inbound.lines.remove("+98 3000 1234");
  await server.bring({ text: "for two" });
  await server.inbound.lines.add(2, line);
  expect(await server.texts(1)).toEqual(["for one"]);
  expect(await server.texts(2)).toEqual(["for two"]);
});

test("a line belongs to one account, and account and number must be valid", async () => {
  await server.inbound.lines.add(1, line);
  expect(await refusalOf(server.inbound.lines.add(2, "+9830001234"))).toBe("line_exists");
  expect(await refusalOf(server.inbound.lines.add(3, "30005678"))).toBe("account_not_found");
  expect(await refusalOf(server.inbound.lines.remove("30005678"))).toBe("line_not_found");
  for (const number of ["", "MyBank", "1", "+", "123456789012345678901"])
    expect(await refusalOf(server.inbound.lines.add(1, number))).toBe("line_invalid");
  expect(server.inbound.lines.all()).toEqual([
    { number: line, accountId: 1, createdAt: server.clock.now(), credentialId: null },
  ]);
});

test("a suspended account's texts are kept for it", async () => {
  await server.inbound.lines.add(1, line);
  await server.store.write((tables) => tables.accounts.update(1, { status: "suspended" }));
  await server.bring({ text: "still here" });
  expect(await server.texts()).toEqual(["still here"]);
});

test("a part that the store could not write is not acknowledged, so that the carrier sends it again", async () => {
  await server.inbound.lines.add(1, line);
  server.store.onInbound(() => {
    throw new StoreUnavailable(new Error("disk full"));
  });
  const [outcome] = await Promise.allSettled([
    server.inbound.events(1).inbound({ sender: phone, receiver: line, text: "x", receivedAt: 1, providerId: "1" }),
  ]);
  expect(outcome).toMatchObject({ status: "rejected", reason: expect.any(StoreUnavailable) });
  server = await server.restart();
  expect(await server.texts()).toEqual([]);
  await server.bring({ text: "x", providerId: "1" });
  expect(await server.texts()).toEqual(["x"]);
});

test("a simulated text is handled like a real one, in parts if it is long", async () => {
  await server.inbound.lines.add(1, line);
  const long = "سلام ".repeat(100);
  const trackingCode = await server.inbound.simulate(1, { sender: "09121234567", receiver: line, text: long });
  await server.inbound.simulate(1, { sender: "09121234567", receiver: line, text: "short" });
  expect(await server.read()).toMatchObject([{ trackingCode, message: long }, { message: "short" }]);
  const { messages } = await server.inbound.messages.search({}, null, 10);
  expect(messages.map(({ partCount }) => partCount)).toEqual([1, 8]);
});

test("retention deletes messages by the days since they became available, and reuses no position", async () => {
  const dayMs = 24 * 3_600_000;
  await server.bring({ text: "mapped late" });
  await server.inbound.lines.add(1, "30005678");
  for (let index = 0; index < 450; index += 1) await server.bring({ text: `${index}`, receiver: "30005678" });
  await server.bring({ text: "nobody's", receiver: "30009999", providerId: "1" });
  await server.clock.advance(80 * dayMs);
  await server.inbound.lines.add(1, line);
  await server.bring({ text: "young", receiver: "30005678" });
  await server.clock.advance(10 * dayMs);
  expect(await server.inbound.forgetOld()).toBe(0);
  await server.clock.advance(1);
  expect(await server.inbound.forgetOld()).toBe(451);
  expect(await server.texts()).toEqual(["mapped late", "young"]);
  await server.clock.advance(90 * dayMs);
  expect(await server.inbound.forgetOld()).toBe(2);
  await server.bring({ text: "new", receiver: "30005678" });
  expect(await server.read()).toMatchObject([{ message: "new", position: 453 }]);
});
