/** Prices, balances, ledger and reports by the command line. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expire } from "../../src/dispatch/claim.ts";
import { applyOutcome } from "../../src/dispatch/submit-outcome.ts";
import { messageClasses } from "../../src/domain/message.ts";
import { amountInCurrency, amountText } from "../../src/domain/money-text.ts";
import { defaultUncertainPolicy } from "../../src/domain/uncertain-policy.ts";
import { callerAt } from "../support/caller.ts";
import { type CliRun, runCli } from "../support/cli.ts";
import { createOperatorServer, type OperatorServer } from "../support/operator.ts";

let server: OperatorServer;
beforeEach(async () => {
  server = await createOperatorServer();
  await server.call("POST", "/accounts", { name: "Clinic" });
  await server.call("POST", "/accounts/1/senders", { sender: "30001" });
});
afterEach(() => server.close());

const peyk = (...argv: string[]): Promise<CliRun> => runCli([...argv, "--data-dir", server.folder]);
const json = async (...argv: string[]) => {
  const run = await peyk(...argv, "--json");
  expect(run).toMatchObject({ code: 0, err: "" });
  return JSON.parse(run.out);
};

function fileOf(...lines: string[]): string {
  const path = join(server.folder, "prices.csv");
  writeFileSync(path, `${lines.join("\n")}\n`);
  return path;
}

let stored = 0;

/** Stores a message as acceptance would, reserves its price, and hands it over unless told. */
async function sent(
  price: number | null,
  options: { handedOver?: boolean; partCount?: number; routeId?: number } = {},
): Promise<void> {
  const { handedOver = true, partCount = 1, routeId = 1 } = options;
  stored += 1;
  const trackingCode = await server.storeMessage({ trackingCode: `M${stored}`, price, partCount });
  await server.store.write((tables) => {
    const now = server.clock.now();
    if (price !== null) tables.ledger.reserve(1, price);
    const row = tables.messages.byCodeAnywhere(trackingCode);
    if (!handedOver || row === null) return;
    const claimed = tables.messages.move(row, { to: "submitting", at: now, routeId, attempts: 1 });
    if (claimed === null) throw new Error("not claimed");
    const context = { routeId, routeCount: 1, policy: defaultUncertainPolicy, now, jitter: 0, firstQueryAt: null };
    applyOutcome(tables, claimed, { kind: "accepted", partIds: ["1"] }, context);
  });
}

test("prices are set, imported and shown, with past prices separate from future ones", async () => {
  expect((await peyk("price", "list")).out).toContain("There is no price list");
  await peyk("price", "set", "retail", "--prefix", "*", "--price", "1200");
  await server.clock.advance(1_000);
  await peyk("price", "set", "retail", "--prefix", "*", "--price", "1300");
  const file = fileOf("prefix,price,from", "98912,900,2026-03-01", "+98935,850,");
  expect((await peyk("price", "import", "retail", "--csv", file)).out).toBe(
    "2 prices were written into retail, which has 4 now.\n",
  );
  const { out } = await peyk("price", "show", "retail");
  expect(out).toMatch(
    /^PREFIX +IRR +FROM +STATE\n\* +1200 .* over\n\* +1300 .* valid\n98912 +900 +2026-02-28 20:30:00Z +later\n98935 +850/,
  );
});

test("a price file with a wrong line changes nothing, and each wrong line is named", async () => {
  const file = fileOf("prefix,price,from", "98912,900,", "98912,800,", "98935,9,2026-01-04");
  const run = await peyk("price", "import", "retail", "--csv", file);
  expect(run.code).toBe(1);
  expect(run.err).toContain("line 3: 98912 has a price from the same day in line 2\n");
  expect(run.err).toContain("line 4: the price begins on 2026-01-04, which is over");
  expect(await json("price", "list")).toEqual([]);
  const yesterday = await peyk("price", "set", "retail", "--prefix", "98", "--price", "1", "--from", "2026-01-04");
  expect(yesterday.err).toContain(
    "the price begins on 2026-01-04, which is over: messages since then have their price already",
  );
});

