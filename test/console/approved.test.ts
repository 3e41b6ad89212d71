/** Patterns, groups with their imports, and approvals in the console. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import {
  type ConsoleProcess,
  chooseFile,
  type FormClient,
  importChosen,
  signedInAs,
  startConsole,
} from "../support/console.ts";
import { replyOf } from "../support/reply.ts";

let server: ConsoleProcess;
let operator: FormClient;

beforeAll(async () => {
  server = await startConsole(() => ({ portalListen: "127.0.0.1:0", groups: { membersMax: 30 } }));
  await server.api("POST /accounts", { name: "Shop" });
  operator = await signedInAs(server, "operator");
});
afterAll(() => server.stop());

/** An inline element adds no space. */
const plain = (html: string) =>
  html
    .replace(/<\/?bdi>/g, "")
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ");
const textOf = async (path: string, client = operator) => plain(await (await client.get(path)).text());

test("a pattern is created, waits for approval and is approved; a form with mistakes keeps what was typed", async () => {
  expect(await textOf("/patterns")).toContain("No pattern yet");
  const fields = { account: "acc_1", code: "welcome", name: "Welcome", text: "سلام {{name}}", sender: "" };
  const wrong = await operator.post("/patterns/new", { ...fields, text: "سلام {{name", code: "a b" });
  const again = await wrong.text();
  expect([wrong.status, again.includes('id="field-code-error"'), again.includes("Welcome")]).toEqual([422, true, true]);
  const made = await operator.post("/patterns/new", fields);
  expect(made.headers.get("Location")).toBe("/patterns/welcome?account=acc_1");
  expect(await textOf("/approvals")).toMatch(/Welcome welcome Pattern Shop سلام/);
  await operator.post("/patterns/welcome/approve?account=acc_1");
  expect(await textOf("/patterns/welcome?account=acc_1")).toMatch(/Approved: it can be used.*name \(\d+\).*operator/);
  expect((await operator.post("/patterns/new", { ...fields, name: "Twice" })).status).toBe(422);
  expect(await textOf("/approvals")).toContain("Nothing waits for approval");
  await operator.post("/patterns/welcome/suspend?account=acc_1");
  expect(await textOf("/patterns/welcome?account=acc_1")).toContain("Suspended");
});

test("trying a pattern with values shows its text, parts and price, and stores nothing", async () => {
  const { api } = server;
  await api("POST /accounts/:id/senders", { id: "acc_1", sender: "30001" });
  await api("PATCH /accounts/:id", { id: "acc_1", defaultSender: "30001" });
  await api("POST /prices/:list", { list: "retail", prefix: "*", price: "90" });
  await api("PUT /accounts/:id/billing", { id: "acc_1", list: "retail", mode: "prepaid" });
  await api("POST /accounts/:id/topup", { id: "acc_1", amount: 1_000 });
  const fields = { account: "acc_1", code: "due", name: "Due", text: "{{name}}: {{constructor}} days", sender: "" };
  await operator.post("/patterns/new", fields);
  const tried = async (values: Record<string, string>) =>
    plain(await (await operator.post("/patterns/due/preview?account=acc_1", values)).text());
  expect(await textOf("/patterns/due?account=acc_1")).toMatch(
    /\{\{name\}\}: \{\{constructor\}\} days Parts and cost appear/,
  );
  expect(await tried({ "value-name": "Sara" })).toContain("Sara: {{constructor}} days Parts and cost appear");
  // A variable without a value does not decide the direction of the text around it.
  const empty = await (await operator.post("/patterns/due/preview?account=acc_1", {})).text();
  expect(empty).toContain("<bdi>{{name}}</bdi>: <bdi>{{constructor}}</bdi> days");
  const whole = { "value-name": "Sara {{x}}", "value-constructor": "3" };
  expect(await tried(whole)).toMatch(/Sara \{\{x\}\}: 3 days Characters 18 Parts 1 /);
  expect(await tried({ ...whole, to: "۰۹۱۲۳۴۵۶۷۸۹" })).toMatch(
    /Cost 90 rials to 1 recipient Balance after it 910 rials/,
  );
  expect(await tried({ ...whole, to: "12" })).not.toContain("Cost");
  expect(await tried({ ...whole, "value-name": "x".repeat(31) })).toContain("name has at most 30 characters.");
  expect((await replyOf(api("GET /messages"))).data?.messages).toEqual([]);
});

/** Until the import has ended. */
async function imported(client: FormClient, path: string, csv: string, chosen: Record<string, string> = {}) {
  const { html, path: at } = await importChosen(client, await chooseFile(client, path, csv), chosen);
  return { page: plain(html), path: at };
}

