/** Figures over a time, as a page, as CSV and by the operator API. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { isoTime } from "../../src/platform/clock.ts";
import { type ConsoleProcess, type FormClient, signedInAs, startConsole } from "../support/console.ts";
import { replyOf } from "../support/reply.ts";

let server: ConsoleProcess;
let client: FormClient;

/** An account with a sender, and this many messages of it. */
async function sent(name: string, sender: string, messages: number): Promise<string> {
  const { api, url } = server;
  const account = (await replyOf(api("POST /accounts", { name }))).data?.id ?? "";
  await api("POST /accounts/:id/senders", { id: account, sender });
  const key = (await replyOf(api("POST /keys", { account, name: "test" }))).data?.apiKey ?? "";
  for (let index = 0; index < messages; index += 1) {
    const { status } = await fetch(`${url}/v1/messages`, {
      method: "POST",
      headers: { "X-API-Key": key, "Idempotency-Key": `${name} ${index}`, "Content-Type": "application/json" },
      body: JSON.stringify({ sender, recipient: "09121234567", message: "سلام" }),
    });
    expect(status).toBe(202);
  }
  return account;
}

let shop = "";
beforeAll(async () => {
  server = await startConsole();
  shop = await sent("=Shop", "30001234", 3);
  await sent("Bank", "30005678", 2);
  client = await signedInAs(server, "support");
});
afterAll(() => server.stop());

const csvOf = async (path: string) => {
  const answer = await client.get(path);
  expect(answer.headers.get("Content-Disposition")).toStartWith("attachment;");
  const [head = "", ...lines] = (await answer.text()).trimEnd().split("\r\n");
  expect(head).toEndWith(",messages,parts,delivered,failed,deliveryMedianMs,deliveryP95Ms");
  return lines.map((line) => line.split(",").slice(0, 3));
};

test("figures lead to the list of the messages that they count", async () => {
  for (const by of ["account", "sender", "route", "network", "day", "hour", "month"]) {
    const html = await (await client.get(`/reports?range=today&by=${by}`)).text();
    const links = [...html.matchAll(/<a href="(\/messages\?[^"]+)">([\d,]+)<\/a>/g)];
    expect([by, links.length > 0]).toEqual([by, true]);
    for (const [, href = "", count = ""] of links) {
      const list = await (await client.get(href.replaceAll("&amp;", "&"))).text();
      expect([href, list.match(/class="record"/g)?.length]).toEqual([href, Number(count)]);
    }
  }
});

test("reports count messages by account, sender, route and day, the most first, with CSV safe for spreadsheets", async () => {
  const page = await (await client.get("/reports?range=today")).text();
  expect(page).toContain("=Shop");
  expect(await csvOf("/reports.csv?range=today&by=account")).toEqual([
    ["'=Shop", "3", "3"],
    ["Bank", "2", "2"],
  ]);
  // As everywhere: in Persian digits on a Persian page.
  expect(await (await client.get("/reports?range=today&by=sender")).text()).toContain(
    '<bdi dir="ltr" class="digits">30001234</bdi>',
  );
  expect(await csvOf("/reports.csv?range=today&by=sender")).toEqual([
    ["30001234", "3", "3"],
    ["30005678", "2", "2"],
  ]);
  expect(await csvOf(`/reports.csv?range=today&by=sender&account=${shop}`)).toEqual([["30001234", "3", "3"]]);
  expect(await csvOf("/reports.csv?range=today&by=network")).toEqual([["IR-MCI", "5", "5"]]);
  const [day = []] = await csvOf("/reports.csv?range=month&by=day");
  expect(day.slice(1)).toEqual(["5", "5"]);
});

test("a link with fixed times shows that period, and unknown values are ignored", async () => {
  const hourMs = 3_600_000;
  const from = isoTime(Date.now() - 48 * hourMs);
  const to = isoTime(Date.now() - 24 * hourMs);
  expect(await csvOf(`/reports.csv?from=${from}&to=${to}&by=account`)).toEqual([]);
  expect(await (await client.get(`/reports?from=${from}&to=${to}`)).text()).toContain(
    "Nothing was sent in this period",
  );
  expect((await client.get("/reports?range=never&by=nothing&from=x&to=y")).status).toBe(200);
  expect((await client.get("/reports?account=acc_99")).status).toBe(404);
});

test("a report over thousands of years draws its chart from the first day on, one day by its hours", async () => {
  const hoursIn = (page: string) => {
    expect(page).toContain('data-chart="hour"');
    return page.match(/class="chart-moment"/g)?.length ?? 0;
  };
  for (const by of ["account", "hour"]) {
    const page = await (await client.get(`/reports?from=0000-01-01&to=9999-12-31&by=${by}`)).text();
    expect(hoursIn(page)).toBeGreaterThan(0);
    // Two days if midnight has just passed.
    expect(hoursIn(page)).toBeLessThanOrEqual(48);
  }
  const page = await (await client.get("/reports?from=0000-01-01&to=9999-12-31")).text();
  expect(page).toContain("=Shop");
  expect(await csvOf("/reports.csv?from=-271821-04-20&to=%2B275760-09-13&by=account")).toHaveLength(2);
  for (const years of ["from=9000-01-01&to=9001-01-01", "from=-271821-04-20&to=-271821-04-21"]) {
    expect((await client.get(`/reports?${years}`)).status).toBe(200);
  }
});

