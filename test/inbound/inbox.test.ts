/** Reading with a cursor: nothing is missed or repeated, whatever arrives meanwhile. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import fc from "fast-check";
import { cursorPosition, cursorText } from "../../src/inbound/cursor.ts";
import type { InboxFilter } from "../../src/store/inbound.ts";
import { createInboundServer, type InboundServer, line, phone } from "../support/inbound.ts";

let server: InboundServer;
beforeEach(async () => {
  server = await createInboundServer();
});
afterEach(() => server.stop());

const everything: InboxFilter = { sender: null, receiver: null, from: null, to: null };

/** A client that polls: it reads one page after the other, each from the last cursor. */
async function readOn(place: { through: number }, limit: number, filter = everything): Promise<string[]> {
  const page = await server.inbound.inbox.read(1, place.through, filter, limit);
  place.through = page.through;
  return page.messages.map(({ message }) => message);
}

test("a client that polls while texts arrive, lines change and parts time out reads each message once", async () => {
  type Step = "arrive" | "backlog" | "add" | "remove" | "part" | "poll" | "forget";
  const steps = fc.array(fc.constantFrom<Step>("arrive", "backlog", "add", "remove", "part", "poll", "forget"), {
    minLength: 10,
    maxLength: 40,
  });
  await server.inbound.lines.add(1, line);
  const late = "30005678";
  let sent = 0;
  const place = { through: 0 };
  const read: string[] = [];
  // One client: it polls again once it has the last page.
  let polling: Promise<unknown> = Promise.resolve();
  const poll = (limit: number) => {
    polling = polling.then(async () => read.push(...(await readOn(place, limit))));
    return polling;
  };
  const actions: Record<Step, () => Promise<unknown>> = {
    arrive: () => server.bring({ text: `${++sent}` }),
    backlog: () => server.bring({ text: `${++sent}`, receiver: late }),
    add: () => server.inbound.lines.add(1, late).catch(() => {}),
    remove: () => server.inbound.lines.remove(late).catch(() => {}),
    part: () => server.bring({ text: `${++sent}`, concat: { reference: sent, part: 1, parts: 2 } }),
    poll: () => poll(3),
    forget: () => server.inbound.forgetOld(),
  };
  await fc.assert(
    fc.asyncProperty(steps, async (scene) => {
      // Not awaited individually: writes and reads interleave as they do with many clients.
      await Promise.all(scene.map((step) => actions[step]()));
    }),
    { numRuns: 25 },
  );
  await server.inbound.lines.add(1, late).catch(() => {});
  await server.clock.advance(600_000);
  await server.inbound.lines.settled();
  for (let before = -1; before < read.length; ) {
    before = read.length;
    await poll(50);
  }
  const byNumber = (a: string, b: string) => Number(a) - Number(b);
  expect(read.toSorted(byNumber)).toEqual(Array.from({ length: sent }, (_, index) => `${index + 1}`));
});

test("reading does not consume: the same cursor gives the same page again", async () => {
  await server.inbound.lines.add(1, line);
  for (let index = 0; index < 5; index += 1) await server.bring({ text: `${index}` });
  const page = await server.inbound.inbox.read(1, 1, everything, 2);
  expect(page.messages.map(({ message }) => message)).toEqual(["1", "2"]);
  expect(page.hasMore).toBe(true);
  await server.bring({ text: "new" });
  expect(await server.inbound.inbox.read(1, 1, everything, 2)).toEqual(page);
});

test("hasMore is true while one more message matches, and false at the end", async () => {
  await server.inbound.lines.add(1, line);
  for (const text of ["a", "b", "c", "d"]) await server.bring({ text });
  await server.bring({ text: "other", sender: "+989350000001" });
  const mine = { ...everything, sender: phone };
  const hasMore = async (after: number, limit: number) =>
    (await server.inbound.inbox.read(1, after, mine, limit)).hasMore;
  expect([await hasMore(0, 3), await hasMore(0, 4), await hasMore(2, 2), await hasMore(4, 1)]).toEqual([
    true,
    false,
    false,
    false,
  ]);
});

test("a filtered reader passes what does not match, and finds what arrives later", async () => {
  await server.inbound.lines.add(1, line);
  for (let index = 0; index < 30; index += 1) await server.bring({ text: `${index}` });
  const rare = { ...everything, sender: "+989350000001" };
  const place = { through: 0 };
  expect(await readOn(place, 10, rare)).toEqual([]);
  expect(place.through).toBe(30);
  await server.bring({ text: "rare", sender: "+989350000001" });
  expect(await readOn(place, 10, rare)).toEqual(["rare"]);
});

test("a rare sender among 25,000 messages is found with any page size", async () => {
  await server.inbound.lines.add(1, line);
  await server.store.write((tables) => {
    for (let index = 1; index <= 25_000; index += 1) {
      const sender = index % 9_000 === 0 ? "rare" : "common";
      const message = { trackingCode: `${index}`, routeId: 1, sender, receiver: line, text: `${index}` };
      const id = tables.inbound.insert({ ...message, octets: null, partCount: 1, partsReceived: 1, receivedAt: index });
      tables.inbound.makeAvailable(id, 1, 1);
    }
  });
  const rare = { ...everything, sender: "rare" };
  expect((await server.inbound.inbox.read(1, 0, rare, 500)).messages.map(({ message }) => message)).toEqual([
    "9000",
    "18000",
  ]);
  const first = await server.inbound.inbox.read(1, 0, rare, 1);
  expect([first.messages.length, first.hasMore]).toEqual([1, true]);
  const second = await server.inbound.inbox.read(1, first.through, rare, 1);
  expect([second.messages[0]?.message, second.hasMore]).toEqual(["18000", false]);
});

test("a cursor is accepted for its account alone, and any other text is refused", () => {
  fc.assert(
    fc.property(fc.nat(), fc.integer({ min: 0, max: 2 ** 48 - 1 }), (accountId, position) => {
      const text = cursorText(accountId, position);
      expect(text).toMatch(/^[A-Za-z0-9_-]{15}$/);
      expect(cursorPosition(accountId, text)).toBe(position);
      expect(cursorPosition(accountId + 1, text)).toBeNull();
    }),
  );
  fc.assert(fc.property(fc.string(), (text) => cursorPosition(1, text) === null));
  fc.assert(fc.property(fc.base64String(), (text) => cursorPosition(1, text) === null));
});

test("a cursor with any character changed, removed or added is refused", () => {
  const text = cursorText(1, 77);
  for (let index = 0; index < text.length; index += 1) {
    const other = text[index] === "A" ? "B" : "A";
    expect(cursorPosition(1, text.slice(0, index) + other + text.slice(index + 1))).toBeNull();
    expect(cursorPosition(1, text.slice(0, index) + text.slice(index + 1))).toBeNull();
    expect(cursorPosition(1, `${text.slice(0, index)}=${text.slice(index)}`)).toBeNull();
  }
});
