/** Quotas as customers see them: refused as a whole at acceptance, exact, and never in the way of a repeat. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import type { QuotaLimits, QuotaSubject } from "../../src/store/quotas.ts";
import { type Api, sender, singleMessage, startApi } from "../support/api.ts";

let api: Api;
beforeEach(async () => {
  api = await startApi();
});
afterEach(() => api.stop());

const account = (): QuotaSubject => ({ subject: "account", subjectId: api.accountId });
const key = (): QuotaSubject => ({ subject: "key", subjectId: api.keyId });
const limit = (of: QuotaSubject, limits: QuotaLimits) => api.quotas.set(of, limits);
const used = () => api.quotas.all().map(({ quota, partsUsed }) => `${quota.subject} ${quota.period} ${partsUsed}`);

const one = (idempotencyKey?: string) => api.send("/v1/messages", singleMessage(), idempotencyKey);
const batch = (count: number, message = "Hello") => {
  const messages = Array.from({ length: count }, () => ({ recipient: "09121234567", message }));
  return api.send("/v1/messages/batch", { sender, messages });
};

/** The status, with the code of a refusal. */
async function outcomes(asked: readonly Promise<Response>[]): Promise<string[]> {
  const answers = await Promise.all(asked);
  return Promise.all(answers.map(async (answer) => `${answer.status} ${(await answer.json()).code ?? ""}`.trim()));
}

test("of many requests at once exactly as many parts are accepted as the quota allows", async () => {
  await limit(account(), { day: 50 });
  const answers = await outcomes(Array.from({ length: 80 }, () => one()));
  expect(answers.filter((answer) => answer === "202")).toHaveLength(50);
  expect(answers.filter((answer) => answer === "403 quota_exceeded")).toHaveLength(30);
  expect(used()).toEqual(["account day 50"]);
  expect(api.store.tables.messages.byId(50)).not.toBeNull();
  expect(api.store.tables.messages.byId(51)).toBeNull();
});

test("a batch counts by its parts, and is accepted whole or not at all", async () => {
  await limit(account(), { day: 10, month: 100 });
  expect(await outcomes([batch(4, "س".repeat(71))])).toEqual(["202"]);
  expect(await outcomes([batch(3), batch(2)])).toEqual(["403 quota_exceeded", "202"]);
  expect(used()).toEqual(["account day 10", "account month 10"]);
  expect(api.waiting).toHaveLength(6);
});

test("a group larger than the remaining quota is refused before anything of it is stored", async () => {
  await api.groups.service.create(api.accountId, "all", "All");
  const file = new TextEncoder().encode(
    `mobile\n${Array.from({ length: 20 }, (_, n) => `09121234${100 + n}`).join("\n")}`,
  );
  async function* source() {
    yield file;
  }
  await api.groups.service.import({ code: "all" }, source(), { progress() {}, problem() {}, repeated() {} });
  await api.groups.service.approve({ code: "all" }, "test");
  const toGroup = (message: string) => api.send("/v1/approved-groups/all/messages", { sender, message });
  await limit(account(), { day: 30 });
  expect(await outcomes([toGroup("س".repeat(71))])).toEqual(["403 quota_exceeded"]);
  expect(await outcomes([toGroup("Hello")])).toEqual(["202"]);
  expect(await outcomes([toGroup("Hello")])).toEqual(["403 quota_exceeded"]);
  expect(used()).toEqual(["account day 20"]);
  await api.groups.settled();
  expect(api.waiting).toHaveLength(20);
});

test("a repeat of an accepted request gets its result, and does not count", async () => {
  await limit(account(), { day: 1 });
  expect(await outcomes([one("first")])).toEqual(["202"]);
  expect(await outcomes([one("second"), one("first")])).toEqual(["403 quota_exceeded", "200"]);
  await limit(account(), { day: 2 });
  // A refused request registered nothing: its key is free.
  expect((await outcomes([one("second"), one("second")])).sort()).toEqual(["200", "202"]);
  expect(used()).toEqual(["account day 2"]);
});

test("a request refused for another reason uses no quota", async () => {
  await limit(account(), { day: 5 });
  expect(await outcomes([api.send("/v1/messages", singleMessage({ sender: "NOBODY" }))])).toEqual([
    "403 sender_not_permitted",
  ]);
  await api.send("/v1/otp/codes", { recipient: "09121234567", code: "1234", sender });
  const again = api.send("/v1/otp/codes", { recipient: "09121234567", code: "1234", sender });
  expect(await outcomes([again])).toEqual(["429 otp_rate_limited"]);
  expect(used()).toEqual(["account day 1"]);
});

test("an account's quota applies to all of its keys, and a key's to that key alone", async () => {
  const other = await api.keys.create(api.accountId, {
    name: "other",
    permissions: ["messages:send"],
    requestsPerMinute: null,
    expiresAt: null,
  });
  const byOther = () => api.send("/v1/messages", singleMessage(), undefined, { "X-API-Key": other.apiKey });
  await limit(key(), { day: 1 });
  await limit(account(), { day: 3 });
  expect(await outcomes([one(), byOther()])).toEqual(["202", "202"]);
  expect(await outcomes([one(), byOther(), byOther()])).toEqual(["403 quota_exceeded", "202", "403 quota_exceeded"]);
  expect(used()).toEqual(["account day 3", "key day 1"]);
});

test("the refusal says when the quota starts again in the account's time zone, and then it does", async () => {
  // 15:36 in UTC, 19:06 in Tehran.
  await limit(account(), { day: 1 });
  await one();
  const refused = await one();
  expect(refused.headers.get("retry-after")).toBe(String((4 * 60 + 54) * 60));
  expect(await refused.json()).toMatchObject({
    code: "quota_exceeded",
    message: "The account may send 1 part a day; 0 are left, and the request has 1.",
  });
  await api.accounts.update(api.accountId, { timeZone: "Asia/Kabul" });
  await one();
  expect((await one()).headers.get("retry-after")).toBe(String((3 * 60 + 54) * 60));
  await api.clock.advance(4 * 3_600_000);
  expect(await outcomes([one()])).toEqual(["202"]);
});

test("a changed quota keeps its count, and a removed one is gone", async () => {
  await limit(account(), { day: 2, month: 3 });
  await one();
  await limit(account(), { day: 1 });
  expect(await outcomes([one()])).toEqual(["403 quota_exceeded"]);
  await limit(account(), { day: null });
  expect(await outcomes([one(), one()])).toEqual(["202", "202"]);
  expect(used()).toEqual(["account month 3"]);
  expect(await outcomes([one()])).toEqual(["403 quota_exceeded"]);
});
