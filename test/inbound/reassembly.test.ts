/** Long inbound messages: parts in any order, twice, late, never, across a restart. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import fc from "fast-check";
import { measureText, splitText } from "../../src/domain/text.ts";
import { incompleteOfPhoneMax } from "../../src/inbound/part-intake.ts";
import { nextTurn } from "../../src/platform/next-turn.ts";
import { readInbound } from "../../src/providers/smpp/inbound.ts";
import { createInboundServer, type InboundServer, line, phone, reassemblyTimeoutMs } from "../support/inbound.ts";

let server: InboundServer;
beforeEach(async () => {
  server = await createInboundServer();
  await server.inbound.lines.add(1, line);
});
afterEach(() => server.stop());

/** The parts of a long message as a provider delivers them. */
function partsOf(texts: readonly string[], reference = 7) {
  return texts.map((text, index) => ({ text, concat: { reference, part: index + 1, parts: texts.length } }));
}

const marks = () =>
  server.inbound.messages
    .search({}, null, 100)
    .then(({ messages }) => messages.map(({ text, partsReceived, partCount }) => ({ text, partsReceived, partCount })));

test("every long message arrives once and whole, in any order, with repeats and among others", async () => {
  const longText = fc.string({ unit: "grapheme", minLength: 200, maxLength: 700 });
  const scene = fc.record({
    texts: fc.array(longText, { minLength: 1, maxLength: 4 }),
    repeats: fc.array(fc.nat(), { maxLength: 10 }),
    order: fc.array(fc.nat(), { minLength: 1, maxLength: 40 }),
  });
  let base = 0;
  await fc.assert(
    fc.asyncProperty(scene, async ({ texts, repeats, order }) => {
      base += 100;
      const before = (await server.read()).length;
      const parts = texts.flatMap((text, index) => partsOf(splitText(text, measureText(text)), base + index));
      for (const index of repeats)
        parts.push(parts[index % parts.length] ?? { text: "", concat: { reference: 0, part: 1, parts: 2 } });
      const rank = (index: number) => ((order[index % order.length] ?? 0) * 31 + index * 17) % 101;
      const shuffled = parts.map((part, index) => ({ part, rank: rank(index) })).sort((a, b) => a.rank - b.rank);
      for (const { part } of shuffled)
        await server.bring(part.concat.parts > 1 ? part : { ...part, providerId: `${part.concat.reference}` });
      const arrived = (await server.read()).slice(before).map(({ message }) => message);
      expect(arrived.sort()).toEqual([...texts].sort());
    }),
    { numRuns: 40 },
  );
}, 180_000);

test("a message of 255 parts arrives whole, even with the last part first", async () => {
  const texts = Array.from({ length: 255 }, (_, index) => `${index + 1} `);
  for (const part of partsOf(texts).reverse()) await server.bring(part);
  expect(await server.texts()).toEqual([texts.join("")]);
});

test("a phone's hundred-and-first incomplete message ends the wait of its first, and of no other phone's", async () => {
  const first = (reference: number) => partsOf([`first of ${reference}, `, "second"], reference)[0] ?? {};
  await server.bring({ ...first(0), sender: "+989350000001" });
  for (let reference = 1; reference <= incompleteOfPhoneMax; reference += 1) await server.bring(first(reference));
  expect(await server.texts()).toEqual([]);
  await server.bring(first(incompleteOfPhoneMax + 1));
  expect(await marks()).toEqual([{ text: "first of 1, ", partsReceived: 1, partCount: 2 }]);
  expect(await server.texts()).toEqual(["first of 1, "]);
  await server.bring(partsOf(["first of 2, ", "second"], 2)[1] ?? {});
  expect(await server.texts()).toEqual(["first of 1, ", "first of 2, second"]);
});

test("messages of very many parts that time out together are delivered a few in each turn", async () => {
  const partCount = 255;
  await server.store.write(({ inboundParts }) => {
    for (let at = 0; at < 20; at += 1) {
      const key = { routeId: 1, sender: `+98912${1_000_000 + at}`, receiver: line, reference: 1, partCount };
      const times = { receivedAt: server.clock.now(), openedAt: server.clock.now() };
      const { id } = inboundParts.open({ ...key, trackingCode: `many-${at}`, ...times });
      for (let number = 1; number < partCount; number += 1)
        inboundParts.add(id, { number, content: Buffer.from("a", "utf16le"), isBinary: false });
    }
  });
  server = await server.restart();
  await server.clock.advance(reassemblyTimeoutMs - 1);
  const ended = server.clock.advance(1);
  let [most, seen] = [0, 0];
  while (seen < 20) {
    await nextTurn();
    most = Math.max(most, server.heard.length - seen);
    seen = server.heard.length;
  }
  await ended;
  // Five hundred parts are two messages.
  expect(most).toBeLessThanOrEqual(4);
});

