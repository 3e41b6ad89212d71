/** Lists of accounts, groups, routes: a page at a time, and searchable, however long they are. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import fc from "fast-check";
import { accountOptions } from "../../src/console/page/accounts-and-senders.ts";
import { listPart } from "../../src/console/page/list-part.ts";
import { type ConsoleProcess, type FormClient, signedInAs, startConsole } from "../support/console.ts";
import { plainText } from "../support/console-traffic.ts";
import { replyOf } from "../support/reply.ts";

let server: ConsoleProcess;
let owner: FormClient;
const many = 120;
beforeAll(async () => {
  server = await startConsole();
  const { api } = server;
  for (let number = 1; number <= many; number += 1) {
    const name = `Clinic ${number}`;
    const { data } = await replyOf(api("POST /accounts", { name }));
    if (number <= 2) await api("POST /accounts/:id/senders", { id: data?.id ?? "", sender: `3000${number}` });
    await api("POST /groups", { account: "acc_1", code: `g-${number}`, name: `Group ${number}` });
    await api("POST /patterns", { account: "acc_1", code: `p-${number}`, name: `Pattern ${number}`, text: "Hello" });
    await api("POST /routes", { name: `route-${number}`, kind: "simulator" });
    await api("POST /plans", { name: `plan-${number}` });
  }
  owner = await signedInAs(server, "owner");
});
afterAll(() => server.stop());

const page = async (path: string) => (await owner.get(path)).text();
const rowsIn = (html: string) => html.match(/<tr role="row"/g)?.length ?? 0;

test("a page of a long list shows fifty rows, or forty with sparklines, the total, and links to the others", async () => {
  for (const [list, shown] of [
    ["/accounts", 40],
    ["/groups", 50],
    ["/patterns", 50],
    ["/approvals", 50],
    ["/routes", 40],
    ["/plans", 50],
  ] as const) {
    const first = await page(list);
    // The head is a row.
    expect({ list, rows: rowsIn(first) }).toEqual({ list, rows: 1 + shown });
    expect(plainText(first)).toMatch(new RegExp(`1–${shown} of (12[01]|240)`));
    expect(first).toContain(`href="${list}?page=2"`);
    const second = await page(`${list}?page=2`);
    expect([second.includes(`href="${list}"`), second.includes(`href="${list}?page=3"`)]).toEqual([true, true]);
    expect(rowsIn(await page(`${list}?page=999999999999`))).toBeGreaterThan(1);
  }
});

test("a list is searched by name, id and sender, with digits of either language", async () => {
  expect(rowsIn(await page("/accounts?q=clinic+12"))).toBe(3);
  expect(plainText(await page("/accounts?q=۳۰۰۰۲"))).toContain("Clinic 2 ");
  expect(rowsIn(await page("/accounts?q=acc_77"))).toBe(2);
  expect(await page("/groups?q=g-1&page=2")).toContain('value="g-1"');
  const none = plainText(await page("/routes?q=nowhere"));
  expect(none).toContain("Nothing found");
});

test("the first page shows routes that need attention, and how many more there are", async () => {
  const { api } = server;
  const options = { host: "127.0.0.1", port: 1, systemId: "peyk", password: "secret" };
  const { error } = await replyOf(api("POST /routes", { name: "zz-down", kind: "smpp", options }));
  expect(error).toBeNull();
  const html = await page("/");
  const routes = html.slice(html.indexOf('id="now-routes"'), html.indexOf('id="now-queue"'));
  expect(rowsIn(routes)).toBe(21);
  expect(routes).toContain("zz-down");
  expect(plainText(routes)).toContain("102 more routes");
});

test("an account stays chosen even if the list offers only some of the accounts", async () => {
  for (const list of ["/messages", "/inbound"]) {
    const html = await page(`${list}?account=acc_102`);
    expect(html).toMatch(/<input[^>]*name="account"[^>]*value="acc_102"/);
    expect(plainText(html)).toContain("Account Clinic 102");
    expect(html).not.toMatch(/<option[^>]*value="acc_/);
  }
});

test("a list is filtered by an account typed by name, and an unknown account is named", async () => {
  for (const list of ["/messages", "/inbound"]) {
    const typed = `${list}?q=0912&account=clinic+۱۰۲`;
    expect((await owner.get(typed)).headers.get("Location")).toBe(`${list}?q=0912&account=acc_102`);
    const unknown = await owner.get(`${list}?account=nobody`);
    const html = await unknown.text();
    expect([unknown.status, plainText(html)]).toEqual([422, expect.stringContaining("There is no account “nobody”.")]);
    // The panel of the filters is open, and contains what was typed.
    expect(html).toMatch(/<details class="filters" open/);
    expect(html).toMatch(/<input[^>]*name="account"[^>]*value="nobody"/);
  }
});

test("a form reads only the first hundred of thousands of accounts, and one more to know that there are more", async () => {
  expect(await accountOptions(server.api)).toHaveLength(101);
  const { data } = await replyOf(server.api("GET /accounts", { ids: "acc_3,acc_9999", limit: 101 }));
  expect(data?.rows.map(({ id }) => id)).toEqual(["acc_3"]);
});

test("every downloaded CSV marks itself as UTF-8 for spreadsheets", async () => {
  for (const path of ["/messages.csv", "/reports.csv?range=today&by=account", "/suppression/export"]) {
    const bytes = new Uint8Array(await (await owner.get(path)).arrayBuffer());
    expect({ path, mark: [...bytes.slice(0, 3)] }).toEqual({ path, mark: [0xef, 0xbb, 0xbf] });
    expect(new TextDecoder().decode(bytes).split("\n")[0]).toContain(",");
  }
});

test("the pages of a list contain every matching row once, in order", () => {
  fc.assert(
    fc.property(fc.array(fc.string(), { maxLength: 300 }), fc.constantFrom("", "a", "B"), (rows, q) => {
      const { pages } = listPart(rows, { q, page: 1 }, (row) => row);
      const all = Array.from({ length: pages }, (_, index) => listPart(rows, { q, page: index + 1 }, (row) => row));
      const sought = rows.filter((row) => row.toLowerCase().includes(q.toLowerCase()));
      expect(all.flatMap((part) => part.rows)).toEqual(sought);
      for (const part of all) expect([part.found, part.all]).toEqual([sought.length, rows.length]);
    }),
  );
});

/** Forms with an account field, and what else each posts. */
const accountForms = [
  { form: "/inbound/lines", to: "/inbound/lines", fields: { number: "30007777" } },
  { form: "/groups/new", to: "/groups/new", fields: { code: "typed", name: "Typed" } },
  { form: "/patterns/new", to: "/patterns/new", fields: { code: "typed", name: "Typed", text: "Hi", sender: "" } },
  { form: "/users?open=add", to: "/users?open=add", fields: { name: "typed", role: "customer" } },
];

