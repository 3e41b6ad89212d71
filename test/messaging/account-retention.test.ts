/** Accounts that keep their messages, or the texts of these, for a shorter time than others. */
import { afterEach, beforeEach, expect, spyOn, test } from "bun:test";
import type { Account } from "../../src/messaging/directory/directory.ts";
import { AccountRetention } from "../../src/messaging/messages/account-retention.ts";
import { forgetOld } from "../../src/messaging/messages/retention.ts";
import { until } from "../support/manual-clock.ts";
import { createTestServer, type TestServer } from "../support/test-server.ts";

const dayMs = 24 * 3_600_000;
let server: TestServer;
let retention: AccountRetention;
beforeEach(async () => {
  server = await createTestServer();
  retention = new AccountRetention({ ...server, idempotencyDays: 30 });
  await server.start();
});
afterEach(() => server.stop());

async function setAccount(id: number, change: Partial<Account>): Promise<void> {
  const account = await server.store.write((tables) => tables.accounts.update(id, change));
  if (account !== null) server.directory.putAccount(account);
}

async function delivered(account: number): Promise<string> {
  const code = await server.send({ account });
  await server.clock.advance(1_000);
  await until(() => server.statusOf(code) === "delivered");
  return code;
}

async function received(trackingCode: string, accountId = 1): Promise<void> {
  const now = server.clock.now();
  await server.store.write(({ inbound }) => {
    const row = { routeId: 1, sender: "+989120000010", receiver: "30001", text: "hello", octets: null, partCount: 1 };
    inbound.makeAvailable(inbound.insert({ ...row, trackingCode, partsReceived: 1, receivedAt: now }), accountId, now);
  });
}

const textOf = (code: string) => server.store.tables.messages.byCodeAnywhere(code)?.text;
const inboundText = (code: string) => server.store.tables.inbound.byCode(code)?.text;

test("an account's messages are deleted after its days, and another account's and waiting ones stay", async () => {
  await setAccount(1, { retentionDays: 7 });
  const [old, other] = [await delivered(1), await delivered(2)];
  const waiting = await server.send({ sendAt: server.clock.now() + 20 * dayMs });
  await received("IN1");
  await received("IN2", 2);
  server.clock.jump(6 * dayMs);
  await retention.forget();
  expect(textOf(old)).toBe("سلام");
  server.clock.jump(2 * dayMs);
  const young = await delivered(1);
  await retention.forget();
  expect([old, other, waiting, young].map(textOf)).toEqual([undefined, "سلام", "سلام", "سلام"]);
  expect(["IN1", "IN2"].map(inboundText)).toEqual([undefined, "hello"]);
  // A message skipped while it waited is found by the next day's walk.
  server.clock.jump(30 * dayMs);
  await server.clock.advance(2_000);
  await until(() => server.statusOf(waiting) !== "queued");
  await delivered(1);
  server.clock.jump(8 * dayMs);
  await retention.forget();
  expect(textOf(waiting)).toBeUndefined();
});

test("the newest message keeps its id when deleted, and nothing of its text or recipient", async () => {
  await setAccount(1, { retentionDays: 7 });
  const newest = await delivered(1);
  server.clock.jump(8 * dayMs);
  await retention.forget();
  const { id, ...row } = server.store.tables.messages.byCodeAnywhere(newest) ?? { id: 0 };
  expect(row).toMatchObject({ text: "", recipient: "", clientReference: null });
  expect(server.store.tables.parts.ofMessage(id)).toEqual([]);
});

test("an Idempotency-Key outlives its message, and is free again after its own time", async () => {
  await setAccount(1, { retentionDays: 7 });
  const old = await server.send({ key: "order-7" });
  await delivered(1);
  server.clock.jump(8 * dayMs);
  await retention.forget();
  expect(textOf(old)).toBeUndefined();
  expect(await server.send({ key: "order-7" })).toBe(old);
  server.clock.jump(23 * dayMs);
  await forgetOld(server.store, server.clock.now(), { messageDays: 90, idempotencyDays: 30, rollupDays: 730 });
  const fresh = await server.send({ key: "order-7" });
  expect(fresh).not.toBe(old);
  expect(await server.send({ key: "order-7" })).toBe(fresh);
});

test("only the texts are deleted if the account says so", async () => {
  await setAccount(1, { textDays: 3 });
  const [old, other] = [await delivered(1), await delivered(2)];
  await received("IN1");
  server.clock.jump(4 * dayMs);
  await retention.forget();
  expect([old, other].map(textOf)).toEqual(["", "سلام"]);
  expect(server.statusOf(old)).toBe("delivered");
  expect(server.store.tables.inbound.byCode("IN1")).toMatchObject({ text: "", sender: "+989120000010" });
});

test("days set later apply to earlier messages", async () => {
  const old = await delivered(1);
  await delivered(2);
  server.clock.jump(10 * dayMs);
  await setAccount(2, { retentionDays: 9 });
  await retention.forget();
  expect(textOf(old)).toBe("سلام");
  await setAccount(1, { retentionDays: 9 });
  await retention.forget();
  expect(textOf(old)).toBeUndefined();
});

test("a pass goes on behind the last, and once a day from the beginning", async () => {
  await setAccount(1, { retentionDays: 7 });
  await setAccount(2, { retentionDays: 7 });
  for (const account of [1, 2, 1]) await delivered(account);
  const { accountRetention } = server.store.tables;
  const pruned = spyOn(accountRetention, "prune");
  const from = async () => {
    pruned.mockClear();
    await retention.forget();
    return pruned.mock.calls.map(([{ accountIds, kind }, afterId]) => [kind, ...accountIds, afterId]);
  };
  server.clock.jump(8 * dayMs);
  expect(await from()).toEqual([["whole", 1, 2, 0]]);
  const [[, , , lookedTo] = []] = await from();
  expect(lookedTo).toBeGreaterThan(0);
  server.clock.jump(dayMs - 1);
  expect(await from()).toEqual([["whole", 1, 2, lookedTo ?? 0]]);
  server.clock.jump(1);
  expect(await from()).toEqual([["whole", 1, 2, 0]]);
});

test("texts that were received are deleted to the day, and nothing is before the figures have all messages", async () => {
  await setAccount(1, { retentionDays: 7 });
  await received("OLD");
  server.clock.jump(1);
  await received("YOUNG");
  server.clock.jump(7 * dayMs);
  const share = spyOn(server.store.tables.rollups, "filledShare").mockReturnValue(0.5);
  await retention.forget();
  expect(["OLD", "YOUNG"].map(inboundText)).toEqual(["hello", "hello"]);
  share.mockRestore();
  await retention.forget();
  expect(["OLD", "YOUNG"].map(inboundText)).toEqual([undefined, "hello"]);
});