test("an import of members shows its progress, offers the wrong lines as CSV, and the list is approved", async () => {
  const made = await operator.post("/groups/new", { account: "acc_1", code: "spring", name: "Spring" });
  expect(made.headers.get("Location")).toBe("/groups/spring?account=acc_1");
  await operator.post("/groups/spring/approve?account=acc_1");
  expect(await textOf("/groups/spring?account=acc_1")).toContain("no members yet");
  // The pattern above waits for approval; a group without members cannot be approved yet, so it does not.
  const before = await textOf("/approvals");
  expect([before.includes("Approvals 1 Routes"), before.includes("Spring")]).toEqual([true, false]);
  expect((await operator.postForm("/groups/spring/preview?account=acc_1", new FormData())).status).toBe(422);
  const wrong = await imported(operator, "/groups/spring/preview?account=acc_1", "mobile\n09121234567\n=cmd\n");
  expect(wrong.page).toMatch(/1 refused.*Line 3 =cmd.*Nothing was imported/);
  const refused = await operator.get(wrong.path.replace("?", "/refused?"));
  expect(await refused.text()).toMatch(/^line,value,reason\r\n3,'=cmd,/);
  const good = await imported(
    operator,
    "/groups/spring/preview?account=acc_1",
    "mobile\n09121234567\n09127654321\n09121234567\n",
  );
  expect(good.page).toMatch(/2 members are in the new list; 1 line repeated/);
  expect(await textOf("/approvals")).toMatch(/Approvals 2 Routes.*Spring spring Group Shop 2 members/);
  await operator.post("/groups/spring/approve?account=acc_1");
  expect(await textOf("/groups")).toMatch(/Spring spring Approved Shop.* 2 /);
});

test("a file is previewed before its import: columns can be chosen or left out, and wrong lines are counted", async () => {
  await operator.post("/groups/new", { account: "acc_1", code: "autumn", name: "Autumn" });
  const path = "/groups/autumn/preview?account=acc_1";
  const csv =
    "شهر;نام مشتری;تماس\nتهران;سارا;09121234567\nشیراز;علی;۰۹۱۲۷۶۵۴۳۲۱\nیزد;نگار;0912123456\nقم;سارا;+98 912 123 4567\n";
  const preview = await chooseFile(operator, path, csv);
  expect(preview).toMatch(/^\/groups\/autumn\/preview\/[^/]+\?account=acc_1$/);
  const html = await (await operator.get(preview)).text();
  // The column of numbers is recognised by its content.
  expect(html.match(/<option value="[^"]+" selected/g)).toEqual([
    '<option value="-" selected',
    '<option value="-" selected',
    '<option value="mobile" selected',
  ]);
  expect(html).toMatch(/name="header"[^>]* checked/);
  expect(plain(html)).toMatch(
    /شهر نام مشتری تماس تهران سارا 09121234567 .*Numbers 2 Lines that repeat one 1 Wrong lines 1 Nothing is imported while a line is wrong/,
  );
  expect(plain(html)).toContain("Line 4 “0912123456” is no mobile number");
  const columns = { "column-0": "-", "column-1": "fullName", "column-2": "mobile" };
  const again = plain(await (await operator.post(preview, { ...columns })).text());
  expect(again).toMatch(/Numbers 2 .*Wrong lines 2 .*Line 1 “تماس” is no mobile number/);
  const none = { "column-0": "-", "column-1": "-", "column-2": "-", header: "yes" };
  expect(plain(await (await operator.post(preview, none)).text())).toContain(
    "no column was chosen as the mobile number",
  );
  const piece = await (await operator.post(preview, { ...columns, header: "yes" }, { "HX-Request": "true" })).text();
  expect([plain(piece).includes("Wrong lines 1"), piece.includes("<html")]).toEqual([true, false]);
  const bare = await chooseFile(operator, path, "سارا,09121234567\nعلی,09127654321\n");
  // A user has one chosen file: the previous one is gone.
  expect(await (await operator.get(preview)).text()).toContain("Choose it again.");
  expect(await (await operator.get(bare)).text()).not.toMatch(/name="header"[^>]* checked/);
  const { html: done } = await importChosen(operator, bare, { "column-0": "fullName", "column-1": "mobile" });
  expect(plain(done)).toContain("2 members are in the new list");
  expect((await operator.post(bare.replace("/preview/", "/import/"), {})).status).toBe(422);
});

