/** The guard of quotas by itself: whom it limits, what it gives back, what it explains, and which quota a refusal names. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { QuotaGuard } from "../../src/messaging/quotas/quota-guard.ts";
import { Demand } from "../../src/messaging/rules/traffic-rules.ts";
import { believedBy } from "../support/booking.ts";
import { callerAt } from "../support/caller.ts";
import { createOperatorServer, type OperatorServer } from "../support/operator.ts";

const dayMs = 24 * 3_600_000;
let server: OperatorServer;
let guard: QuotaGuard;
let warned: unknown[];
const account = (subjectId = 1) => ({ subject: "account", subjectId }) as const;
const key = (subjectId = 1) => ({ subject: "key", subjectId }) as const;

beforeEach(async () => {
  server = await createOperatorServer();
  for (const name of ["Clinic", "School"]) await server.call("POST", "/accounts", { name });
  for (const of of ["acc_1", "acc_2"]) await server.call("POST", "/keys", { account: of, name: "backend" });
  warned = [];
  guard = new QuotaGuard({
    quotas: server.store.tables.quotas,
    bookingClock: believedBy(server.clock),
    directory: server.directory,
    timeZones: { of: () => "Asia/Tehran" },
    calendar: "gregory",
    log: { warn: (...told: unknown[]) => void warned.push(told) },
  });
});
afterEach(() => server.close());

const payer = (accountId = 1, at = server.clock.now()) => callerAt(at, accountId);
const use = (parts: number, by = payer()) =>
  server.store.write((tables) => guard.reserve(tables, by, Demand.ofMessages(parts)));
const giveBack = (parts: number, reservedAt = server.clock.now(), by = payer()) =>
  server.store.write((tables) => guard.giveBack(tables, by, Demand.ofMessages(parts), reservedAt));
const used = () =>
  guard.uses().map(({ quota, partsUsed }) => [quota.subject, quota.subjectId, quota.period, partsUsed]);

test("a payer is limited by a quota of the account or of the key, and by nobody else's", async () => {
  expect(guard.isLimiting(payer())).toBe(false);
  await server.quotas.set(account(), { day: 5 });
  expect([guard.isLimiting(payer(1)), guard.isLimiting(payer(2))]).toEqual([true, false]);
  await server.quotas.set(account(), { day: null });
  await server.quotas.set(key(2), { month: 5 });
  expect([guard.isLimiting(payer(1)), guard.isLimiting(payer(2))]).toEqual([false, true]);
});

test("a key's quota alone refuses before the transaction, and counts in it", async () => {
  await server.quotas.set(key(2), { day: 5 });
  expect(() => guard.check(payer(2), Demand.ofMessages(6))).toThrow("5 parts a day");
  guard.check(payer(2), Demand.ofMessages(5));
  guard.check(payer(1), Demand.ofMessages(6));
  await use(4, payer(2));
  expect(used()).toEqual([["key", 2, "day", 4]]);
});

test("what was never sent is given back to the account and the key, in its own period only", async () => {
  await server.quotas.set(account(), { day: 10, month: 20 });
  await server.quotas.set(key(), { day: 10 });
  await use(6);
  await giveBack(2);
  expect(used().map(([, , , parts]) => parts)).toEqual([4, 4, 4]);
  // Never below nothing.
  await giveBack(9);
  expect(used().map(([, , , parts]) => parts)).toEqual([0, 0, 0]);
  const reservedAt = server.clock.now();
  await use(6);
  await server.clock.advance(dayMs);
  await use(1);
  await giveBack(3, reservedAt);
  expect(used()).toEqual([
    ["account", 1, "day", 1],
    ["account", 1, "month", 4],
    ["key", 1, "day", 1],
  ]);
});

test("nothing is given back where nothing was counted", async () => {
  await server.quotas.set(account(2), { day: 10 });
  await use(6, payer(2));
  await giveBack(6);
  await giveBack(0, server.clock.now(), payer(2));
  expect(used()).toEqual([["account", 2, "day", 6]]);
});

test("a request is explained by each quota that would count it, with what is left", async () => {
  expect(guard.explain(payer(), Demand.ofMessages(1))).toEqual([]);
  await server.quotas.set(account(), { day: 5 });
  await server.quotas.set(key(), { month: 9 });
  await use(2);
  expect(guard.explain(payer(), Demand.ofMessages(0))).toEqual([]);
  expect(guard.explain(payer(), Demand.ofMessages(4))).toEqual([
    { rule: "quota", words: "The account may send 5 parts a day; 3 are left, and the request has 4." },
    { rule: "quota", words: "The key may send 9 parts a month; 7 are left, and the request has 4." },
  ]);
});

test("a refusal names the quota that is renewed last, and never less than nothing left", async () => {
  await server.quotas.set(account(), { day: 3, month: 3 });
  await server.quotas.set(key(), { day: 2 });
  await use(2);
  const refusal = await use(2).catch((reason: unknown) => reason);
  expect(refusal).toMatchObject({ values: { subject: "account", period: "month", left: 1, parts: 2 } });
  await server.quotas.set(account(), { day: null, month: 1 });
  expect(await use(1).catch((reason: unknown) => reason)).toMatchObject({ values: { period: "month", left: 0 } });
  await server.quotas.set(account(), { month: 100 });
  expect(await use(1).catch((reason: unknown) => reason)).toMatchObject({ values: { subject: "key", period: "day" } });
});

test("a quota of nothing is never nearly used, and a warning names what it is about", async () => {
  await server.quotas.set(account(), { day: 0 });
  expect(guard.nearlyUsed()).toEqual([]);
  await server.quotas.set(account(), { day: 10 });
  await use(8);
  expect(guard.nearlyUsed()).toMatchObject([{ partsUsed: 8, quota: { subjectId: 1 } }]);
  const words = "a quota is nearly used up";
  expect(warned).toEqual([[{ account: 1, period: "day", partsMax: 10, partsUsed: 8 }, words]]);
});

test("quotas are set and read only of an account or a key that there is, each its own", async () => {
  await server.quotas.set(account(1), { day: 1 });
  await server.quotas.set(account(2), { day: 2 });
  await server.quotas.set(key(2), { day: 3 });
  expect(server.quotas.of(account(2)).map(({ quota }) => quota.partsMax)).toEqual([2]);
  expect(server.quotas.of(key(2)).map(({ quota }) => quota.partsMax)).toEqual([3]);
  for (const [of, code] of [
    [account(9), "account_not_found"],
    [key(9), "key_not_found"],
  ] as const) {
    await expect(server.quotas.set(of, { day: 1 })).rejects.toMatchObject({ code });
    expect(() => server.quotas.of(of)).toThrow(expect.objectContaining({ code }));
  }
  expect(server.quotas.all()).toHaveLength(3);
  // There is no key with the number of this account.
  await server.call("POST", "/accounts", { name: "Shop" });
  expect(await server.quotas.set(account(3), { day: 4 })).toMatchObject([{ partsUsed: 0 }]);
});
