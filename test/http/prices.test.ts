/** Prices and balances as customers see them: requests beyond the balance are refused as a whole, and prices are not shown. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { type Api, sender, singleMessage, startApi } from "../support/api.ts";

let api: Api;
beforeEach(async () => {
  api = await startApi();
  const { prices, balances } = api.billing;
  await prices.set("retail", { prefix: "*", price: "100", from: "" });
  await prices.set("retail", { prefix: "98912", price: "10", from: "" });
  await prices.charge(api.accountId, { list: "retail", mode: "prepaid" });
  await balances.topUp(api.accountId, { amount: 200, note: null, actor: "test", reference: null });
});
afterEach(() => api.stop());

const to = (recipient: string, key?: string) => api.send("/v1/messages", singleMessage({ recipient }), key);
const balance = () => api.billing.balances.balanceOf(api.accountId);

async function outcomes(asked: readonly Promise<Response>[]): Promise<string[]> {
  const answers = await Promise.all(asked);
  return Promise.all(answers.map(async (answer) => `${answer.status} ${(await answer.json()).code ?? ""}`.trim()));
}

test("of many requests at once exactly as many are accepted as the balance pays for", async () => {
  const answers = await outcomes(Array.from({ length: 35 }, () => to("09121234567")));
  expect(answers.filter((answer) => answer === "202")).toHaveLength(20);
  expect(answers.filter((answer) => answer === "403 balance_exhausted")).toHaveLength(15);
  expect(balance()).toMatchObject({ settled: 200, reserved: 200 });
});

test("the longest prefix of the number decides the price of each part", async () => {
  await to("09351234567");
  const messages = [
    { recipient: "09121234567", message: "س".repeat(71) },
    { recipient: "09121234568", message: "Hello" },
  ];
  await api.send("/v1/messages/batch", { sender, messages });
  const { messages: rows } = api.store.tables;
  expect([1, 2, 3].map((id) => rows.byId(id)?.price)).toEqual([100, 20, 10]);
  expect(balance()).toMatchObject({ reserved: 130 });
});

test("a batch that is too expensive is refused whole, a repeat gets its result, and a cancel returns the price", async () => {
  const dear = Array.from({ length: 3 }, () => ({ recipient: "09351234567", message: "Hello" }));
  expect(await outcomes([api.send("/v1/messages/batch", { sender, messages: dear })])).toEqual([
    "403 balance_exhausted",
  ]);
  const first = await (await to("09351234567", "a")).json();
  expect(await outcomes([to("09351234567", "b"), to("09351234567", "a")])).toEqual(["202", "200"]);
  expect(await outcomes([to("09121234567")])).toEqual(["403 balance_exhausted"]);
  await api.call("POST", `/v1/messages/${first.trackingCode}/cancel`);
  expect(balance()).toMatchObject({ settled: 200, reserved: 100 });
  expect(await outcomes([to("09121234567")])).toEqual(["202"]);
});

test("no answer contains a price", async () => {
  const accepted = await to("09121234567");
  const { trackingCode } = await accepted.clone().json();
  const record = await api.call("GET", `/v1/messages/${trackingCode}`);
  for (const answer of [accepted, record]) expect(await answer.text()).not.toMatch(/price|cost|balance/i);
});

test("a postpaid account owes, a free one and a test key's message cost nothing", async () => {
  const { prices } = api.billing;
  await prices.charge(api.accountId, { list: "retail", mode: "postpaid" });
  expect(await outcomes([to("09351234567"), to("09351234567"), to("09351234567")])).toEqual(["202", "202", "202"]);
  expect(balance()).toMatchObject({ settled: 200, reserved: 300 });
  await prices.charge(api.accountId, null);
  await to("09351234567");
  expect(api.store.tables.messages.byId(4)?.price).toBeNull();
  expect(balance()).toMatchObject({ reserved: 300 });
  const message = { accountId: api.accountId, apiKeyId: 1, senderId: 1, class: 1, recipient: "+989121234567" } as const;
  await prices.charge(api.accountId, { list: "retail", mode: "prepaid" });
  const judged = { targetId: 0, network: 0, networkSource: 0, price: null, isTest: true, dueAt: null } as const;
  const asked = { ...message, partCount: 1, submittedAt: api.clock.now(), sendAt: null };
  expect(api.billing.rule.apply(asked, judged)).toBe(judged);
});

test("a group beyond the balance or a quota is refused whole, before anything of it is stored", async () => {
  const numbers = Array.from({ length: 3_000 }, (_, index) => `0912${1_000_000 + index}`);
  const { service } = api.groups;
  await service.create(api.accountId, "many", "Many");
  async function* file() {
    yield new TextEncoder().encode(`mobile\n${numbers.join("\n")}\n`);
  }
  await service.import({ code: "many" }, file(), { progress: () => {}, problem: () => {}, repeated: () => {} });
  await service.approve({ code: "many" }, "maryam");
  const message = "س".repeat(71);
  const toGroup = () => api.send("/v1/approved-groups/many/messages", { sender, message }, "one");
  const staged = () => api.store.tables.stagedRuns.all();
  expect(await outcomes([toGroup()])).toEqual(["403 balance_exhausted"]);
  expect(staged()).toEqual([]);
  await api.billing.balances.topUp(api.accountId, { amount: 60_000, note: null, actor: "test", reference: null });
  await api.quotas.set({ subject: "account", subjectId: api.accountId }, { day: 5_999 });
  expect(await outcomes([toGroup()])).toEqual(["403 quota_exceeded"]);
  expect(staged()).toEqual([]);
  expect(balance()).toMatchObject({ settled: 60_200, reserved: 0 });
  await api.quotas.set({ subject: "account", subjectId: api.accountId }, { day: 6_000 });
  expect(await outcomes([toGroup()])).toEqual(["202"]);
  expect(balance()).toMatchObject({ settled: 60_200, reserved: 60_000 });
});