const linesDraft = async () => (await replyOf(server.api("GET /groups/:code", { code: "lines" }))).data?.draft;

test("an import continues without the wrong lines of the preview, but not if there are more", async () => {
  await operator.post("/groups/new", { account: "acc_1", code: "lines", name: "Lines" });
  const path = "/groups/lines/preview?account=acc_1";
  const csv = "mobile,firstName\n09121234567,Ali\n0912,Sara\n09127654321,Reza\n,Mina\n09121234567,\n";
  const preview = await chooseFile(operator, path, csv);
  const html = await (await operator.get(preview)).text();
  expect(plain(html)).toMatch(
    /unless you leave the wrong lines out\. .*Line 3 .*Line 5 .*Import without the 2 wrong lines/,
  );
  expect(html).toContain('name="leaveOut" value="2"');
  // Enter in the form presses its first button, which only checks.
  expect(html.match(/<button type="submit"[^>]*formaction="[^"]*\/preview\/|name="leaveOut"/gi)?.at(-1)).toBe(
    'name="leaveOut"',
  );
  const fewer = await importChosen(operator, preview, { leaveOut: "1" });
  expect(plain(fewer.html)).toMatch(/2 refused .*Nothing was imported/);
  expect(await linesDraft()).toMatchObject({ recipientCount: 0 });
  const done = await importChosen(operator, await chooseFile(operator, path, csv), { leaveOut: "2" });
  expect(plain(done.html)).toMatch(/2 members are in the new list; 1 line repeated .* 2 wrong lines were left out/);
  expect(await linesDraft()).toMatchObject({ recipientCount: 2 });
  const refused = await (await operator.get(done.path.replace("?", "/refused?"))).text();
  expect(refused).toBe(
    'line,value,reason\r\n3,"0912,Sara",“0912” is no mobile number\r\n5,",Mina",has no mobile number\r\n',
  );
  expect((await replyOf(server.api("GET /audit", { action: "group.import" }))).data?.entries[0]?.after).toMatchObject({
    leftOut: 2,
  });
});

test.each([
  ["an unclosed quotation mark", 'mobile\n09121234567\n"0912\n09127654321\n'],
  ["a field over several lines, which may hold right ones", 'mobile\n09121234567\n"0912\n09127654321"\n'],
  ["no right line", "mobile\n0912\n"],
])("a file with %s is imported whole or not at all", async (_, csv) => {
  const preview = await chooseFile(operator, "/groups/lines/preview?account=acc_1", csv);
  const page = await textOf(preview);
  expect([page.includes("Nothing is imported while a line is wrong."), page.includes("Import without")]).toEqual([
    true,
    false,
  ]);
  const { html } = await importChosen(operator, preview, { leaveOut: "10000" });
  expect(plain(html)).toContain("Nothing was imported");
});

test("a customer sees the groups and patterns of its own account only, and approves none", async () => {
  const other = (await replyOf(server.api("POST /accounts", { name: "Other" }))).data?.id ?? "";
  await server.api("POST /groups", { account: other, code: "secret", name: "Theirs" });
  const url = server.portalUrl ?? "";
  const customer = await signedInAs(server, "customer", { name: "shop", account: "acc_1", url });
  expect(await textOf("/groups", customer)).toContain("Spring");
  expect(await textOf("/groups", customer)).not.toContain("Theirs");
  expect((await customer.get(`/groups/secret?account=${other}`)).status).toBe(404);
  const made = await customer.post("/groups/new", { account: other, code: "mine", name: "Mine" });
  expect(made.headers.get("Location")).toBe("/groups/mine");
  expect((await replyOf(server.api("GET /groups/:code", { code: "mine" }))).data?.account).toBe("acc_1");
  expect((await customer.post("/groups/spring/approve")).status).toBe(404);
  expect((await customer.get("/approvals")).status).toBe(404);
  expect((await imported(customer, "/groups/mine/preview", "mobile\n09121234567\n")).page).toContain("1 member is");
});

test("the preview reports a file with more numbers than a group may have", async () => {
  await operator.post("/groups/new", { account: "acc_1", code: "crowd", name: "Crowd" });
  const previewed = async (count: number) => {
    const numbers = Array.from({ length: count }, (_, index) => `0912123${1_000 + index}`);
    const path = await chooseFile(operator, "/groups/crowd/preview?account=acc_1", ["mobile", ...numbers].join("\n"));
    return textOf(path);
  };
  expect(await previewed(30)).not.toContain("A group has at most");
  expect(await previewed(31)).toContain("A group has at most 30 members");
});
