/** Money in the console: what a message was charged, an account's balance, its statement of a month, and the ledger. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { assetUrl, findAsset } from "../../src/console/assets/assets.ts";
import { isoTime, systemClock } from "../../src/platform/clock.ts";
import { type ConsoleProcess, type FormClient, signedInAs, startConsole } from "../support/console.ts";
import { addAccounts, plainText, reaches, sendMessage } from "../support/console-traffic.ts";

/** A Friday afternoon in Tehran, the 29th of Aban 1405; the clock is stopped, so that everything happens on one day. */
const now = Date.UTC(2026, 10, 20, 12, 42, 7);
const clock = { now: () => now, monotonic: systemClock.monotonic, after: systemClock.after };

let server: ConsoleProcess;
let owner: FormClient;
let customer: FormClient;
beforeAll(async () => {
  server = await startConsole(
    ({ portal }) => ({
      portalListen: "127.0.0.1:0",
      timeZone: "Asia/Tehran",
      portal: { ...portal, name: "Mehr Telecom" },
    }),
    { clock },
  );
  const { api } = server;
  await addAccounts(server);
  await api("POST /prices/:list", { list: "retail", prefix: "*", price: "1200" });
  await api("POST /prices/:list", { list: "wholesale", prefix: "*", price: "800" });
  await api("PUT /routes/:name/costs", { name: "simulator", list: "wholesale" });
  await api("PUT /accounts/:id/billing", { id: "acc_1", mode: "prepaid", list: "retail" });
  await api("POST /accounts/:id/topup", { id: "acc_1", amount: 500_000, note: "Invoice 12", reference: "TR-889213" });
  owner = await signedInAs(server, "owner");
  customer = await signedInAs(server, "customer", { name: "clinic", account: "acc_1", url: server.portalUrl ?? "" });
});
afterAll(() => server.stop());

const pageOf = async (client: FormClient, path: string) => plainText(await (await client.get(path)).text());

test("a message says whether its price is held, charged or given back", async () => {
  const sent = await sendMessage(server, { recipient: "09123450700" });
  await reaches(server, sent, "delivered");
  expect(await pageOf(owner, `/messages/${sent}`)).toContain("Cost 1,200 rials");
  const waiting = await sendMessage(server, { recipient: "09123450700", sendAt: isoTime(now + 3_600_000) });
  expect(await pageOf(owner, `/messages/${waiting}`)).toContain("Cost 1,200 rials are held until it is handed over");
  expect((await owner.post(`/messages/${waiting}/cancel`)).status).toBe(303);
  for (const client of [owner, customer]) {
    expect(await pageOf(client, `/messages/${waiting}`)).toContain("Cost Not charged: it was never handed over.");
  }
});

const csvOf = async (client: FormClient, path: string) => {
  const answer = await client.get(path);
  expect(answer.headers.get("Content-Disposition")).toStartWith("attachment;");
  const [head = "", ...lines] = (await answer.text()).trimEnd().split("\r\n");
  const names = head.split(",");
  return lines.map((line) => Object.fromEntries(line.split(",").map((cell, index) => [names[index] ?? "", cell])));
};
const sumOf = (rows: readonly Record<string, string>[], name: string) =>
  rows.reduce((sum, row) => sum + Number(row[name]), 0);

test("the statement's sum equals the ledger's in every grouping, and the ledger ends with the balance", async () => {
  const { api } = server;
  for (const recipient of ["09123450700", "09351230700", "09211230700"]) {
    await reaches(server, await sendMessage(server, { recipient }), "delivered");
  }
  await api("POST /accounts/:id/correct", { id: "acc_1", amount: -700, note: "Sent twice" });
  const { lines } = await api("GET /accounts/:id/ledger", { id: "acc_1", limit: 500 });
  const captured = lines.reduce((sum, line) => sum + line.captured, 0);
  const { settled } = await api("GET /accounts/:id/balance", { id: "acc_1" });
  expect({ captured, settled }).toEqual({ captured: 4800, settled: 500_000 - 4800 - 700 });
  for (const [client, path] of [
    [owner, "/accounts/acc_1/money.csv"],
    [customer, "/money.csv"],
  ] as const) {
    for (const by of ["sender", "network", "day"]) {
      expect({ by, sum: sumOf(await csvOf(client, `${path}?by=${by}`), "price") }).toEqual({ by, sum: captured });
    }
    const ledger = await csvOf(client, `${path}?by=ledger`);
    expect(ledger.at(0)).toMatchObject({
      what: "topup",
      note: "Invoice 12",
      reference: "TR-889213",
      balance: "500000",
    });
    expect(ledger.at(1)).toMatchObject({ what: "correction", note: "Sent twice", amount: "-700" });
    // All of a day's messages are one line.
    expect(ledger.slice(2)).toMatchObject([{ what: "messages", messages: "4", amount: "-4800" }]);
    expect(sumOf(ledger, "amount")).toBe(settled);
    expect(ledger.at(-1)?.balance).toBe(String(settled));
  }
  expect(await csvOf(owner, "/accounts/acc_1/money.csv?by=route")).toMatchObject([
    { route: "simulator", price: "4800" },
  ]);
});

