/** What is deleted, what is kept, and for how long. */
import { afterEach, beforeEach, expect, spyOn, test } from "bun:test";
import { messageClasses } from "../../src/domain/message.ts";
import { forgetOld, stubPeriod } from "../../src/messaging/messages/retention.ts";
import { isoTime } from "../../src/platform/clock.ts";
import type { NewMessage } from "../../src/store/messages.ts";
import type { Tables } from "../../src/store/store.ts";
import { rowsIn } from "../support/peyk-process.ts";
import { createTestServer, type TestServer } from "../support/test-server.ts";

const dayMs = 24 * 3_600_000;
const settings = { messageDays: 90, idempotencyDays: 30, rollupDays: 730 };
let server: TestServer;
beforeEach(async () => {
  server = await createTestServer();
  await server.start();
});
afterEach(() => server.stop());

/** The newest message keeps its row: see ids.test.ts. */
const sendNewest = () => server.send({ sendAt: server.clock.now() + 200 * dayMs });
const exists = (code: string) => server.store.tables.messages.byCodeAnywhere(code) !== null;

test("messages are deleted after their time, to the day, with their parts and timeline", async () => {
  const code = await server.send({ recipient: "+989121234504" });
  await sendNewest();
  await server.clock.advance(60_000);
  server.clock.jump(90 * dayMs - 60_000);
  expect(await forgetOld(server.store, server.clock.now(), settings)).toBe(0);
  expect(exists(code)).toBe(true);
  server.clock.jump(1);
  expect(await forgetOld(server.store, server.clock.now(), settings)).toBe(1);
  expect(exists(code)).toBe(false);
  expect(server.store.tables.parts.ofMessage(1)).toEqual([]);
  expect(server.store.tables.timeline.ofMessage(1)).toEqual([]);
});

test("a message that is not finished is kept, however old", async () => {
  const sendAt = server.clock.now() + 100 * dayMs;
  const waiting = await server.send({ sendAt, class: messageClasses.bulk });
  const [first] = (await server.sendAll([{ recipient: "+989121234500" }])).results;
  await sendNewest();
  await server.clock.advance(1_000);
  server.clock.jump(91 * dayMs);
  expect(await forgetOld(server.store, server.clock.now(), settings)).toBe(1);
  expect([exists(waiting), exists(first?.trackingCode ?? "")]).toEqual([true, false]);
});

test("a scheduled message counts from its time, and a recently sent one waits for its receipt", async () => {
  const sendAt = server.clock.now() + 100 * dayMs;
  const scheduled = await server.send({ sendAt, recipient: "+989121234500" });
  server.clock.jump(100 * dayMs);
  await server.clock.advance(61_000);
  expect(server.statusOf(scheduled)).toBe("delivered");
  expect(await forgetOld(server.store, server.clock.now(), settings)).toBe(0);
  expect(exists(scheduled)).toBe(true);
  await sendNewest();
  server.clock.jump(91 * dayMs);
  expect(await forgetOld(server.store, server.clock.now(), settings)).toBe(1);
});

test("more than one slice is deleted in one run", async () => {
  await server.sendAll(Array.from({ length: 450 }, () => ({ recipient: "+989121234500" })));
  await sendNewest();
  await server.clock.advance(2_000);
  server.clock.jump(91 * dayMs);
  expect(await forgetOld(server.store, server.clock.now(), settings)).toBe(450);
});

test("a key is remembered for its time, even if its message is deleted earlier", async () => {
  const first = await server.send({ key: "one key" });
  server.clock.jump(30 * dayMs);
  await forgetOld(server.store, server.clock.now(), settings);
  expect(await server.send({ key: "one key" })).toBe(first);
  server.clock.jump(1);
  await forgetOld(server.store, server.clock.now(), settings);
  const second = await server.send({ key: "one key" });
  expect(second).not.toBe(first);
  await server.clock.advance(1_000);
  await sendNewest();
  server.clock.jump(8 * dayMs);
  await forgetOld(server.store, server.clock.now(), { messageDays: 7, idempotencyDays: 30, rollupDays: 730 });
  expect(exists(second)).toBe(false);
  expect(await server.send({ key: "one key" })).toBe(second);
});

const countOf = (what: string) =>
  rowsIn<{ n: number }>(server.folder, `SELECT count(*) AS n FROM ${what}`)[0]?.n ?? Number.NaN;
