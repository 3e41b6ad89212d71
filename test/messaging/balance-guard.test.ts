/** The guard of balances by itself: whom it limits, what it reserves and gives back, and what it explains. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { BalanceGuard } from "../../src/messaging/billing/balance-guard.ts";
import { Demand } from "../../src/messaging/rules/traffic-rules.ts";
import { callerAt } from "../support/caller.ts";
import { createOperatorServer, type OperatorServer } from "../support/operator.ts";

let server: OperatorServer;
let guard: BalanceGuard;
/** The first is prepaid and has 100, the second is postpaid, the third sends free of charge. */
const modes = { 1: "prepaid", 2: "postpaid" } as const;

beforeEach(async () => {
  server = await createOperatorServer();
  for (const name of ["Clinic", "School", "Library"]) await server.call("POST", "/accounts", { name });
  await server.call("POST", "/accounts/1/topup", { amount: 100 });
  guard = new BalanceGuard({
    book: {
      billingOf: (accountId) =>
        accountId === 1 || accountId === 2 ? { accountId, mode: modes[accountId], listId: 1 } : null,
    },
    ledger: server.store.tables.ledger,
    currency: "USD",
  });
});
afterEach(() => server.close());

const payer = (accountId = 1) => callerAt(server.clock.now(), accountId);
function demand(price: number): Demand {
  const demand = Demand.ofMessages(1);
  demand.price = price;
  return demand;
}
const reserve = (price: number, by = payer()) =>
  server.store.write((tables) => guard.reserve(tables, by, demand(price)));
const giveBack = (price: number, by = payer()) =>
  server.store.write((tables) => guard.giveBack(tables, by, demand(price)));
const left = (accountId = 1) => server.store.tables.ledger.availableOf(accountId);
const lines = (accountId = 1) => server.store.tables.ledger.page(accountId, null, 10).map(({ kind }) => kind);

test("only a prepaid account is limited", () => {
  expect([1, 2, 3].map((accountId) => guard.isLimiting(payer(accountId)))).toEqual([true, false, false]);
});

test("a request is refused beyond the balance, before its transaction and in it, and one without a price never", async () => {
  guard.check(payer(), demand(100));
  expect(() => guard.check(payer(), demand(101))).toThrow("balance");
  await expect(reserve(101)).rejects.toThrow("balance");
  await reserve(100);
  expect(left()).toBe(0);
  // The price rose meanwhile.
  await server.store.write((tables) => tables.ledger.reserve(1, 1));
  expect(left()).toBe(-1);
  guard.check(payer(), demand(0));
  await reserve(0);
  expect(() => guard.check(payer(), demand(1))).toThrow("balance");
  guard.check(payer(2), demand(1_000));
  await reserve(1_000, payer(2));
  expect(left(2)).toBe(-1_000);
});

test("what was never sent is given back, and nothing makes no line", async () => {
  await reserve(60);
  await giveBack(40);
  expect(left()).toBe(80);
  const before = lines();
  await giveBack(0);
  expect(lines()).toEqual(before);
});

test("it explains what a prepaid account has left, where something is to be paid", async () => {
  await reserve(30);
  const words = "The account is prepaid and has 0.70 USD left to spend.";
  expect(guard.explain(payer(), demand(1))).toEqual([{ rule: "balance", words }]);
  expect(guard.explain(payer(), demand(0))).toEqual([]);
  expect(guard.explain(payer(2), demand(1))).toEqual([]);
});
