/** kill -9 under load: no parts beyond a quota, and money that agrees with the messages after every crash. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { moneyIn } from "../support/money.ts";
import { type Customer, eventually, PeykProcess, rowsIn } from "../support/peyk-process.ts";
import { temporaryFolder } from "../support/test-server.ts";

const rounds = 10;
const clients = 8;
const partsMax = 1_000_000;

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

const numberOf = (sql: string) => rowsIn<{ n: number }>(folder.path, `SELECT ${sql} AS n`)[0]?.n ?? -1;

/** Delivered, refused, undelivered: the simulator uses the last two digits. A submit that a crash cuts off gets no answer. */
const endings = ["10", "02", "01"];

async function sendUntilGone(peyk: PeykProcess, customer: Customer, name: string): Promise<void> {
  for (let count = 0; ; count += 1) {
    const recipient = `091212345${endings[count % endings.length]}`;
    try {
      await peyk.send(customer, { key: `${name}-${count}`, recipient });
    } catch {
      return;
    }
  }
}

function expectExact(): void {
  const { balances, charged, isWhole } = moneyIn(folder.path, 1);
  expect(balances.last).toEqual(balances.byMessages);
  expect(balances.byLines).toEqual(balances.byMessages);
  expect(charged.charges).toBe(charged.ledger);
  expect(isWhole).toBe(true);
  expect(numberOf("(SELECT parts_used FROM quota)")).toBe(numberOf("(SELECT sum(part_count) FROM message)"));
}

test(
  "balance and quota are exact after each of ten kills, and at the end",
  async () => {
    let peyk = await PeykProcess.start({ folder: folder.path });
    const customer = await peyk.customer();
    await peyk.operate("POST", "/prices/retail", { prefix: "*", price: "7" });
    await peyk.operate("PUT", "/accounts/acc_1/billing", { list: "retail", mode: "prepaid" });
    await peyk.operate("POST", "/accounts/acc_1/topup", { amount: partsMax });
    await peyk.operate("PUT", "/quotas/acc_1", { month: partsMax });
    for (let round = 0; round < rounds; round += 1) {
      const load = Array.from({ length: clients }, (_, client) => sendUntilGone(peyk, customer, `${round}-${client}`));
      await Bun.sleep(50 + Math.random() * 250);
      await peyk.kill();
      await Promise.all(load);
      expectExact();
      peyk = await PeykProcess.start({ folder: folder.path });
    }
    const open = "(SELECT count(*) FROM message WHERE cost IS NULL AND state NOT IN ('failed', 'cancelled'))";
    await eventually(() => numberOf(open) === 0, 60_000);
    expect(await peyk.stop()).toBe(0);
    expectExact();
    expect(moneyIn(folder.path, 1).balances.last.reserved).toBe(0);
    expect(numberOf("(SELECT count(*) FROM message)")).toBeGreaterThan(rounds);
  },
  { timeout: 180_000 },
);