test("the operator API refuses an unknown zone, sender or route", async () => {
  const query = { from: isoTime(0), to: isoTime(Date.now()), by: "all" } as const;
  const refused = async (more: { timeZone?: string; account?: string; sender?: string; route?: string }) =>
    (await replyOf(server.api("GET /figures", { ...query, ...more }))).error?.value;
  expect(await refused({ timeZone: "Asia/Nowhere" })).toMatchObject({ code: "invalid" });
  expect(await refused({ sender: "30001234" })).toMatchObject({ code: "invalid" });
  expect(await refused({ account: shop, sender: "30009999" })).toMatchObject({ code: "sender_not_found" });
  expect(await refused({ route: "nowhere" })).toMatchObject({ code: "route_not_found" });
  const { data } = await replyOf(server.api("GET /figures", { ...query, to: isoTime(Date.now() + 1), account: shop }));
  expect(data?.map(({ messages }) => messages)).toEqual([3]);
});

test("codes are shown by the message after which they were verified, and where they are not tried again, what to set", async () => {
  expect(await (await client.get("/reports?range=today")).text()).toContain('href="/reports/codes"');
  expect(await (await client.get("/reports/codes")).text()).toContain("peyk otp steps set");
  const { api, url } = server;
  const id = await sent("Codes", "30008888", 0);
  const apiKey = (await api("POST /keys", { account: id, name: "codes" })).apiKey;
  await api("PUT /otp/steps", { account: id, steps: [{ by: "sms", waitSeconds: 300 }] });
  const answer = await fetch(`${url}/v1/otp/challenges`, {
    method: "POST",
    headers: { "X-API-Key": apiKey, "Idempotency-Key": "code", "Content-Type": "application/json" },
    body: JSON.stringify({ sender: "30008888", recipient: "09121234503" }),
  });
  expect(answer.status).toBe(202);
  const page = await (await client.get("/reports/codes")).text();
  expect(page).toContain("0 (0.0%)");
  expect(page).toMatch(/IR-MCI|MCI/);
});

test("chosen dates and an account lead to a link with fixed times, and mistakes are shown beside their fields", async () => {
  const asked = new URLSearchParams({ since: "2020-01-01", until: "2020-01-02", account: "Bank", by: "sender" });
  const answer = await client.get(`/reports?${asked}`);
  const to = new URL(answer.headers.get("Location") ?? "", "http://x");
  expect([to.pathname, Object.fromEntries(to.searchParams)]).toEqual([
    "/reports",
    { from: "2019-12-31T20:30:00.000Z", to: "2020-01-02T20:30:00.000Z", by: "sender", account: "acc_2" },
  ]);
  const wrong = await client.get(`/reports?${new URLSearchParams({ since: "soon", until: "", account: "Nobody" })}`);
  expect(wrong.status).toBe(422);
  const page = await wrong.text();
  for (const field of ["since", "until", "account"]) expect(page).toContain(`id="field-${field}-error"`);
  expect(page).toContain('value="soon"');
  const own = await (await client.get(`/reports?from=2020-01-01T00:00Z&to=2099-01-01T00:00Z&account=${shop}`)).text();
  expect(own).toContain("=Shop");
  expect(own).not.toContain("<bdi>Bank");
});

test("operators see charges, costs and margin, and the sums match the statement", async () => {
  const { api } = server;
  await api("POST /prices/:list", { list: "retail", prefix: "*", price: "120" });
  await api("POST /prices/:list", { list: "buying", prefix: "*", price: "70" });
  await api("PUT /routes/:name/costs", { name: "simulator", list: "buying" });
  const id = await sent("Charged", "30009999", 0);
  await api("PUT /accounts/:id/billing", { id, mode: "postpaid", list: "retail" });
  const key = (await api("POST /keys", { account: id, name: "second" })).apiKey;
  for (const index of [1, 2]) {
    await fetch(`${server.url}/v1/messages`, {
      method: "POST",
      headers: { "X-API-Key": key, "Idempotency-Key": `charged ${index}`, "Content-Type": "application/json" },
      body: JSON.stringify({ sender: "30009999", recipient: "09121234567", message: "سلام" }),
    });
  }
  const statement = () => api("GET /accounts/:id/statement", { id });
  while ((await statement()).charged.messages < 2) await Bun.sleep(10);
  const { charged } = await statement();
  expect(charged).toMatchObject({ price: 240, cost: 140 });

  const operator = await signedInAs(server, "operator");
  const page = await (await operator.get(`/reports?range=today&account=${id}`)).text();
  const plain = page.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");
  expect(plain).toMatch(/Charged 240 rials Cost 140 rials Margin 100 rials/);
  for (const by of ["account", "sender", "route", "network", "day", "month"]) {
    const csv = await (await operator.get(`/reports.csv?range=today&account=${id}&by=${by}`)).text();
    expect({ by, line: csv.trimEnd().split("\r\n").at(-1) }).toMatchObject({
      by,
      line: expect.stringMatching(/,240,140$/),
    });
  }
  expect(await (await client.get(`/reports?range=today&account=${id}`)).text()).not.toContain("240 rials");
});
