/** Enables the rules of traffic before a cost row, so that their cost per message is measured. */
import { join } from "node:path";
import { PortedBuilder } from "../../src/store/ported-builder.ts";
import type { PeykProcess } from "../support/peyk-process.ts";

export interface RulesInUse {
  /** The first route of every target of a plan. */
  route: string;
  /** Numbers on the suppression list of all accounts; the load is sent to none of them. */
  suppressed: number;
}

/** For the bench's customer. */
export type UseRules = (peyk: PeykProcess, rules: RulesInUse) => Promise<void>;

/** The account is charged; it and its key have quotas. */
export const charge: UseRules = async (peyk) => {
  await peyk.operate("POST", "/prices/retail", { prefix: "*", price: "7" });
  await peyk.operate("POST", "/prices/retail", { prefix: "98912", price: "5" });
  await peyk.operate("PUT", "/accounts/acc_1/billing", { list: "retail", mode: "prepaid" });
  await peyk.operate("POST", "/accounts/acc_1/topup", { amount: 1e12 });
  for (const of of ["acc_1", "key_1"]) await peyk.operate("PUT", `/quotas/${of}`, { day: 1e12, month: 1e12 });
};

/** The sender uses a plan whose last rule, which shares by weight, takes the messages. */
async function planOf(peyk: PeykProcess, route: string, passedOver: readonly object[]): Promise<void> {
  const spare = "spare";
  await peyk.operate("POST", "/routes", { name: spare, kind: "simulator" });
  await peyk.operate("POST", `/routes/${spare}/disable`);
  const targets = [
    { routes: [route], weight: 70 },
    { routes: [route, spare], weight: 30 },
  ];
  await peyk.operate("POST", "/plans", { name: "bench" });
  for (const match of [...passedOver, {}]) await peyk.operate("POST", "/plans/bench/rules", { ...match, targets });
  await peyk.operate("PATCH", "/accounts/acc_1/senders/30001234", { plan: "bench" });
}

export const plan: UseRules = (peyk, { route }) =>
  planOf(peyk, route, [{ countries: ["TR"] }, { ranges: ["+98935", "+98990"] }, { networks: ["Rightel"] }]);

/** As many for a small bench as for a large one. */
export const portedCount = (suppressed: number): number => 10 * suppressed;

/** The even ones of +98912, to which the load is sent, and of +98935. */
export const portedNumberAt = (index: number): number =>
  (index % 2 === 0 ? 989_120_000_000 : 989_350_000_000) + 2 * (Math.floor(index / 2) % 5_000_000);

/** A table of numbers that moved to another network. */
export const ported: UseRules = async (peyk, { suppressed }) => {
  const builder = new PortedBuilder(peyk.folder);
  for (let index = 0; index < portedCount(suppressed); index += 1) builder.add(portedNumberAt(index), index % 2);
  const built = builder.finish(["Irancell", "Rightel"]);
  builder.close();
  if (!("sum" in built)) throw new Error("A number has two networks");
  await peyk.operate("POST", "/ported-numbers", { sum: built.sum });
};

const planRules = 50;

/** A plan of 50 rules, a full suppression list that stops every class, prices of accounts and routes, a balance and quotas. */
export const everyRule: UseRules = async (peyk, { route, suppressed }) => {
  const passedOver = Array.from({ length: planRules - 1 }, (_, index) => ({ ranges: [`+98935${100 + index}`] }));
  await planOf(peyk, route, passedOver);
  await charge(peyk, { route, suppressed });
  await peyk.operate("POST", "/prices/costs", { prefix: "*", price: "3" });
  await peyk.operate("PUT", `/routes/${route}/costs`, { list: "costs" });
  await peyk.operate("PATCH", "/accounts/acc_1", { suppression: "all" });
  await suppress(peyk, suppressed);
};

async function suppress(peyk: PeykProcess, count: number): Promise<void> {
  const lines = Array.from(
    { length: count },
    (_, index) => `0935${String((index * 7_919) % 10_000_000).padStart(7, "0")}`,
  );
  const answer = await fetch("http://localhost/suppressions/import", {
    method: "POST",
    unix: join(peyk.folder, "peyk.sock"),
    body: `mobile\n${lines.join("\n")}\n`,
  });
  // An answer in lines: the last one tells the result.
  const end = (await answer.text()).trim().split("\n").at(-1) ?? "";
  if (!answer.ok || !end.includes(`${count}`)) throw new Error(`The list was not imported: ${end}`);
}
