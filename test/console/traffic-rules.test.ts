/** Routing plans, suppression, prices and alerts in the console. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import {
  type ConsoleProcess,
  chooseFile,
  type FormClient,
  importChosen,
  signedInAs,
  startConsole,
} from "../support/console.ts";
import { startLookupService } from "../support/lookup-service.ts";
import { replyOf } from "../support/reply.ts";

let server: ConsoleProcess;
let operator: FormClient;

beforeAll(async () => {
  server = await startConsole(() => ({ portalListen: "127.0.0.1:0" }));
  await server.api("POST /accounts", { name: "Shop" });
  operator = await signedInAs(server, "operator");
});
afterAll(() => server.stop());

const plain = (html: string) => html.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");
const textOf = async (path: string, client = operator) => plain(await (await client.get(path)).text());

test("a plan shows its rules in words, and trying a number does not count it", async () => {
  expect(await textOf("/plans")).toContain("No routing plan yet");
  await server.api("POST /plans", { name: "iran" });
  const targets = [{ routes: ["simulator"] }];
  await server.api("POST /plans/:name/rules", { name: "iran", networks: ["Irancell"], classes: ["bulk"], targets });
  expect(await textOf("/plans")).toMatch(/iran OK 1 0/);
  const shown = await textOf("/plans/iran?class=bulk&numbers=09351234567,09121234567,12");
  expect(shown).toMatch(/1 Batches and groups · networks Irancell simulator/);
  expect(shown).toMatch(/\+989351234567 Irancell 1 simulator \+989121234567 .* – no rule.* 12 – no mobile number/);
  expect((await operator.get("/plans/nowhere")).status).toBe(404);
});

test("the card of ported numbers tells whom it asks, how often today, and its last useless answer", async () => {
  expect(await textOf("/plans")).not.toContain("Asked today");
  const service = startLookupService();
  await server.api("PUT /number-lookup", { file: { ...service.file({ budgetPerDay: 20_000 }) } });
  expect(await textOf("/plans")).toMatch(/Asked about other numbers 127\.0\.0\.1:\d+ Asked today 0 of 20,000 peyk/);
  await server.api("POST /number-lookup/test", { number: "+989121234567" });
  expect(await textOf("/plans")).toMatch(/Asked today 1 of 20,000 Last useless answer .*404/);
  await server.api("DELETE /number-lookup");
  await service.stop();
});

const located = async (answer: Promise<Response>) => (await answer).headers.get("Location");

test("a plan is created, given ordered rules, tried with a file, used by a sender and removed", async () => {
  await server.api("POST /accounts/:id/senders", { id: "acc_1", sender: "30001234" });
  expect((await operator.post("/plans/-new", { name: "not a name" })).status).toBe(422);
  expect(await located(operator.post("/plans/-new", { name: "world" }))).toBe("/plans/world");
  expect(plain(await (await operator.post("/plans/-new", { name: "world" })).text())).toContain("of this name already");

  const more = await operator.post("/plans/world/rules/-new", {
    networks: "Irancell",
    targets: "simulator",
    more: "yes",
  });
  const withMore = await more.text();
  expect([more.status, withMore.includes('name="targets-2"')]).toEqual([200, true]);
  expect(withMore).toMatch(/name="targets"[^>]*>(?:(?!<\/select).)*<option value="simulator" selected/s);
  expect(withMore).toMatch(/name="networks" value="Irancell" checked/);
  expect(withMore).toMatch(/name="accounts" value="acc_1"/);
  const wrong = await operator.post("/plans/world/rules/-new", { networks: "Nobody", countries: "XX", targets: "" });
  const again = await wrong.text();
  expect([wrong.status, again.includes('id="field-countries-error"'), again.includes('value="Nobody"')]).toEqual([
    422,
    true,
    true,
  ]);
  const nowhere = await operator.post("/plans/world/rules/-new", { targets: "nowhere" });
  expect([nowhere.status, plain(await nowhere.text())]).toEqual([422, expect.stringContaining("no route nowhere")]);
  const rule = (fields: Record<string, string>) => operator.post("/plans/world/rules/-new", fields);
  expect(await located(rule({ targets: "simulator" }))).toBe("/plans/world");
  const shared = { networks: "Irancell", classes: "otp", accounts: "acc_1" };
  expect(
    (await rule({ ...shared, ranges: "+98912", targets: "simulator", "weight-0": "۷۰", number: "2" })).status,
  ).toBe(303);
  const shadowed = await textOf("/plans/world");
  expect(shadowed).toContain("Rule 2: It takes nothing: rule 1 before it takes all that it would.");

  expect(await located(operator.post("/plans/world/rules/2/move", { to: "1" }))).toBe("/plans/world");
  expect(await textOf("/plans/world")).not.toContain("It takes nothing");
  const changing = await (await operator.get("/plans/world/rules/1/change")).text();
  expect([changing.includes("Change rule 1"), changing.includes('value="Irancell"')]).toEqual([true, true]);
  const opened = /name="opened" value="([^"]*)"/.exec(changing)?.[1]?.replaceAll("&quot;", '"') ?? "";
  const change = (fields: Record<string, string>) =>
    operator.post("/plans/world/rules/1/change", { ...shared, ranges: "+98912", opened, ...fields });
  const unknown = await change({ targets: "nowhere" });
  expect([unknown.status, plain(await unknown.text())]).toEqual([422, expect.stringContaining("no route nowhere")]);
  expect(await located(change({ targets: "simulator", "weight-0": "60" }))).toBe("/plans/world");
  expect((await replyOf(server.api("GET /plans/:name", { name: "world" }))).data?.rules).toMatchObject([
    { networks: ["Irancell"], ranges: ["+98912"], classes: ["otp"], targets: [{ weight: 60 }] },
    { networks: [] },
  ]);
  await server.api("POST /routes", { name: "spare", kind: "simulator" });
  const inOrder = await (await operator.get("/plans/world/rules/1/change")).text();
  const openedNow = /name="opened" value="([^"]*)"/.exec(inOrder)?.[1]?.replaceAll("&quot;", '"') ?? "";
  const chosen = { targets: "spare", "route-0-1": "simulator", "route-0-2": "spare", opened: openedNow };
  expect(await located(change({ ...chosen, "weight-0": "60" }))).toBe("/plans/world");
  expect((await replyOf(server.api("GET /plans/:name", { name: "world" }))).data?.rules[0]?.targets).toEqual([
    { weight: 60, routes: ["spare", "simulator"] },
  ]);
  expect(await (await operator.get("/plans/world/rules/1/change")).text()).toMatch(
    /name="route-0-1"[^>]*>(?:(?!<\/select).)*<option value="simulator" selected.*name="route-0-2"/s,
  );
  const late = await change({ targets: "simulator", "weight-0": "50" });
  expect([late.status, plain(await late.text())]).toEqual([
    422,
    expect.stringContaining("has changed the rules in the meantime"),
  ]);
  expect((await operator.get("/plans/world/rules/7/change")).status).toBe(404);
  const file = new FormData();
  file.set("class", "otp");
  file.set("account", "acc_1");
  file.set(
    "file",
    new File(["mobile\n09351234567\n09121234567\n09191234567\n021\n"], "numbers.csv", { type: "text/csv" }),
  );
  expect(plain(await (await operator.postForm("/plans/world/test", file)).text())).toContain(
    "Rule 1: 2 · Rule 2: 1 · No mobile number: 1",
  );
  file.set("file", new File(["hello"], "numbers.csv", { type: "text/csv" }));
  expect((await operator.postForm("/plans/world/test", file)).status).toBe(422);

  expect((await operator.post("/plans/world/senders", { sender: "acc_1/30001234", use: "yes" })).status).toBe(303);
  expect(await textOf("/plans/world")).toMatch(/uses this plan now.*30001234 acc_1/);
  await operator.post("/plans/world/remove");
  expect(await textOf("/plans/world")).toContain("Remove it from them first");
  await operator.post("/plans/world/senders", { sender: "acc_1/30001234", use: "no" });
  expect(await textOf("/plans/world/rules/1/remove")).toContain("Remove rule 1 of world?");
  await operator.post("/plans/world/rules/1/remove");
  expect((await replyOf(server.api("GET /plans/:name", { name: "world" }))).data?.rules).toHaveLength(1);
  expect((await operator.get("/plans/world/rules/7/remove")).status).toBe(404);
  expect(await located(operator.post("/plans/world/remove"))).toBe("/plans");
  const support = await signedInAs(server, "support", { name: "reader" });
  expect((await support.get("/plans/-new")).status).toBe(404);
  expect((await support.post("/plans/iran/remove")).status).toBe(404);
  expect(await textOf("/audit")).toMatch(
    /plan\.remove.*plan\.rule\.remove.*plan\.rule\.move.*plan\.rule\.add.*plan\.create/,
  );
});

test("a number is added to a list, found, and removed after a question; an invalid one keeps what was typed", async () => {
  const wrong = await operator.post("/suppression?account=acc_1", { number: "12", note: "by phone" });
  const again = await wrong.text();
  expect([wrong.status, again.includes("This is not a mobile number."), again.includes("by phone")]).toEqual([
    422,
    true,
    true,
  ]);
  const added = await operator.post("/suppression?account=acc_1", { number: "0912 123 4567", note: "by phone" });
  expect(added.headers.get("Location")).toBe("/suppression?account=acc_1");
  expect(await textOf("/suppression?account=acc_1")).toMatch(/\+989121234567 Shop Operator by phone/);
  expect(await textOf("/suppression?account=global")).toContain("The list is empty");
  expect(await textOf("/suppression")).toMatch(/All lists .*\+989121234567 Shop Operator by phone/);
  expect(await textOf("/suppression?find=09121234567")).toMatch(/\+989121234567 Shop Operator/);
  expect(await textOf("/suppression?find=12")).toContain("12 is on no list.");
  const remove = "/suppression/remove?account=acc_1&number=%2B989121234567";
  expect(await textOf(remove)).toContain("Take +989121234567 off the list?");
  expect((await operator.post(remove)).status).toBe(303);
  expect(await textOf("/suppression?account=acc_1")).toContain("The list is empty");
  expect(await textOf("/audit")).toMatch(/suppression\.remove.*suppression\.add/);
});

test("the notice says what the list stops: by the account's setting, or for all accounts what each has set", async () => {
  const noticeOf = async (list: string) => {
    const added = await operator.post(list, { number: "09129998877" });
    const shown = await textOf(added.headers.get("Location") ?? "");
    await operator.post(
      `/suppression/remove${list.slice("/suppression".length)}${list.includes("?") ? "&" : "?"}number=09129998877`,
    );
    return shown;
  };
  const told = {
    bulk: "bulk messages are not handed over to it any more; single ones and one-time passwords still are.",
    all_but_otp: "only one-time passwords are handed over to it from now on.",
    all: "nothing of the account is handed over to it any more.",
  };
  for (const suppression of ["all", "all_but_otp", "bulk"] as const) {
    await server.api("PATCH /accounts/:id", { id: "acc_1", suppression });
    expect(await noticeOf("/suppression?account=acc_1")).toContain(`on the account's list: ${told[suppression]}`);
  }
  expect(await noticeOf("/suppression?account=global")).toContain(
    "on the list of every account: bulk messages are not handed over to it any more; single ones and one-time passwords still are, unless",
  );
});

/** Until the import has ended. */
async function imported(csv: string): Promise<{ page: string; path: string }> {
  const { html, path } = await importChosen(operator, await chooseFile(operator, "/suppression/preview", csv));
  return { page: plain(html), path };
}