const forget = (after: number, changes: Partial<typeof settings> = {}) =>
  forgetOld(server.store, begunAt + after, { ...settings, ...changes });
/** One more than a slice. */
const many = 201;
let begunAt = 0;
beforeEach(() => {
  begunAt = server.clock.now();
});

const stored = {
  ...{ accountId: 1, senderId: 1, class: messageClasses.single, sender: "30001", recipient: "+989120000010" },
  ...{ text: "a", clientReference: null, encoding: "Latin", characterCount: 1, partCount: 1, sendAt: null },
} as const satisfies Partial<NewMessage>;

const noAction = {
  ...{ hours: null, reply: null, closedReply: null, joins: null, leaves: null, forwardTo: null, mail: null },
  credentialId: null,
};

/** What is kept for some days: `add` puts one that dates from `at`. */
interface Kept {
  days: number;
  rows: string;
  count?: number;
  /** In milliseconds, if time is told in steps. */
  step?: number;
  add(tables: Tables, at: number, number: number): void;
}

const kept: Readonly<Record<string, Kept>> = {
  "a receipt that matches no message": {
    days: 3,
    rows: "orphan_receipt",
    add: ({ orphanReceipts }, at, number) =>
      orphanReceipts.insert(
        {
          ...{ routeId: 1, providerIds: [`id-${number}`], anyWidth: false, numberEnds: "", state: "delivered" },
          ...{ errorCode: null, detail: "", at },
        },
        at,
      ),
  },
  "a carrier's refusal": {
    days: 90,
    rows: "refusal",
    step: 900_000,
    add: ({ refusals }, at, number) => refusals.add(1, "rejected", `${number}`, at),
  },
  "a credential's key": {
    days: 30,
    rows: "credential_request",
    add: ({ credentialRequests }, at, number) =>
      credentialRequests.insert({
        ...{ credentialId: 1, keyHash: new Uint8Array(Buffer.from(`${number}`)), payloadHash: new Uint8Array(32) },
        ...{ firstMessageId: 1, messageCount: 1, createdAt: at },
      }),
  },
  "a day of an inbound rule": {
    days: 730,
    rows: "inbound_rule_day",
    step: dayMs,
    count: 1,
    add: ({ inboundRules, lines }, at, number) => {
      if (number === 0) lines.insert({ number: "30001", accountId: 1, createdAt: at });
      if (number === 0) inboundRules.insert("30001", 0, { match: "any", words: [], ...noAction });
      inboundRules.countUse(1, at, isoTime(at).slice(0, 10), 1);
    },
  },
  "a stub of a message with a key": {
    days: 30,
    rows: "message_stub",
    add: ({ messages }, at, number) => {
      const id = messages.insert({ ...stored, trackingCode: `S${number}`, submittedAt: at, validUntil: at });
      messages.stubs.keep(id, { since: 0 });
    },
  },
};

for (const [what, { days, rows, count = many, step = 1, add }] of Object.entries(kept))
  test(`${what} is deleted after ${days} days, with all others of its age`, async () => {
    const oldest = begunAt - (begunAt % step);
    await server.store.write((tables) => {
      for (let number = 0; number < count; number += 1) add(tables, oldest, number);
      add(tables, oldest + step, count);
    });
    expect(countOf(rows)).toBe(count + 1);
    const atEdge = oldest + days * dayMs - begunAt;
    await forget(atEdge);
    expect(countOf(rows)).toBe(count + 1);
    await forget(atEdge + step);
    expect(countOf(rows)).toBe(1);
  });

test("figures are deleted after their days, quarter hour by quarter hour", async () => {
  for (let quarter = 0; quarter < 3; quarter += 1) {
    await server.send({ recipient: "+989121234504" });
    await server.clock.advance(900_000);
  }
  const slots = () => rowsIn<{ at: number }>(server.folder, "SELECT DISTINCT slot_at AS at FROM rollup ORDER BY 1");
  expect(slots()).toHaveLength(3);
  const second = slots()[1]?.at ?? 0;
  await forget(second - begunAt + 10 * dayMs, { rollupDays: 10 });
  expect(slots().map(({ at }) => at)).toEqual([second, second + 900_000]);
  await forget(11 * dayMs, { rollupDays: 10 });
  expect(slots()).toEqual([]);
});