test("an account can be charged only by a list with a price for every number", async () => {
  await peyk("price", "set", "retail", "--prefix", "98", "--price", "10");
  const assign = (...argv: string[]) => peyk("price", "assign", "retail", "--account", "acc_1", ...argv);
  expect((await assign("--billing", "prepaid")).err).toContain("The list has no price for every number yet.");
  await peyk("price", "set", "retail", "--prefix", "*", "--price", "500");
  expect((await assign("--billing", "prepaid")).out).toBe("acc_1 is charged by retail, prepaid.\n");
  expect(await assign()).toMatchObject({ code: 2 });
  expect((await peyk("price", "assign", "none", "--route", "simulator")).err).toContain("There is no such price list.");
  await peyk("price", "assign", "retail", "--route", "simulator");
  expect(await json("price", "list")).toMatchObject([
    { name: "retail", accounts: [{ account: "acc_1", billing: "prepaid" }], routes: ["simulator"] },
  ]);
  expect((await peyk("status")).out).toContain("! Clinic (acc_1) has nothing left to spend");
  expect((await peyk("price", "unassign", "--account", "acc_1")).out).toBe("acc_1 sends free of charge.\n");
  await peyk("price", "unassign", "--route", "simulator");
  expect(await json("price", "list")).toMatchObject([{ accounts: [], routes: [] }]);
});

test("an ended price gives way to the next shorter prefix, and a list in use keeps a price for every number", async () => {
  await peyk("price", "set", "retail", "--prefix", "*", "--price", "500");
  await peyk("price", "set", "retail", "--prefix", "989", "--price", "300");
  await peyk("price", "set", "retail", "--prefix", "98912", "--price", "200");
  await peyk("price", "set", "retail", "--prefix", "98912", "--price", "250", "--from", "2026-12-01");
  // The 11th of Azar is the 2nd of December.
  const persian = await peyk("price", "set", "retail", "--prefix", "98912", "--price", "260", "--from", "1405-09-11");
  expect(persian.out).toMatch(/98912 +260 +2026-12-0[12]/);
  await peyk("price", "assign", "retail", "--route", "simulator");
  const end = (...argv: string[]) => peyk("price", "end", "retail", ...argv);
  const prices = async () => {
    const { lines }: { lines: { prefix: string; price: number }[] } = JSON.parse(
      (await peyk("price", "show", "retail", "--json")).out,
    );
    return lines.map(({ prefix, price }) => `${prefix} ${price}`);
  };
  expect((await end("--prefix", "98912", "--from", "2026-12-01")).code).toBe(0);
  expect(await prices()).toEqual(["* 500", "989 300", "98912 200", "98912 260"]);
  expect((await end("--prefix", "98912", "--from", "2026-12-01")).err).toContain("The list has no such price.");
  expect((await end("--prefix", "98912", "--from", "2026-01-05")).code).toBe(1);
  expect(server.prices.costOf("simulator", "+989121234567")).toBe(200);
  expect((await end("--prefix", "+98912")).code).toBe(0);
  expect(server.prices.costOf("simulator", "+989121234567")).toBe(300);
  expect(await prices()).toEqual(["* 500", "989 300"]);
  expect((await end("--prefix", "98912")).err).toContain("The list has no such price.");
  await peyk("price", "assign", "retail", "--account", "acc_1", "--billing", "prepaid");
  expect((await end("--prefix", "*")).err).toContain(
    "Accounts are charged by the list, so it keeps a price for every number.",
  );
  await peyk("price", "unassign", "--account", "acc_1");
  expect((await end("--prefix", "*")).code).toBe(0);
  expect(server.prices.costOf("simulator", "+15551234567")).toBeNull();
  expect(server.store.tables.priceLists.linesOf(1)).toMatchObject([{ prefix: "989", amount: 300 }]);
});