test("parts of two phones with the same reference are not mixed", async () => {
  const mine = partsOf(["mine 1, ", "mine 2"]);
  const yours = partsOf(["yours 1, ", "yours 2"]).map((part) => ({ ...part, sender: "+989350000001" }));
  for (const part of [mine[1], yours[0], mine[0], yours[1]]) await server.bring(part ?? {});
  expect(await server.texts()).toEqual(["mine 1, mine 2", "yours 1, yours 2"]);
});

test("the same reference on another route, to another line, or of another size is another message", async () => {
  await server.inbound.lines.add(1, "30005678");
  const [first = {}, second = {}] = partsOf(["a", "b"]);
  await server.bring(first);
  await server.bring(second, 2);
  await server.bring({ ...second, receiver: "30005678" });
  await server.bring({ text: "c", concat: { reference: 7, part: 3, parts: 3 } });
  expect(await server.texts()).toEqual([]);
  await server.bring(second);
  expect(await server.texts()).toEqual(["ab"]);
});

test("one phone's number in different spellings is one phone", async () => {
  const [first = {}, second = {}] = partsOf(["one, ", "two"]);
  await server.bring({ ...first, sender: "09121234567" });
  await server.bring({ ...second, sender: "989121234567", receiver: "+9830001234" });
  expect(await server.read()).toMatchObject([{ message: "one, two", sender: phone, receiver: line }]);
});

test("a reference used again while a part of its first message is missing belongs to the new message", async () => {
  const lost = partsOf(["old 1, ", "old 2"]);
  const fresh = partsOf(["new 1, ", "new 2"]);
  for (const part of [lost[0], fresh[0], fresh[1]]) await server.bring(part ?? {});
  expect(await server.texts()).toEqual(["new 1, new 2"]);
  await server.clock.advance(reassemblyTimeoutMs);
  expect(await server.texts()).toEqual(["new 1, new 2", "old 1, "]);
});

test("a part repeated by the carrier after the message was complete changes nothing", async () => {
  const parts = partsOf(["one, ", "two"]);
  for (const part of [...parts, ...parts]) await server.bring(part);
  await server.clock.advance(reassemblyTimeoutMs * 2);
  expect(await server.texts()).toEqual(["one, two"]);
});

test("the same long text under the same reference is a new message once the time for repeats is over", async () => {
  const parts = partsOf(["one, ", "two"]);
  for (const part of parts) await server.bring(part);
  await server.clock.advance(reassemblyTimeoutMs);
  for (const part of parts) await server.bring(part);
  expect(await server.texts()).toEqual(["one, two", "one, two"]);
});

test("a message incomplete when its time is over is delivered with the parts there are, and marked", async () => {
  const [first = {}, , third = {}] = partsOf(["one, ", "two, ", "three"]);
  await server.bring(third);
  await server.clock.advance(reassemblyTimeoutMs / 2);
  await server.bring(first);
  await server.clock.advance(reassemblyTimeoutMs / 2 - 1);
  expect(await server.texts()).toEqual([]);
  expect(server.inbound.messages.overview().waitingForParts).toBe(1);
  await server.clock.advance(1);
  expect(await server.texts()).toEqual(["one, three"]);
  expect(await marks()).toEqual([{ text: "one, three", partsReceived: 2, partCount: 3 }]);
  expect(server.inbound.messages.overview().waitingForParts).toBe(0);
});

test("a part that arrives after its message was delivered incomplete is not lost", async () => {
  const [first = {}, second = {}] = partsOf(["one, ", "two"]);
  await server.bring(first);
  await server.clock.advance(reassemblyTimeoutMs);
  await server.bring(second);
  await server.clock.advance(reassemblyTimeoutMs);
  expect(await server.texts()).toEqual(["one, ", "two"]);
});

test("each message has its own time, and does not wait longer because of an earlier one", async () => {
  await server.bring({ text: "a", concat: { reference: 1, part: 1, parts: 2 } });
  await server.clock.advance(1_000);
  await server.bring({ text: "b", concat: { reference: 2, part: 1, parts: 2 } });
  await server.clock.advance(reassemblyTimeoutMs - 1_000);
  expect(await server.texts()).toEqual(["a"]);
  await server.clock.advance(1_000);
  expect(await server.texts()).toEqual(["a", "b"]);
});