test("among many accounts one is typed by id or name, and one that matches none is reported", async () => {
  await server.api("POST /accounts", { name: "مرکز پخش" });
  for (const name of ["Twin", "twin"]) await server.api("POST /accounts", { name });
  for (const { form, to, fields } of accountForms) {
    const html = await page(form);
    expect({ form, isList: /<select[^>]*name="account"/.test(html), small: html.length < 60_000 }).toEqual({
      form,
      isList: false,
      small: true,
    });
    expect(html).toContain('id="field-account-hint"');
    const posted = async (account: string) => {
      const answer = await owner.post(to, { ...fields, account });
      return [answer.status, plainText(await answer.text())] as const;
    };
    const [status, told] = await posted("Clinic 119 of the north");
    expect([
      form,
      status,
      /There is no account “Clinic 119 of the north”. There is .*Clinic 119.*acc_119/.test(told),
    ]).toEqual([form, 422, true]);
    const [, unknown] = await posted("zzzz");
    expect(unknown).toContain("There is no account “zzzz”.");
    const [twins, several] = await posted("twin");
    expect([twins, several]).toEqual([422, expect.stringMatching(/Several accounts are named “twin”.*Type the id/)]);
    expect(await page(form)).not.toContain("30007777");
    // Arabic letters, and digits of the other language.
    const typed = form.startsWith("/users") ? " مركز پخش " : form === "/inbound/lines" ? "clinic ۱۱۸" : "acc_117";
    expect([form, (await owner.post(to, { ...fields, account: typed })).status]).toEqual([form, 303]);
  }
  const lines = await server.api("GET /lines");
  expect(lines.rows.find(({ number }) => number.endsWith("30007777"))?.account).toBe("acc_118");
  expect((await replyOf(server.api("GET /groups/:code", { code: "typed" }))).data?.account).toBe("acc_117");
});

