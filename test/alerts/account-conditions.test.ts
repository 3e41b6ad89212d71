/** What accounts may still send: quotas and balances that come to their end. */
import { expect, test } from "bun:test";
import { accountConditions } from "../../src/alerts/account-conditions.ts";
import { MetricSamples } from "../../src/alerts/metric-samples.ts";

async function found(name: string, deps: Partial<Parameters<typeof accountConditions>[0]>): Promise<string[]> {
  const conditions = accountConditions({ quotas: () => [], balances: () => [], ...deps });
  const one = conditions.find((each) => each.name === name);
  return ((await one?.find(new MetricSamples(), 0)) ?? []).map(({ subject, words }) => `${subject}: ${words}`);
}

test("each quota that is nearly used up is an alert of its own", async () => {
  const use = { of: "acc_1", partsUsed: 80, partsMax: 100 };
  const quotas = () => [
    { ...use, period: "day" },
    { ...use, period: "month" },
  ];
  expect(await found("QuotaNearlyUsed", { quotas })).toEqual([
    "acc_1 day: The quota of acc_1 is nearly used up: 80 of 100 parts of its day",
    "acc_1 month: The quota of acc_1 is nearly used up: 80 of 100 parts of its month",
  ]);
});

test("a prepaid account is told of when a day's spending is no longer there, and when nothing is", async () => {
  const account = { account: "acc_1", name: "Clinic" };
  const low = (available: number, spent: number) =>
    found("BalanceLow", { balances: () => [{ ...account, available, spent }] });
  expect(await low(100, 100)).toEqual([]);
  expect(await low(5, 0)).toEqual([]);
  expect(await low(99, 100)).toEqual(["acc_1: Clinic (acc_1) has less left to spend than it spent in a day"]);
  expect(await low(0, 0)).toEqual(["acc_1: Clinic (acc_1) has nothing left to spend"]);
});