test("hundreds of incomplete messages that time out together are all delivered", async () => {
  for (let reference = 0; reference < 170; reference += 1)
    await server.bring({ text: `${reference}`, concat: { reference, part: 1, parts: 2 } });
  await server.clock.advance(reassemblyTimeoutMs);
  expect(await server.texts()).toEqual(Array.from({ length: 170 }, (_, index) => `${index}`));
});

test("a crash between two parts loses neither, and their time continues", async () => {
  const [first = {}, second = {}] = partsOf(["one, ", "two"]);
  await server.bring(first);
  await server.bring({ text: "alone, ", concat: { reference: 8, part: 1, parts: 2 } });
  await server.clock.advance(reassemblyTimeoutMs - 5_000);
  server = await server.restart();
  await server.bring(second);
  expect(await server.texts()).toEqual(["one, two"]);
  await server.clock.advance(5_000);
  expect(await server.texts()).toEqual(["one, two", "alone, "]);
});

test("a message whose time ended while Peyk was down is delivered at the start", async () => {
  await server.bring({ text: "one", concat: { reference: 7, part: 1, parts: 2 } });
  await server.clock.advance(1_000);
  server.clock.jump(reassemblyTimeoutMs * 10);
  server = await server.restart();
  await server.clock.advance(0);
  expect(await server.texts()).toEqual(["one"]);
});

test("a wall clock that jumps while Peyk runs does not change how long a part waits", async () => {
  const [first = {}, second = {}] = partsOf(["one, ", "two"]);
  await server.bring(first);
  server.clock.jump(24 * 3_600_000);
  await server.clock.advance(1_000);
  await server.bring(second);
  expect(await server.texts()).toEqual(["one, two"]);
  await server.bring({ text: "alone", concat: { reference: 8, part: 1, parts: 2 } });
  server.clock.jump(-48 * 3_600_000);
  await server.clock.advance(reassemblyTimeoutMs);
  expect(await server.texts()).toEqual(["one, two", "alone"]);
});

test("a wall clock set back while Peyk was down makes no part wait longer than its time from the start", async () => {
  await server.bring({ text: "one", concat: { reference: 7, part: 1, parts: 2 } });
  server.clock.jump(-365 * 24 * 3_600_000);
  server = await server.restart();
  await server.clock.advance(reassemblyTimeoutMs);
  expect(await server.texts()).toEqual(["one"]);
});

test("a surrogate pair split by the sender is whole again", async () => {
  const [high = "", low = ""] = "😀".split("");
  for (const part of partsOf([`face ${high}`, `${low} euro \u001b`, "e and back\u001b", "/"])) await server.bring(part);
  expect(await server.texts()).toEqual(["face 😀 euro € and back\\"]);
});

test("half a surrogate pair whose other half never came does not spoil the text", async () => {
  await server.bring({ text: "face \ud83d", concat: { reference: 1, part: 1, parts: 2 } });
  await server.bring({ text: "euro\u001b", concat: { reference: 2, part: 1, parts: 2 } });
  await server.clock.advance(reassemblyTimeoutMs);
  expect(await server.texts()).toEqual(["face \ufffd", "euro "]);
});

test("a part with an impossible position becomes a message of its own", async () => {
  const impossible = [
    { reference: 1, part: 0, parts: 2 },
    { reference: 1, part: 3, parts: 2 },
    { reference: 1, part: 1, parts: 1 },
    { reference: 1, part: 1.5, parts: 2 },
    { reference: Number.NaN, part: 1, parts: 2 },
    { reference: 1, part: 1, parts: 256 },
  ];
  for (const concat of impossible) await server.bring({ text: "x", concat });
  expect(await server.texts()).toEqual(impossible.map(() => "x"));
});

test("a euro sign split between escape and letter by an SMSC's client is read from its octets", async () => {
  const deliveryOf = (part: number, octets: readonly number[]) => ({
    source: { ton: 1, npi: 1, digits: "989121234567" },
    destination: { ton: 0, npi: 0, digits: line },
    esmClass: 0x40,
    dataCoding: 0,
    content: Buffer.from([5, 0, 3, 9, 2, part, ...octets]),
    segmentation: null,
    receiptedMessageId: null,
    messageState: null,
    networkError: null,
  });
  await server.inbound.take(1, readInbound(deliveryOf(1, [0x35, 0x1b]), 1));
  await server.inbound.take(1, readInbound(deliveryOf(2, [0x65, 0x21, 0x1b]), 1));
  expect(await server.texts()).toEqual(["5€! "]);
});