test("rows of the figures that no message is counted in any more go after three days", async () => {
  await server.send({ recipient: "+989121234504" });
  await server.clock.advance(60_000);
  const empty = () => countOf("rollup WHERE messages = 0");
  expect(empty()).toBeGreaterThan(0);
  const trimmed = spyOn(server.store.tables.rollups, "trim");
  await forget(2 * dayMs);
  expect(empty()).toBeGreaterThan(0);
  await forget(4 * dayMs);
  expect(empty()).toBe(0);
  expect(trimmed.mock.calls[0]).toEqual([begunAt - dayMs]);
});

test("a campaign goes with the last of its messages", async () => {
  await server.store.write(({ campaigns }) => {
    const campaign = { accountId: 1, kind: "batch", groupCode: null, apiKeyId: 1, createdAt: begunAt } as const;
    for (let number = 0; number < many; number += 1)
      campaigns.add({ ...campaign, name: `c${number}` }, { firstMessageId: 1 + number, messageCount: 1 });
  });
  await server.sendAll(Array.from({ length: many }, () => ({ recipient: "+989121234500" })));
  await sendNewest();
  await server.clock.advance(2_000);
  await forget(90 * dayMs);
  expect([countOf("campaign"), countOf("campaign_run")]).toEqual([many, many]);
  await forget(90 * dayMs + 1);
  expect([countOf("campaign"), countOf("campaign_run")]).toEqual([0, 0]);
});

test("keys are deleted with their index, however many, and the younger ones stay", async () => {
  for (let number = 0; number < many; number += 1) await server.send({ key: `k${number}` });
  await server.clock.advance(1_000);
  await server.send({ key: "young" });
  expect(countOf("request")).toBe(many + 1);
  await forget(30 * dayMs + 1_000);
  expect(countOf("request")).toBe(1);
  const young = server.store.tables.idempotency.find(1, "young");
  expect(young).toMatchObject({ messageCount: 1 });
  expect(server.store.tables.idempotency.find(1, "k0")).toBeNull();
});

test("messages from before an upgrade stay until they are counted; the file's pages are given back where some went", async () => {
  const { rollups, retention } = server.store.tables;
  const pages = spyOn(retention, "giveBackPages");
  await server.send({ recipient: "+989121234500" });
  await sendNewest();
  await server.clock.advance(2_000);
  const share = spyOn(rollups, "filledShare").mockReturnValue(0.9);
  expect(await forget(91 * dayMs)).toBe(0);
  expect(pages).not.toHaveBeenCalled();
  share.mockRestore();
  expect(await forget(91 * dayMs)).toBe(1);
  expect(pages).toHaveBeenCalledTimes(1);
});

test("what searches and looks up keys is told of what was deleted, until it has nothing left to remove", async () => {
  const { searchIndex, idempotency } = server.store.tables;
  const told = spyOn(searchIndex, "removed");
  const emptied = spyOn(searchIndex, "removeEmptyRun").mockReturnValueOnce(true).mockReturnValueOnce(true);
  const lots = spyOn(idempotency, "pruneLots").mockReturnValueOnce(true).mockReturnValueOnce(true);
  const index = spyOn(idempotency, "pruneIndex");
  await server.send({ key: "k", recipient: "+989121234500" });
  await server.send({ recipient: "+989121234500" });
  await server.clock.advance(2_000);
  await forget(dayMs);
  expect([told, lots, index].map(({ mock }) => mock.calls.length)).toEqual([0, 0, 0]);
  expect(emptied).toHaveBeenCalledTimes(3);
  await forget(31 * dayMs);
  expect([told, lots].map(({ mock }) => mock.calls.length)).toEqual([0, 3]);
  expect(index.mock.calls[0]).toEqual([{ fingerprint: -1, requestId: -1 }, 200]);
  await forget(91 * dayMs);
  expect(told).toHaveBeenCalledTimes(1);
});

test("stubs stay as long as the longest-lived key, which is a credential's if there are any", async () => {
  const now = begunAt + 100 * dayMs;
  const daysOf = (idempotencyDays: number) => (now - stubPeriod(server.store, now, idempotencyDays).since) / dayMs;
  expect([10, 40].map(daysOf)).toEqual([10, 40]);
  await server.store.write((tables) => kept["a credential's key"]?.add(tables, begunAt, 1));
  expect([10, 40].map(daysOf)).toEqual([30, 40]);
});
