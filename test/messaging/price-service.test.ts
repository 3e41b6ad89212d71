/** Prices as operators ask for them, without command line or HTTP: what is told of lists, accounts and routes, and what is refused. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { createOperatorServer, type OperatorServer } from "../support/operator.ts";

let server: OperatorServer;
beforeEach(async () => {
  server = await createOperatorServer();
  await server.call("POST", "/accounts", { name: "Clinic" });
});
afterEach(() => server.close());

const set = (prefix: string, price: number, from = "") =>
  server.prices.set("retail", { prefix, price: String(price), from });
const imported = async (...lines: string[]) =>
  (await server.prices.import("retail", `prefix,price,from\n${lines.join("\n")}\n`)).changes;
const shown = (name = "retail") =>
  server.prices.show(name).lines.map(({ prefix, amount }) => `${prefix === "" ? "*" : prefix} ${amount}`);

test("the price of a prefix is told now and from a day on, by this prefix alone", async () => {
  await set("*", 500);
  await set("98912", 200);
  await set("98912", 250, "2026-12-01");
  const { prices } = server;
  expect(prices.priceOf("retail", "98912", "")).toBe(200);
  expect(prices.priceOf("retail", "+98912", "2026-11-30")).toBe(200);
  expect(prices.priceOf("retail", "98912", "2026-12-01")).toBe(250);
  expect(prices.priceOf("retail", "98912", "۱۴۰۵-۰۹-۱۰")).toBe(250);
  expect(prices.priceOf("retail", "98912", "2026-12-02T00:00:00Z")).toBe(250);
  // Days that are over and words that are no day: the price of now.
  expect(prices.priceOf("retail", "98912", "2020-01-01")).toBe(200);
  expect(prices.priceOf("retail", "98912", "soon")).toBe(200);
  expect(prices.priceOf("retail", "*", "")).toBe(500);
  expect(prices.priceOf("retail", "989", "")).toBeNull();
  expect(prices.priceOf("retail", "98x", "")).toBeNull();
  expect(prices.priceOf("wholesale", "98912", "")).toBeNull();
});

test("the price to a number is that of its longest prefix", async () => {
  await set("98912", 200);
  expect(server.prices.lineFor("retail", "+989121234567")).toMatchObject({ prefix: "98912", amount: 200 });
  expect(server.prices.lineFor("retail", "+15551234567")).toBeNull();
  expect(() => server.prices.lineFor("wholesale", "+989121234567")).toThrow("price_list_not_found");
});

test("only a coming price ends alone, by its day or its time", async () => {
  await set("98912", 200);
  await set("98912", 250, "2026-12-01");
  await set("98912", 260, "2026-12-02");
  const { prices } = server;
  const [, second, third] = prices.show("retail").lines;
  for (const from of ["2026-11-30", "2026-12-03", "2026-01-05", "soon", "2026-12-01T00:00:00Z"])
    await expect(prices.end("retail", "98912", from)).rejects.toMatchObject({ code: "price_not_found" });
  await expect(prices.end("retail", "98x", "")).rejects.toMatchObject({ code: "price_not_found" });
  await expect(prices.end("wholesale", "98912", "")).rejects.toMatchObject({ code: "price_list_not_found" });
  await prices.end("retail", "98912", new Date(third?.validFrom ?? 0).toISOString());
  expect(shown()).toEqual(["98912 200", "98912 250"]);
  expect(second?.validFrom).toBe(Date.parse("2026-12-01T00:00:00+03:30"));
  await prices.end("retail", "98912", "2026-12-01");
  expect(shown()).toEqual(["98912 200"]);
  await prices.end("retail", "98912", "");
  expect(shown()).toEqual([]);
});

test("a list that charges accounts keeps its price for every number, and may lose the others and the coming ones", async () => {
  await set("*", 500);
  await set("*", 600, "2026-12-01");
  await set("98912", 200);
  const { prices } = server;
  await prices.charge(1, { list: "retail", mode: "postpaid" });
  await expect(prices.end("retail", "*", "")).rejects.toMatchObject({ code: "price_list_charges" });
  await prices.end("retail", "*", "2026-12-01");
  await prices.end("retail", "98912", "");
  expect(shown()).toEqual(["* 500"]);
  expect(prices.accountsOf("retail")).toEqual(new Set([1]));
  expect(prices.show("retail").accounts).toEqual([{ accountId: 1, mode: "postpaid" }]);
  expect(prices.billingOf(1)).toEqual({ mode: "postpaid", list: "retail" });
  await prices.charge(1, null);
  expect(prices.billingOf(1)).toBeNull();
  expect(prices.accountsOf("retail")).toEqual(new Set());
});

test("unknown accounts, routes and lists are refused, and change nothing", async () => {
  await set("98912", 200);
  const { prices } = server;
  const by = { list: "retail", mode: "prepaid" } as const;
  expect(() => prices.billingOf(2)).toThrow("account_not_found");
  await expect(prices.charge(2, by)).rejects.toMatchObject({ code: "account_not_found" });
  await expect(prices.charge(2, null)).rejects.toMatchObject({ code: "account_not_found" });
  await expect(prices.charge(1, by)).rejects.toMatchObject({ code: "price_list_incomplete" });
  await expect(prices.charge(1, { ...by, list: "wholesale" })).rejects.toMatchObject({ code: "price_list_not_found" });
  await expect(prices.setCosts("nobody", "retail")).rejects.toMatchObject({ code: "route_not_found" });
  await expect(prices.setCosts("simulator", "wholesale")).rejects.toMatchObject({ code: "price_list_not_found" });
  expect(() => prices.accountsOf("wholesale")).toThrow("price_list_not_found");
  expect(prices.show("retail")).toMatchObject({ accounts: [], routes: [] });
  expect(prices.billingOf(1)).toBeNull();
});

test("a route has costs once it has a list", async () => {
  await set("98912", 200);
  const { prices } = server;
  const [name] = server.directory.routes().map((route) => route.name);
  if (name === undefined) throw new Error("There is no route");
  expect([prices.costListOf(name), prices.costOf(name, "+989121234567")]).toEqual([null, null]);
  await prices.setCosts(name, "retail");
  expect([prices.costListOf(name), prices.costOf(name, "+989121234567")]).toEqual(["retail", 200]);
  expect(prices.costOf(name, "+15551234567")).toBeNull();
  expect([prices.costListOf("nobody"), prices.costOf("nobody", "+989121234567")]).toEqual([null, null]);
  expect(prices.show("retail").routes).toEqual([name]);
  await prices.setCosts(name, null);
  expect(prices.costListOf(name)).toBeNull();
});

test("an import tells which prices it changed: the number of all, and the first hundred", async () => {
  expect(await imported("98912,200,", "98935,300,")).toEqual({ count: 0, first: [] });
  const now = server.clock.now();
  expect(await imported("98912,200,", "98935,310,", "98901,1,")).toEqual({
    count: 1,
    first: [{ prefix: "98935", validFrom: now, before: 300, after: 310 }],
  });
  const prefixes = Array.from({ length: 101 }, (_, index) => String(98_000 + index));
  expect(await imported(...prefixes.map((prefix) => `${prefix},1,`))).toMatchObject({ count: 0, first: [] });
  const changes = await imported(...prefixes.map((prefix) => `${prefix},2,`));
  expect(changes).toMatchObject({ count: 101, first: { length: 100 } });
  expect(changes.first.map(({ prefix }) => prefix)).toEqual(prefixes.slice(0, 100));
});

test("the version that an import replaced is removed", async () => {
  const { prices, store } = server;
  await imported("98912,200,");
  await prices.settled();
  await imported("98912,210,");
  await prices.settled();
  expect(store.tables.priceLists.versions()).toHaveLength(1);
  expect(shown()).toEqual(["98912 210"]);
});

test("a route that is removed takes its costs from no list", async () => {
  await set("*", 4);
  await server.call("POST", "/routes", { name: "second", kind: "simulator" });
  const { prices } = server;
  await prices.setCosts("second", "retail");
  expect(prices.show("retail").routes).toEqual(["second"]);
  await server.routes.remove("second");
  expect(prices.show("retail").routes).toEqual([]);
  expect([prices.costListOf("second"), prices.costOf("second", "+989121234567")]).toEqual([null, null]);
});