test("money comes in by top-ups and goes with messages, and each line shows the balance", async () => {
  await peyk("account", "topup", "acc_1", "--amount", "1000", "--note", "invoice 7");
  await server.clock.advance(60_000);
  await sent(30);
  await sent(20, { handedOver: false });
  await peyk("account", "correct", "acc_1", "--amount=-100", "--note", "twice");
  expect(await json("account", "balance", "acc_1")).toEqual({
    account: "acc_1",
    currency: "IRR",
    billing: "free",
    settled: 870,
    reserved: 20,
    available: 850,
  });
  const first = await json("account", "ledger", "acc_1", "--limit", "2");
  const rest = await json("account", "ledger", "acc_1", "--cursor", first.nextCursor);
  const shown = [...first.lines, ...rest.lines].map(({ number, kind, settledAfter }) => [number, kind, settledAfter]);
  expect(shown).toEqual([
    [4, "correction", 870],
    [3, "messages", 970],
    [2, "messages", 970],
    [1, "topup", 1000],
  ]);
  const correct = (amount: string) => peyk("account", "correct", "acc_1", `--amount=${amount}`, "--note", "x");
  for (const wrong of ["0", "-0", "1000000000001", "-1000000000001", "--5", "1.5"]) {
    const bounds = "--amount must be a whole number from -1000000000000 to 1000000000000 other than 0";
    expect((await correct(wrong)).err).toBe(`peyk: ${bounds}, not "${wrong}".\n`);
  }
  expect([(await correct("-1000000000000")).code, (await correct("+1000000000000")).code]).toEqual([0, 0]);
  expect((await peyk("account", "topup", "acc_9", "--amount", "1")).err).toContain("There is no such account.");
});

test("an amount is printed as in the console, with the digits of its currency", () => {
  expect([5_000, 7, -75, 0].map((amount) => amountInCurrency(amount, "USD"))).toEqual([
    "50.00 USD",
    "0.07 USD",
    "-0.75 USD",
    "0.00 USD",
  ]);
  expect(["IRR", "JPY", "KWD"].map((currency) => amountText(-12_345, currency))).toEqual([
    "-12345",
    "-12345",
    "-12.345",
  ]);
  expect(amountInCurrency(999_999_999_999_999, "EUR")).toBe("9999999999999.99 EUR");
});

test("an entry with a reference is made once, even if requested twice at the same time", async () => {
  const topUp = (amount: string) => peyk("account", "topup", "acc_1", "--amount", amount, "--reference", "invoice-7");
  const runs = await Promise.all([topUp("1000"), topUp("1000")]);
  const repeats = runs.filter(({ out }) => out.startsWith("It was entered before under this reference"));
  expect(repeats).toHaveLength(1);
  expect((await topUp("2000")).err).toContain("The account has another top-up or correction of this reference.");
  expect(await json("account", "balance", "acc_1")).toMatchObject({ settled: 1000 });
  expect((await json("account", "ledger", "acc_1")).lines).toMatchObject([{ kind: "topup", reference: "invoice-7" }]);
});

test("another amount or kind under a used reference is refused, and entries without one are made each time", async () => {
  const enter = (verb: string, amount: string, ...more: string[]) =>
    peyk("account", verb, "acc_1", "--amount", amount, ...more);
  const note = ["--note", "typed twice"];
  expect((await enter("topup", "1000", "--reference", "invoice-7")).out).not.toContain("before");
  expect((await enter("correct", "1000", "--reference", "invoice-7", ...note)).err).toContain("of this reference");
  for (const _ of [1, 2]) expect((await enter("topup", "10")).out).not.toContain("before");
  expect((await enter("correct", "-20", ...note)).code).toBe(0);
  expect(await json("account", "balance", "acc_1")).toMatchObject({ settled: 1000 });
});

test("the money of an account that does not exist is refused, whatever is asked", async () => {
  const refused = "There is no such account.";
  for (const argv of [
    ["topup", "acc_9", "--amount", "10"],
    ["correct", "acc_9", "--amount", "10", "--note", "x"],
    ["balance", "acc_9"],
    ["ledger", "acc_9"],
  ])
    expect([argv[0], (await peyk("account", ...argv)).err]).toEqual([argv[0], expect.stringContaining(refused)]);
  const statement = await peyk("report", "statement", "--account", "acc_9", "--month", "2026-01");
  expect(statement.err).toContain(refused);
});

