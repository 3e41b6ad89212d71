/** An account's money as operators enter it and read it, without command line or HTTP. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { applyOutcome } from "../../src/dispatch/submit-outcome.ts";
import { LocalCalendar } from "../../src/domain/local-calendar.ts";
import { networkSources } from "../../src/domain/network-source.ts";
import { defaultUncertainPolicy } from "../../src/domain/uncertain-policy.ts";
import { createOperatorServer, type OperatorServer } from "../support/operator.ts";

let server: OperatorServer;
beforeEach(async () => {
  server = await createOperatorServer();
  for (const name of ["Clinic", "School"]) await server.call("POST", "/accounts", { name });
});
afterEach(() => server.close());

let stored = 0;

/** A message with a reserved price that is handed over at once. */
async function sent(network: number, source: keyof typeof networkSources): Promise<void> {
  stored += 1;
  const networkSource = networkSources[source];
  const trackingCode = await server.storeMessage({ trackingCode: `M${stored}`, price: 30, network, networkSource });
  const now = server.clock.now();
  const context = { routeId: 1, routeCount: 1, policy: defaultUncertainPolicy, now, jitter: 0, firstQueryAt: null };
  await server.store.write((tables) => {
    tables.ledger.reserve(1, 30);
    const row = tables.messages.byCodeAnywhere(trackingCode);
    const claimed = row && tables.messages.move(row, { to: "submitting", at: now, routeId: 1, attempts: 1 });
    if (claimed === null) throw new Error("not claimed");
    applyOutcome(tables, claimed, { kind: "accepted", partIds: ["1"] }, context);
  });
}

const entry = (amount: number, reference: string | null = null) => ({ amount, note: null, actor: "ali", reference });

test("money under a reference is entered once, and without one each time", async () => {
  const { balances } = server;
  expect(await balances.topUp(1, entry(100))).toMatchObject({ balance: { settled: 100 }, duplicate: false });
  expect(await balances.topUp(1, entry(100))).toMatchObject({ balance: { settled: 200 }, duplicate: false });
  expect(await balances.topUp(1, entry(50, "7"))).toMatchObject({ balance: { settled: 250 }, duplicate: false });
  expect(await balances.topUp(1, entry(50, "7"))).toMatchObject({ balance: { settled: 250 }, duplicate: true });
  await expect(balances.topUp(1, entry(51, "7"))).rejects.toMatchObject({ code: "reference_taken" });
  await expect(balances.correct(1, entry(50, "7"))).rejects.toMatchObject({ code: "reference_taken" });
  // Another account's references are its own.
  expect(await balances.correct(2, entry(-50, "7"))).toMatchObject({ balance: { settled: -50 }, duplicate: false });
  expect(balances.balanceOf(1)).toMatchObject({ settled: 250, reserved: 0 });
  const lines = balances.ledger(1, null, 10);
  expect(lines.map(({ kind, amount, reference }) => [kind, amount, reference])).toEqual([
    ["topup", 50, "7"],
    ["topup", 100, null],
    ["topup", 100, null],
  ]);
  expect(balances.ledger(1, lines[0]?.number ?? 0, 1)).toMatchObject([{ amount: 100, number: lines[1]?.number }]);
});

test("an unknown account has no money", async () => {
  const { balances, clock } = server;
  const calendar = new LocalCalendar("Asia/Tehran");
  expect(() => balances.balanceOf(3)).toThrow("account_not_found");
  expect(() => balances.ledger(3, null, 10)).toThrow("account_not_found");
  expect(() => balances.statement(3, calendar.month(clock.now()), calendar, "day")).toThrow("account_not_found");
  await expect(balances.topUp(3, entry(1))).rejects.toMatchObject({ code: "account_not_found" });
  await expect(balances.correct(3, entry(1))).rejects.toMatchObject({ code: "account_not_found" });
});

test("a month by network tells whose network the table of ported numbers named, and whose a look-up", async () => {
  const { balances, clock } = server;
  const calendar = new LocalCalendar("Asia/Tehran");
  const month = calendar.month(clock.now());
  await server.call("POST", "/accounts/1/senders", { sender: "30001" });
  await balances.topUp(1, entry(1_000));
  await balances.correct(1, entry(-100));
  for (const source of ["prefix", "ported", "ported", "lookup"] as const) await sent(1, source);
  await sent(2, "lookup");
  const statement = await balances.statement(1, month, calendar, "network");
  expect(statement).toMatchObject({ opening: 0, topUps: 1_000, corrections: -100, closing: 750 });
  expect(statement.charged).toEqual({ messages: 5, parts: 5, price: 150, cost: 0, byTable: 2, byLookup: 2 });
  expect(statement.rows.toSorted((a, b) => b.messages - a.messages)).toEqual([
    { of: 1, messages: 4, parts: 4, price: 120, cost: 0, byTable: 2, byLookup: 1 },
    { of: 2, messages: 1, parts: 1, price: 30, cost: 0, byTable: 0, byLookup: 1 },
  ]);
  const { startsAt, endsAt } = calendar.day(clock.now());
  expect(balances.charges(1, startsAt, endsAt)).toHaveLength(2);
  expect(balances.charges(1, endsAt, month.endsAt)).toEqual([]);
  expect(balances.chargeSums(1, 3, startsAt, endsAt)).toMatchObject([{ accountId: 1, ...statement.charged }]);
  expect(balances.chargeSums(2, 3, startsAt, endsAt)).toEqual([]);
  // The month ends before the first message of the next.
  await clock.advance(month.endsAt - clock.now());
  await sent(1, "prefix");
  expect((await balances.statement(1, month, calendar, "network")).charged).toEqual(statement.charged);
});