test("an import of numbers shows its progress, and a wrong line is named and adds nothing", async () => {
  expect((await operator.postForm("/suppression/preview", new FormData())).status).toBe(422);
  const wrong = await imported("mobile\n09121234567\n=cmd\n");
  expect(wrong.page).toMatch(/1 refused.*Line 3 =cmd.*Nothing was imported/);
  expect(await (await operator.get(`${wrong.path}/refused`)).text()).toMatch(/^line,value,reason\r\n3,'=cmd,/);
  const good = await imported("mobile\n09121234567\n09351234567\n09121234567\n");
  expect(good.page).toMatch(/2 numbers were added; 1 was on the list before/);
  expect(await (await operator.get("/suppression/export")).text()).toMatch(/^mobile,.*\r\n\+989121234567,import/);
});

test("prices are written from a file, all or none, and shown with the time from which they apply", async () => {
  const file = (csv: string, name = "retail") => {
    const form = new FormData();
    form.set("name", name);
    form.set("file", new File([csv], "prices.csv", { type: "text/csv" }));
    return form;
  };
  const wrong = await operator.postForm("/prices", file("prefix,price\n98912,many\n"));
  const again = await wrong.text();
  expect([wrong.status, plain(again)]).toEqual([422, expect.stringContaining("line 2")]);
  expect(again).toContain('value="retail"');
  expect(await textOf("/prices")).toContain("No price list yet");
  const done = await operator.postForm("/prices", file("prefix,price,from\n*,1200,\n98912,900,2099-01-01\n"));
  expect(done.headers.get("Location")).toBe("/prices/retail");
  expect(await textOf("/prices/retail")).toMatch(
    /2 prices were written.*every number 1,200 rials.*Valid.*98912.*Later/,
  );
});

test("a price is set, ended, and given to accounts and routes; a mistake keeps what was typed", async () => {
  const price = (fields: Record<string, string>) => operator.post("/prices/wholesale/set", fields);
  const nameless = await operator.post("/prices/-set", { list: "", prefix: "98", price: "7" });
  expect([nameless.status, (await nameless.text()).includes('id="field-list-error"')]).toEqual([422, true]);
  expect(await located(operator.post("/prices/-set", { list: "wholesale", prefix: "۹۸", price: "۱٬۲۰۰" }))).toBe(
    "/prices/wholesale",
  );
  expect(await textOf("/prices/wholesale")).toMatch(/The price is set.*98 1,200 rials.*Valid/);
  for (const [field, value] of Object.entries({ prefix: "abc", price: "many", from: "2020-01-01" })) {
    const wrong = await price({ prefix: "98", price: "5", from: "", [field]: value });
    const again = await wrong.text();
    expect([wrong.status, again.includes(`id="field-${field}-error"`), again.includes(`value="${value}"`)]).toEqual([
      422,
      true,
      true,
    ]);
  }
  expect((await price({ prefix: "98", price: "1500", from: "2099-01-01" })).status).toBe(303);
  const { data } = await replyOf(server.api("GET /prices/:list", { list: "wholesale" }));
  expect(data?.lines).toMatchObject([{ state: "valid" }, { state: "later", price: 1500 }]);

  const refused = await operator.post("/prices/wholesale/assign", { account: "acc_1", mode: "prepaid" });
  expect([refused.status, plain(await refused.text())]).toEqual([
    422,
    expect.stringContaining("no price for every number yet"),
  ]);
  await price({ prefix: "*", price: "9" });
  expect((await operator.post("/prices/wholesale/assign", { account: "acc_1", mode: "postpaid" })).status).toBe(303);
  expect((await operator.post("/prices/wholesale/assign", { route: "simulator" })).status).toBe(303);
  expect(await textOf("/prices/wholesale")).toMatch(
    /Customers who pay by it.*Shop postpaid Stop charging.*Routes that cost by it simulator Remove the cost/,
  );
  const used = await (await operator.get("/prices/wholesale")).text();
  for (const href of ["/accounts/acc_1", "/routes/simulator"]) expect(used).toContain(`<a href="${href}">`);
  await operator.post("/prices/wholesale/end?prefix=*");
  expect(await textOf("/prices/wholesale")).toContain("so it must keep a price for every number");

  const later = `/prices/wholesale/end?prefix=98&from=${encodeURIComponent(data?.lines[1]?.validFrom ?? "")}`;
  expect(await textOf(later)).toMatch(/End the price of 98 in wholesale\?.*1 Jan 2099/);
  expect((await operator.post(later)).status).toBe(303);
  expect((await operator.post(later)).status).toBe(404);
  await operator.post("/prices/wholesale/unassign", { account: "acc_1" });
  await operator.post("/prices/wholesale/unassign", { route: "simulator" });
  expect((await operator.post("/prices/wholesale/end?prefix=98")).status).toBe(303);
  expect((await replyOf(server.api("GET /prices/:list", { list: "wholesale" }))).data).toMatchObject({
    accounts: [],
    routes: [],
    lines: [{ prefix: "*" }],
  });
});

test("a price's history shows its values, when they applied, and who changed them, by hand or with a file", async () => {
  const set = (fields: Record<string, string>) => operator.post("/prices/history/set", { from: "", ...fields });
  await operator.post("/prices/-set", { list: "history", prefix: "+98912", price: "700" });
  await set({ prefix: "98912", price: "800" });
  await set({ prefix: "989", price: "1" });
  await set({ prefix: "98912", price: "900", from: "2099-01-01" });
  const file = new FormData();
  file.set("name", "history");
  file.set("file", new File(["prefix,price\n98912,850\n98935,5\n"], "prices.csv", { type: "text/csv" }));
  expect((await operator.postForm("/prices", file)).status).toBe(303);
  expect(await (await operator.get("/prices/history")).text()).toContain('href="/prices/history/history/98912"');

  const shown = await textOf("/prices/history/history/98912");
  expect(shown).toMatch(
    /700 rials .* Over 98912 800 rials .* Over 98912 850 rials .* Valid 98912 900 rials .*1 Jan 2099.* Later/,
  );
  const changes = shown.slice(shown.indexOf("Who changed it"));
  expect([...changes.matchAll(/(none|[\d,]+ rials) ([\d,]+ rials)/g)].map(([, was, is]) => [was, is])).toEqual([
    ["800 rials", "850 rials"],
    ["800 rials", "900 rials"],
    ["700 rials", "800 rials"],
    ["none", "700 rials"],
  ]);
  expect(changes).toMatch(/operator/i);
  await operator.post("/prices/history/end?prefix=98912");
  expect(await textOf("/prices/history/history/98912")).toMatch(
    /The list has no price for exactly this beginning.*850 rials none/,
  );
  for (const path of ["/prices/history/history/abc", "/prices/nowhere/history/98"])
    expect((await operator.get(path)).status).toBe(404);
});

test("a price list shows what a message would cost: price, parts and network, and nothing is sent", async () => {
  await operator.post("/prices/-set", { list: "asked", prefix: "98912", price: "700" });
  const ask = async (recipient: string, text: string) => {
    const answer = await operator.post("/prices/asked/cost", { recipient, text });
    const html = await answer.text();
    return { status: answer.status, html, text: plain(html) };
  };
  const priced = await ask("۰۹۱۲ ۱۲۳ ۴۵۶۷", "سلام ".repeat(20));
  expect([priced.status, priced.text]).toEqual([
    200,
    expect.stringMatching(
      /Price of the message 1,400 rials Parts 2 parts, 100 characters, Persian .*700 rials, by 98912 .*\+989121234567 Network IR-MCI/,
    ),
  ]);
  expect((await ask("09351234567", "Hello")).text).toMatch(/the list has none for this number Parts 1 part,.*Irancell/);
  const wrong = await ask("12", "");
  expect([wrong.status, wrong.html]).toEqual([422, expect.stringContaining('id="field-recipient-error"')]);
  expect(wrong.html).toContain('id="field-text-error"');
  expect((await operator.post("/prices/nowhere/cost", { recipient: "09121234567", text: "a" })).status).toBe(404);
  expect((await replyOf(server.api("GET /messages", {}))).data?.messages).toEqual([]);
});

test("the alerts page says that nothing is wrong and that nobody would be notified", async () => {
  expect(await textOf("/alerts")).toMatch(/Nothing is wrong.*Nobody is notified yet/);
  const support = await signedInAs(server, "support");
  for (const path of ["/alerts", "/suppression", "/prices"]) expect((await support.get(path)).status).toBe(404);
  expect((await support.get("/plans")).status).toBe(200);
});