test("a month's usage and statement are shown in the requested grouping", async () => {
  await peyk("price", "set", "wholesale", "--prefix", "*", "--price", "4");
  await peyk("price", "assign", "wholesale", "--route", "simulator");
  await peyk("account", "topup", "acc_1", "--amount", "1000");
  await sent(30, { partCount: 3 });
  await sent(null);
  await sent(20, { handedOver: false, partCount: 2 });
  const usage = await json("report", "usage", "--account", "acc_1", "--by", "sender");
  expect(usage).toMatchObject({ month: "2026-01", timeZone: "Asia/Tehran", messages: 3, parts: 6 });
  expect(usage.rows).toMatchObject([{ of: "30001", messages: 3, sent: 2, waiting: 1 }]);
  const statement = await json("report", "statement", "--account", "acc_1", "--month", "2026-01", "--by", "route");
  expect(statement).toMatchObject({
    opening: 0,
    topUps: 1000,
    corrections: 0,
    closing: 970,
    charged: { messages: 2, parts: 4, price: 30, cost: 16, margin: 14 },
    rows: [{ of: "simulator", messages: 2, parts: 4, price: 30, cost: 16, margin: 14 }],
  });
  expect((await peyk("report", "statement", "--account", "acc_1", "--month", "1404-10", "--csv")).out).toBe(
    "day,messages,parts,price,cost,margin\r\n1404-10-15,2,4,30,16,14\r\n",
  );
  expect((await peyk("report", "statement", "--account", "acc_1")).out).toMatch(
    /Charged +-30 IRR for 2 messages, 4 parts/,
  );
  expect(await json("report", "usage", "--account", "acc_1", "--month", "۱۴۰۴-۱۰")).toMatchObject({ month: "1404-10" });
  expect(await json("report", "statement", "--account", "acc_1", "--month", "2025-12")).toMatchObject({
    closing: 0,
    rows: [],
  });
  expect((await peyk("report", "usage", "--account", "acc_1", "--month", "2026-13")).err).toContain("is no month");
});

test("a month's usage and statement have one row for a route that was removed and added again", async () => {
  for (const _ of ["first", "again"]) {
    const { id } = await server.routes.add("far", "simulator", {});
    await sent(30, { partCount: 2, routeId: id });
    await peyk("route", "remove", "far");
  }
  const month = (name: string) => json("report", name, "--account", "acc_1", "--by", "route");
  expect((await month("usage")).rows).toMatchObject([{ of: "far", messages: 2, parts: 4, sent: 2, failed: 0 }]);
  expect((await month("statement")).rows).toMatchObject([{ of: "far", messages: 2, parts: 4, price: 60, cost: 0 }]);
});

test("a statement adds up while messages are being handed over", async () => {
  await peyk("account", "topup", "acc_1", "--amount", "100000");
  await sent(700);
  let isOver = false;
  const statement = json("report", "statement", "--account", "acc_1").finally(() => {
    isOver = true;
  });
  for (let more = 0; !isOver && more < 100; more += 1) await sent(700);
  const { opening, topUps, corrections, charged, closing } = await statement;
  expect(opening + topUps + corrections - charged.price).toBe(closing);
});

test("a customer reads its own money and months, and nothing of what carriers charge", async () => {
  await server.call("POST", "/accounts", { name: "Another" });
  await peyk("price", "set", "wholesale", "--prefix", "*", "--price", "4");
  await peyk("price", "assign", "wholesale", "--route", "simulator");
  await peyk("account", "topup", "acc_1", "--amount", "1000");
  await sent(30);
  const customer = { actor: "clinic", origin: "console 127.0.0.1", role: "customer", accountId: 1, userId: 1 } as const;
  const ask = (path: string) => server.askAs(customer, "GET", `/accounts/${path}`);
  expect((await ask("acc_1/statement?by=sender")).body).toMatchObject({
    closing: 970,
    charged: { price: 30, cost: null, margin: null },
    rows: [{ of: "30001", price: 30, cost: null, margin: null }],
  });
  expect((await ask("acc_1/ledger")).body).toMatchObject({
    lines: expect.arrayContaining([expect.objectContaining({ kind: "topup", amount: 1000, actor: null })]),
  });
  expect((await ask("acc_1/usage")).body).toMatchObject({ messages: 1 });
  expect((await ask("acc_1/balance")).body).toMatchObject({ available: 970 });
  for (const path of [
    "acc_1/statement?by=route",
    "acc_1/usage?by=route",
    "acc_1/billing",
    "acc_2/balance",
    "acc_2/usage",
  ])
    expect((await ask(path)).status).toBe(404);
});

