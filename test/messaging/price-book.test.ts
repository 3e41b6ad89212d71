/** Prices in memory by themselves: what is known of lists, accounts and routes, and what is not. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { PriceBook } from "../../src/messaging/billing/price-book.ts";
import type { PriceListRow } from "../../src/store/price-lists.ts";
import { createOperatorServer, type OperatorServer } from "../support/operator.ts";

let server: OperatorServer;
let retail: PriceListRow;
let costs: PriceListRow;
let book: PriceBook;

beforeEach(async () => {
  server = await createOperatorServer();
  for (const name of ["Clinic", "School"]) await server.call("POST", "/accounts", { name });
  await server.store.write(({ priceLists }) => {
    const at = { now: server.clock.now(), currency: "IRR" };
    retail = priceLists.use("retail", priceLists.unusedVersion(), at);
    priceLists.put({ versionId: retail.versionId, prefix: "98", validFrom: 0, amount: 100 });
    costs = priceLists.use("costs", priceLists.unusedVersion(), at);
    priceLists.put({ versionId: costs.versionId, prefix: "", validFrom: 0, amount: 60 });
    priceLists.bill(1, { mode: "prepaid", listId: retail.id });
    priceLists.setCosts(1, costs.id);
  });
  book = new PriceBook(server.store.tables);
});
afterEach(() => server.close());

const number = "+989121234567";
const lineOf = (prefix: string, amount: number, validFrom = 0) => ({ prefix, amount, validFrom });

test("lists are sorted by name and found by it, and an unknown one has no name, no prices and no users", () => {
  expect(book.lists().map(({ name }) => name)).toEqual(["costs", "retail"]);
  expect([book.list("retail")?.id, book.list("wholesale")]).toEqual([retail.id, null]);
  expect([book.nameOf(costs.id), book.nameOf(9)]).toEqual(["costs", ""]);
  expect(book.pricesOf(9).lineFor(number, 1)).toBeNull();
  expect(book.chargedBy(9)).toEqual([]);
});

test("an account without a list sends free of charge, and a route without one costs nobody knows what", () => {
  expect([book.billingOf(1), book.billingOf(2)]).toEqual([{ mode: "prepaid", listId: retail.id }, null]);
  expect([book.priceFor(1, number, 1)?.amount, book.priceFor(2, number, 1)]).toEqual([100, null]);
  // A number that the list does not price.
  expect(book.priceFor(1, "+447700900123", 1)).toBeNull();
  expect([book.costListOf(1), book.costListOf(2)]).toEqual([costs.id, null]);
  expect([book.costFor(1, number, 1), book.costFor(2, number, 1)]).toEqual([60, null]);
  expect(book.chargedBy(retail.id)).toEqual([{ accountId: 1, mode: "prepaid" }]);
  expect(book.chargedBy(costs.id)).toEqual([]);
});

test("prices that are added and ended count at once, also in a list that is new", () => {
  book.putLine(retail, lineOf("98912", 200, 10));
  expect([9, 10].map((at) => book.priceFor(1, number, at)?.amount)).toEqual([100, 200]);
  book.endLines(retail, "98912", 10);
  expect(book.priceFor(1, number, 10)?.amount).toBe(100);
  const other = { ...retail, id: 9, name: "new" };
  book.endLines(other, "98", 0);
  expect(book.list("new")).toBeNull();
  book.putLine(other, lineOf("", 7));
  expect(book.lists().map(({ name }) => name)).toEqual(["costs", "new", "retail"]);
  expect([book.list("new")?.id, book.pricesOf(9).lineFor(number, 1)?.amount]).toEqual([9, 7]);
});

test("who uses which list is loaded anew", async () => {
  await server.store.write(({ priceLists }) => {
    priceLists.bill(1, null);
    priceLists.bill(2, { mode: "postpaid", listId: retail.id });
    priceLists.setCosts(1, null);
  });
  book.putUses(server.store.tables);
  expect([book.billingOf(1), book.billingOf(2)?.mode, book.costListOf(1)]).toEqual([null, "postpaid", null]);
});