test("a customer sees its own money without routes, costs and names of those who entered it", async () => {
  const page = await pageOf(customer, "/money?by=route");
  expect(page).toContain("Left to spend 494,500 rials");
  expect(page).toContain("Statement of November 2026");
  expect(page).toContain("Top-up · Invoice 12 TR-889213");
  expect(page).not.toContain("-0");
  for (const secret of ["simulator", "Margin", "Cost, rials", "root"]) expect(page).not.toContain(secret);
  expect(await csvOf(customer, "/money.csv?by=route")).toMatchObject([{ sender: "30001" }]);
  expect((await customer.get("/accounts/acc_1/money")).status).toBe(404);
  expect((await owner.get("/accounts/acc_9/money")).status).toBe(404);
});

test("a printed statement names issuer and account, without costs, routes and names of those who entered it", async () => {
  const styles = new TextDecoder().decode(findAsset(assetUrl("console.css"))?.content);
  expect(/@media print\{[^@]*\.screen-only[^{]*\{display:none\}/.test(styles)).toBe(true);
  const onPaper = async (by: string) =>
    plainText(
      new HTMLRewriter()
        .on("head, .column, .above, .heading, .screen-only", { element: (element) => void element.remove() })
        .transform(await (await owner.get(`/accounts/acc_1/money?month=1405-08&by=${by}`)).text()),
    );
  const shown = await pageOf(owner, "/accounts/acc_1/money?month=1405-08&by=route");
  for (const word of ["Cost, rials", "Margin, rials", "simulator", "tester"]) expect(shown).toContain(word);
  for (const by of ["sender", "route"]) {
    const paper = await onPaper(by);
    expect(paper).toMatch(/Mehr Telecom Statement of Aban 1405 Clinic \( ?acc_1 ?\) As of 20 Nov 2026/);
    expect(paper).toMatch(/23 Oct 2026 to 21 Nov 2026.*Top-up · Invoice 12/);
    for (const secret of ["Cost, rials", "Margin", "simulator", "tester", "3,200", "1,600"]) {
      expect(paper).not.toContain(secret);
    }
  }
  expect(await onPaper("sender")).toContain("Charged, rials");
  expect(await pageOf(customer, "/money")).toMatch(/Mehr Telecom Statement of November 2026 Clinic/);
});

test("months follow the calendar of the settings in both languages, and a month that does not exist is refused", async () => {
  const page = await (await owner.get("/accounts/acc_1/money?month=1405-08")).text();
  expect(plainText(page)).toMatch(/Statement of Aban 1405 .*Solar Hijri month, 23 Oct 2026 to 21 Nov 2026/);
  await owner.post("/preferences", { language: "fa", back: "/" });
  const persian = await pageOf(owner, "/accounts/acc_1/money?month=2026-11");
  await owner.post("/preferences", { language: "en", back: "/" });
  expect(persian).toContain("صورت‌حساب نوامبر ۲۰۲۶");
  expect(persian).toContain("ماه میلادی");
  const before = await (await owner.get("/accounts/acc_1/money?month=2026-10&by=day")).text();
  expect(before).toContain("month=2026-11&amp;by=day");
  expect(plainText(before)).toMatch(/No message was charged in this month.*Nothing was entered or charged/);
  expect((await owner.get("/accounts/acc_1/money?month=1405-13")).status).toBe(400);
});

test("an account without charges reads so, with a link to where charging is set up", async () => {
  const page = await (await owner.get("/accounts/acc_2/money")).text();
  expect(plainText(page)).toContain("This account is not charged");
  expect(page).toContain('<a class="button" href="/prices">');
  expect(await (await owner.get("/accounts/acc_2")).text()).toContain('href="/prices"');
  expect(await (await owner.get("/money")).text()).toContain('href="/prices"');
  const support = await signedInAs(server, "support");
  expect(await (await support.get("/money")).text()).not.toContain('href="/prices"');
  const read = await (await support.get("/accounts/acc_2/money")).text();
  expect(read).toContain("This account is not charged");
  expect(read).not.toContain('href="/prices"');
});

test("one page shows who owes what, the largest debt first, without accounts that are not charged", async () => {
  const { api } = server;
  expect(await pageOf(owner, "/money")).not.toContain("Bank");
  await api("PUT /accounts/:id/billing", { id: "acc_2", mode: "postpaid", list: "retail" });
  await reaches(
    server,
    await sendMessage(server, { account: "acc_2", sender: "30002", recipient: "09123450700" }),
    "delivered",
  );
  expect((await api("GET /balances", {})).rows).toMatchObject([
    { account: "acc_2", name: "Bank", billing: "postpaid", settled: -1200 },
    { account: "acc_1", name: "Clinic", billing: "prepaid", settled: 494_500 },
  ]);
  expect(await pageOf(owner, "/money")).toMatch(/Bank postpaid 1,200 +Clinic prepaid 494,500/);
  expect(await pageOf(owner, "/money")).toMatch(/Left to spend 494,500 rials Owes 1,200 rials/);
  expect(await pageOf(owner, "/money?q=clinic")).not.toContain("Bank");
  const span = { from: "2020-01-01T00:00:00Z", to: "2100-01-01T00:00:00Z" };
  const sums = await Promise.all(
    (["all", "account", "sender", "day"] as const).map(async (by) => {
      const { rows } = await api("GET /charges", { ...span, by });
      return rows.reduce((sum, { price, cost }) => ({ price: sum.price + price, cost: sum.cost + cost }), {
        price: 0,
        cost: 0,
      });
    }),
  );
  expect(sums[0]?.price).toBeGreaterThan(1_200);
  expect(new Set(sums.map((sum) => JSON.stringify(sum))).size).toBe(1);
  expect(await pageOf(owner, "/accounts/acc_2/money")).toContain("Owes 1,200 rials");
});