test("an account's list of numbers is opened by the account's name", async () => {
  const html = await page("/suppression");
  expect([/<select[^>]*name="account"/.test(html), html.length < 60_000]).toEqual([false, true]);
  expect(html).toContain("global: Every account.");
  const named = await owner.get("/suppression?account=Clinic+118");
  expect(named.headers.get("Location")).toBe("/suppression?account=acc_118");
  expect(plainText(await page("/suppression?account=acc_118&open=add"))).toContain("List: Clinic 118");
  const unknown = await owner.get("/suppression?account=nobody");
  expect([unknown.status, plainText(await unknown.text())]).toEqual([
    422,
    expect.stringContaining("There is no account “nobody”."),
  ]);
  expect(plainText(await page("/suppression?account=global&open=add"))).toContain("List: Every account");
});

test("a plan is tried and a price list used with an account typed by name", async () => {
  await owner.post("/prices/-set", { list: "retail", prefix: "*", price: "100", from: "" });
  const tried = (account: string) => `/plans/plan-1?${new URLSearchParams({ numbers: "09121234567", account })}`;
  const wrong = [await owner.get(tried("nobody")), await owner.post("/prices/retail/assign", { account: "nobody" })];
  for (const answer of wrong) {
    const told = plainText(await answer.text());
    expect([answer.status, told.includes("There is no account “nobody”.")]).toEqual([422, true]);
  }
  expect((await owner.get(tried("Clinic 115"))).status).toBe(200);
  await owner.post("/prices/retail/assign", { account: "Clinic 115", mode: "postpaid" });
  const { data } = await replyOf(server.api("GET /prices/:list", { list: "retail" }));
  expect(data?.accounts).toEqual([{ account: "acc_115", billing: "postpaid" }]);
});

test("among many senders one is typed, with its account if several accounts have it", async () => {
  const { api } = server;
  for (let number = 3; number <= many; number += 1) {
    await api("POST /accounts/:id/senders", { id: `acc_${number}`, sender: `3000${number}` });
  }
  await api("POST /accounts/:id/senders", { id: "acc_7", sender: "30005" });
  const html = await page("/send");
  expect([/<select[^>]*name="from"/.test(html), /<input[^>]*name="from"/.test(html)]).toEqual([false, true]);
  const review = async (from: string) => {
    const answer = await owner.post("/send/review", { from, recipients: "09121234567", text: "Hello", key: "k" });
    return [answer.status, await answer.text()] as const;
  };
  const [unknown, told] = await review("zzz");
  expect([unknown, plainText(told)]).toEqual([422, expect.stringContaining("There is no active sender “zzz”.")]);
  expect(told).toMatch(/<input[^>]*name="from"[^>]*value="zzz"/);
  const [, near] = await review("00110");
  expect(plainText(near)).toMatch(/There is no active sender “00110”. There is .*acc_110\/3000110.* \(.*Clinic 110/);
  const [, several] = await review("30005");
  expect(plainText(several)).toMatch(/Several accounts have a sender “30005”: .*acc_5\/30005.*acc_7\/30005/);
  for (const [typed, meant] of [
    ["۳۰۰۰۱۱۷", "acc_117/3000117"],
    ["acc_7/30005", "acc_7/30005"],
  ] as const) {
    const [status, reviewed] = await review(typed);
    expect([typed, status, reviewed.includes(`name="from" value="${meant}"`)]).toEqual([typed, 200, true]);
  }
});

test("a plan is given to a sender that was typed", async () => {
  expect(await page("/plans/plan-1")).toMatch(/<input[^>]*name="sender"[^>]*type="text"/);
  const unknown = await owner.post("/plans/plan-1/senders", { sender: "zzz", use: "yes" });
  const told = plainText(await unknown.text());
  expect([unknown.status, told.includes("There is no active sender “zzz”.")]).toEqual([422, true]);
  expect((await owner.post("/plans/plan-1/senders", { sender: "3000118", use: "yes" })).status).toBe(303);
  const { data } = await replyOf(server.api("GET /plans/:name", { name: "plan-1" }));
  expect(data?.senders).toEqual([{ account: "acc_118", sender: "3000118" }]);
});