let requests = 0;

/** Accepts a message by one of the account's keys. */
async function accepted(apiKeyId: number): Promise<string> {
  requests += 1;
  const request = { key: `request-${requests}`, operation: "POST /v1/messages", payloadHash: new Uint8Array(32) };
  const draft = { sender: "30001", recipient: "+989121234567", text: "Hello", clientReference: null, sendAt: null };
  const single = { ...draft, class: messageClasses.single };
  const { results } = await server.acceptor.accept(callerAt(server.clock.now(), 1, apiKeyId), request, [single]);
  return results[0]?.trackingCode ?? "";
}

async function chargedAndLimited(): Promise<void> {
  await peyk("price", "set", "retail", "--prefix", "*", "--price", "10");
  await peyk("price", "assign", "retail", "--account", "acc_1", "--billing", "postpaid");
  await peyk("quota", "set", "acc_1", "--day", "100");
}

const used = async () => {
  const [quota] = await json("quota", "show", "acc_1");
  const { settled, reserved } = await json("account", "balance", "acc_1");
  return { parts: quota.partsUsed, settled, reserved };
};

test("a resent message is priced and counted again, and one that failed before hand-over is refunded", async () => {
  await chargedAndLimited();
  const first = await accepted(0);
  await server.store.write((tables) => {
    const row = tables.messages.byCodeAnywhere(first);
    if (row !== null) expire(tables, row, server.clock.now());
  });
  expect(await used()).toEqual({ parts: 1, settled: 0, reserved: 0 });
  expect((await peyk("message", "show", first)).out).toContain("Its price of 10 IRR was given back");
  await peyk("price", "set", "retail", "--prefix", "*", "--price", "15");
  await peyk("message", "resend", first);
  expect(await used()).toEqual({ parts: 2, settled: 0, reserved: 15 });
  await peyk("quota", "set", "acc_1", "--day", "2");
  expect((await peyk("message", "resend", first, "--again")).err).toContain(
    "The account may send 2 parts a day; 0 are left",
  );
});

test("messages of a test key cost nothing and use no quota", async () => {
  await chargedAndLimited();
  const permissions = ["messages:send"] as const;
  const { key } = await server.keys.create(1, {
    name: "trial",
    permissions,
    requestsPerMinute: null,
    expiresAt: null,
    isTest: true,
  });
  await accepted(key.id);
  expect(await used()).toEqual({ parts: 0, settled: 0, reserved: 0 });
  await accepted(0);
  expect(await used()).toEqual({ parts: 1, settled: 0, reserved: 10 });
});

test("explain shows the price and the remaining balance, and message show the outcome", async () => {
  await peyk("price", "set", "retail", "--prefix", "*", "--price", "500");
  await peyk("price", "set", "retail", "--prefix", "98912", "--price", "10");
  await peyk("price", "assign", "retail", "--account", "acc_1", "--billing", "prepaid");
  const ask = ["explain", "--account", "acc_1", "--sender", "30001", "--recipient", "09121234567"];
  const words = ["It costs 10 IRR: 1 × 10, the price of 98912.", "The account is prepaid and has 0 IRR left to spend."];
  const refused = await json(...ask);
  expect(refused).toMatchObject({ accepted: false, price: 10, refusal: { code: "balance_exhausted" } });
  for (const said of words) expect(refused.remarks.map((remark: { words: string }) => remark.words)).toContain(said);
  await peyk("account", "topup", "acc_1", "--amount", "10");
  expect(await json(...ask)).toMatchObject({ accepted: true });
  await sent(10);
  await sent(7, { handedOver: false });
  expect((await peyk("message", "show", `M${stored - 1}`)).out).toContain(
    "Its price of 10 IRR was charged when it was handed over.",
  );
  expect((await peyk("message", "show", `M${stored}`)).out).toContain("Its price of 7 IRR is reserved.");
});
