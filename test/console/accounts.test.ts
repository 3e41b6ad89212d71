/** Accounts and keys in the console: from nothing to a first message, and what each form refuses. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { type ConsoleProcess, type FormClient, signedInAs, startConsole } from "../support/console.ts";
import { replyOf } from "../support/reply.ts";

let server: ConsoleProcess;
let owner: FormClient;

beforeAll(async () => {
  server = await startConsole(() => ({ portalListen: "127.0.0.1:0" }));
  owner = await signedInAs(server, "owner");
});
afterAll(() => server.stop());

const plain = (html: string) => html.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");
const textOf = async (path: string, client = owner) => plain(await (await client.get(path)).text());
const form = (fields: Record<string, string | string[]>) =>
  Object.entries(fields).flatMap(([name, value]) => [value].flat().map((one) => [name, one]));

/** Posts with a field that may occur several times. */
async function posted(path: string, fields: Record<string, string | string[]>, client = owner) {
  return client.post(path, new URLSearchParams(form(fields)));
}

test("an operator creates an account, a sender and a key, and the command shown sends a first message", async () => {
  expect(await textOf("/accounts")).toContain("No account yet");
  const wrong = await posted("/accounts/new", { name: " " });
  expect([wrong.status, plain(await wrong.text())]).toEqual([422, expect.stringContaining("1 to 120 characters")]);
  const made = await posted("/accounts/new", { name: "فروشگاه" });
  expect(made.headers.get("Location")).toBe("/accounts/acc_1");
  expect(await textOf("/accounts/acc_1")).toContain("needs a sender and a key");
  const refused = await posted("/accounts/acc_1/senders", { sender: "12" });
  expect([refused.status, plain(await refused.text())]).toEqual([422, expect.stringContaining("5 to 20")]);
  expect((await posted("/accounts/acc_1/senders", { sender: "۳۰۰۰۱۲۳۴" })).status).toBe(303);
  const issued = await posted("/accounts/acc_1/keys/new", { name: "backend", permissions: ["messages:send"] });
  const page = plain(await issued.text());
  const key = /peyk_[\w-]{43}/.exec(page)?.[0] ?? "";
  expect(page).toContain(`curl -X POST ${server.url}/v1/messages`);
  const answer = await fetch(`${server.url}/v1/messages`, {
    method: "POST",
    headers: { "X-API-Key": key, "Idempotency-Key": "first-1", "Content-Type": "application/json" },
    body: JSON.stringify({ sender: "30001234", recipient: "09121234567", message: "سلام" }),
  });
  expect(answer.status).toBe(202);
  expect(await textOf("/accounts")).toContain("30001234");
});

test("a key is renewed and revoked after a question; a form with mistakes keeps what was typed", async () => {
  const wrong = await posted("/accounts/acc_1/keys/new", {
    name: "crm",
    permissions: [],
    rate: "x",
    allowFrom: "here",
  });
  const page = await wrong.text();
  expect([wrong.status, page.includes('value="crm"')]).toEqual([422, true]);
  expect(await textOf("/accounts/acc_1/keys/key_1/rotate")).toContain("Renew the key backend?");
  expect(plain(await (await posted("/accounts/acc_1/keys/key_1/rotate", {})).text())).toContain("peyk_");
  expect(await textOf("/accounts/acc_1/keys/key_1/revoke")).toContain("Revoke the key backend?");
  expect((await posted("/accounts/acc_1/keys/key_1/revoke", {})).headers.get("Location")).toBe("/accounts/acc_1");
  expect(await textOf("/accounts/acc_1")).toContain("backend is revoked.");
  expect((await owner.get("/accounts/acc_1/keys/key_9/revoke")).status).toBe(404);
  expect((await owner.get("/accounts/acc_9")).status).toBe(404);
});

const settings = { name: "Shop", defaultSender: "", timeZone: "", countries: "", quietHours: "", suppression: "bulk" };

test("a key gets an expiry, a rate and addresses, and untouched fields keep their values", async () => {
  const path = "/accounts/acc_1/keys/key_2";
  await server.api("POST /keys", { account: "acc_1", name: "till", rate: 7, expiresAt: "2099-01-31T08:00:30Z" });
  const page = await (await owner.get(`${path}/change`)).text();
  const [opened = ""] = /(?<=name="opened" value=")[^"]*/.exec(page) ?? [];
  expect([page.includes('value="7"'), opened]).toEqual([true, expect.stringContaining("2099-01-31")]);
  const typed = {
    ...(JSON.parse(opened.replaceAll("&quot;", '"')) as Record<string, string>),
    opened: opened.replaceAll("&quot;", '"'),
    permissions: ["messages:send", "messages:read"],
  };
  const changed = await posted(`${path}/change`, { ...typed, name: "till 2", allowFrom: "203.0.113.0/24" });
  expect([changed.status, changed.headers.get("Location")]).toEqual([303, "/accounts/acc_1"]);
  expect(await textOf("/accounts/acc_1")).toContain("till 2 was changed");
  const after = { name: "till 2", rate: 7, permissions: ["messages:send", "messages:read"] };
  expect(await server.api("GET /keys/:id", { id: "key_2" })).toMatchObject({
    ...after,
    allowFrom: ["203.0.113.0/24"],
    expiresAt: "2099-01-31T08:00:30.000Z",
  });
  const again = { ...typed, name: "till 2", opened: "" };
  await posted(`${path}/change`, { ...again, expiresAt: "", rate: "۱۲۰", allowFrom: "" });
  expect(await server.api("GET /keys/:id", { id: "key_2" })).toMatchObject({
    rate: 120,
    expiresAt: null,
    allowFrom: [],
  });
  await posted(`${path}/change`, { ...again, expiresAt: "1478/01/01 08:00" });
  const { expiresAt } = await server.api("GET /keys/:id", { id: "key_2" });
  expect(expiresAt?.slice(0, 10)).toBe("2099-03-20");
  for (const wrong of [{ expiresAt: "soon" }, { expiresAt: "2020-01-01" }, { rate: "0" }, { allowFrom: "here" }]) {
    const refused = await posted(`${path}/change`, { ...again, ...wrong });
    expect([wrong, refused.status]).toEqual([wrong, 422]);
  }
});

test("the old secret of a renewed key expires at the chosen time, and revoking a key cancels its waiting messages", async () => {
  const path = "/accounts/acc_1/keys/key_2";
  await posted(`${path}/rotate`, { grace: "604800" });
  const { previousSecretUntil } = await server.api("GET /keys/:id", { id: "key_2" });
  expect(Date.parse(previousSecretUntil ?? "") - Date.now()).toBeGreaterThan(6.9 * 86_400_000);
  const issued = plain(await (await posted(`${path}/rotate`, { grace: "0" })).text());
  expect(await server.api("GET /keys/:id", { id: "key_2" })).toMatchObject({ previousSecretUntil: null });
  const scheduled = await fetch(`${server.url}/v1/messages/scheduled`, {
    method: "POST",
    headers: {
      "X-API-Key": /peyk_[\w-]{43}/.exec(issued)?.[0] ?? "",
      "Idempotency-Key": "later-1",
      "Content-Type": "application/json",
    },
    body: JSON.stringify({
      sender: "30001234",
      recipient: "09121234567",
      message: "سلام",
      sendAt: new Date(Date.now() + 3_600_000).toISOString(),
    }),
  });
  expect(scheduled.status).toBe(202);
  expect((await posted(`${path}/revoke`, { cancelWaiting: "yes" })).status).toBe(303);
  expect(await textOf("/accounts/acc_1")).toContain("1 message that waited is cancelled");
  const { messages } = await server.api("GET /messages", { status: "cancelled" });
  expect(messages).toHaveLength(1);
});

test("an account sets how long messages and texts are kept, and whether single messages wait at night", async () => {
  const path = "/accounts/acc_1/settings";
  expect((await posted(path, { ...settings, retentionDays: "۳۰", textDays: "7", quietSingles: "yes" })).status).toBe(
    303,
  );
  const kept = { retentionDays: 30, textDays: 7, quietSingles: true };
  expect(await server.api("GET /accounts/:id", { id: "acc_1" })).toMatchObject(kept);
  expect(await textOf("/accounts/acc_1")).toMatch(
    /Single messages wait Yes .*Days messages are kept 30 Days texts are kept 7/,
  );
  // A form of an earlier version lacks them.
  expect((await posted(path, settings)).status).toBe(303);
  expect(await server.api("GET /accounts/:id", { id: "acc_1" })).toMatchObject(kept);
  expect((await posted(path, { ...settings, retentionDays: "3651" })).status).toBe(422);
  expect((await posted(path, { ...settings, retentionDays: "", textDays: "", quietSingles: "" })).status).toBe(303);
  const none = { retentionDays: null, textDays: null, quietSingles: null };
  expect(await server.api("GET /accounts/:id", { id: "acc_1" })).toMatchObject(none);
});

test("limits are saved together, and each invalid one is named", async () => {
  const save = (more: Record<string, string>) => posted("/accounts/acc_1/settings", { ...settings, ...more });
  expect(
    (await save({ timeZone: "Asia/Tehran", countries: "ir ae", quietHours: "22:00-08:00", month: "۵۰۰" })).status,
  ).toBe(303);
  const page = await textOf("/accounts/acc_1");
  expect(page).toMatch(/Parts this month .*of 500.*Asia\/Tehran.*IR, AE.*22:00-08:00/);
  for (const [field, value] of Object.entries({
    timeZone: "Nowhere",
    countries: "XX",
    quietHours: "late",
    day: "many",
  })) {
    const answer = await save({ [field]: value });
    expect([answer.status, (await answer.text()).includes(`id="field-${field}-error"`)]).toEqual([422, true]);
  }
});

test("a form with one wrong value saves nothing and is shown again in full", async () => {
  await posted("/accounts/acc_1/settings", { ...settings, day: "100", month: "500" });
  const typed = { ...settings, name: "Renamed", timeZone: "Asia/Kabul", month: "900" };
  const wrong = { month: "many", day: "1000000000001", defaultSender: "nobody" };
  for (const [field, value] of Object.entries(wrong)) {
    const answer = await posted("/accounts/acc_1/settings", { ...typed, [field]: value });
    const page = await answer.text();
    expect([answer.status, page.includes(`id="field-${field}-error"`)]).toEqual([422, true]);
    for (const kept of ["Renamed", "Asia/Kabul", value]) expect(page).toContain(`value="${kept}"`);
    const { data: account } = await replyOf(server.api("GET /accounts/:id", { id: "acc_1" }));
    const { data: quotas } = await replyOf(server.api("GET /quotas/:of", { of: "acc_1" }));
    expect([account?.name, account?.timeZone, ...(quotas ?? []).map(({ partsMax }) => partsMax)]).toEqual([
      "Shop",
      null,
      100,
      500,
    ]);
  }
  await posted("/accounts/acc_1/settings", { ...settings, month: "900" });
  const { data } = await replyOf(server.api("GET /audit", { action: "account.update", limit: 1 }));
  expect(data?.entries[0]).toMatchObject({
    before: { quotas: { day: 100, month: 500 } },
    after: { quotas: { month: 900 } },
  });
  await posted("/accounts/acc_1/settings", { ...settings, month: "500" });
});

test("each of several wrong fields is named, and nothing is saved", async () => {
  const wrong = { timeZone: "Nowhere", quietHours: "late", day: "many", month: "-5", name: "Renamed" };
  const answer = await posted("/accounts/acc_1/settings", { ...settings, ...wrong });
  const page = await answer.text();
  expect(answer.status).toBe(422);
  for (const field of ["timeZone", "quietHours", "day", "month"]) expect(page).toContain(`id="field-${field}-error"`);
  expect(await textOf("/accounts")).not.toContain("Renamed");
});

test("a note for operators and support keeps its last character, and customers see it nowhere", async () => {
  const longest = `${"ن".repeat(1999)}🙂`;
  const wrong = await posted("/accounts/acc_1/note", { note: `${longest}.` });
  const again = await wrong.text();
  expect([wrong.status, again.includes('id="field-note-error"'), again.includes(`${longest}.`)]).toEqual([
    422,
    true,
    true,
  ]);
  expect((await posted("/accounts/acc_1/note", { note: longest })).headers.get("Location")).toBe(
    "/accounts/acc_1#note",
  );
  expect(await textOf("/accounts/acc_1")).toContain(longest);
  expect((await posted("/accounts/acc_1/note", { note: "\u0007" })).status).toBe(422);
  await posted("/accounts/acc_1/note", { note: "pays late\nask for Sara" });
  const support = await signedInAs(server, "support", { name: "helper" });
  expect(await textOf("/accounts/acc_1", support)).toContain("pays late ask for Sara");
  expect((await posted("/accounts/acc_1/note", { note: "" }, support)).status).toBe(404);
  const url = server.portalUrl ?? "";
  const customer = await signedInAs(server, "customer", { name: "reader", account: "acc_1", url });
  for (const path of ["/", "/keys", "/usage", "/begin"])
    expect(await textOf(path, customer)).not.toContain("pays late");
  expect(await textOf("/audit")).toContain("account.update");
  await posted("/accounts/acc_1/note", { note: "" });
  expect(await textOf("/accounts/acc_1", support)).toContain("No note yet.");
});

test("an account is suspended and resumed; a payment appears in the ledger", async () => {
  await posted("/accounts/acc_1/suspend", {});
  expect(await textOf("/accounts/acc_1")).toContain("is suspended");
  await posted("/accounts/acc_1/resume", {});
  expect(await textOf("/accounts/acc_1")).toContain("can send again");
  const wrong = await posted("/accounts/acc_1/balance", { kind: "topup", amount: "a lot", note: "" });
  expect([wrong.status, plain(await wrong.text())]).toEqual([422, expect.stringContaining("whole number")]);
  expect((await posted("/accounts/acc_1/balance", { kind: "topup", amount: "۱٬۰۰۰", note: "invoice 7" })).status).toBe(
    303,
  );
  expect((await posted("/accounts/acc_1/balance", { kind: "correction", amount: "-200", note: "typo" })).status).toBe(
    303,
  );
  expect(await textOf("/accounts/acc_1/balance")).toMatch(/Left to spend 800.*typo.*invoice 7/);
});

test("a form posted twice enters its amount once, and says so", async () => {
  const form = await (await owner.get("/accounts/acc_1/balance")).text();
  const reference = /name="reference" value="([^"]+)"/.exec(form)?.[1] ?? "";
  const entry = { kind: "topup", amount: "5000", note: "twice", reference };
  const before = (await replyOf(server.api("GET /accounts/:id/balance", { id: "acc_1" }))).data?.settled ?? Number.NaN;
  const answers = await Promise.all([
    posted("/accounts/acc_1/balance", entry),
    posted("/accounts/acc_1/balance", entry),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([303, 303]);
  expect(await textOf("/accounts/acc_1/balance")).toContain("and was not entered again.");
  expect((await replyOf(server.api("GET /accounts/:id/balance", { id: "acc_1" }))).data?.settled).toBe(before + 5000);
  const other = await posted("/accounts/acc_1/balance", { ...entry, amount: "6000" });
  const next = await other.text();
  expect([other.status, plain(next)]).toEqual([422, expect.stringContaining("has already entered another amount")]);
  expect(next).toContain('value="6000"');
  expect(next).not.toContain(reference);
});

test("a customer creates keys for its own account only, and cannot open any account's page", async () => {
  const { data } = await replyOf(server.api("POST /accounts", { name: "Other" }));
  const url = server.portalUrl ?? "";
  const customer = await signedInAs(server, "customer", { name: "shop", account: "acc_1", url });
  expect(await textOf("/keys", customer)).toContain("backend");
  expect((await posted("/keys/new", { name: "own", permissions: ["messages:send"] }, customer)).status).toBe(200);
  const keys = (await replyOf(server.api("GET /keys", { account: data?.id ?? "" }))).data;
  expect(keys?.rows).toEqual([]);
  for (const path of [
    "/accounts",
    "/accounts/acc_1",
    `/accounts/${data?.id}`,
    "/accounts/acc_1/balance",
    "/keys/key_9/revoke",
  ]) {
    expect((await customer.get(path)).status).toBe(404);
  }
});

test("an account that cannot send yet shows what it needs, and the rest behind a line", async () => {
  const { id } = await server.api("POST /accounts", { name: "Empty" });
  const html = await (await owner.get(`/accounts/${id}`)).text();
  const lines = [...html.matchAll(/<section class="card card-line"[^>]*><h2>([^<]*)<\/h2>(.*?)<\/section>/g)];
  expect(plain(html)).toContain("Two things before it can send");
  const [needs = "", more = ""] = html.split('<details class="card card-flush more">');
  expect([needs.includes("/senders/new"), needs.includes("/prices"), more.includes("/prices")]).toEqual([
    true,
    false,
    true,
  ]);
  expect(lines.map(([, title]) => title)).toEqual([
    "Senders",
    "Keys",
    "Money",
    "Quotas",
    "Errors",
    "People at the portal",
    "Note",
  ]);
  const hrefs = lines.flatMap(([, , body = ""]) =>
    [...body.matchAll(/<a [^>]*href="([^"]*)"/g)].map(([, href]) => href),
  );
  const path = `/accounts/${id}`;
  expect(hrefs).toEqual([
    `${path}/senders/new`,
    `${path}/keys/new`,
    "/prices",
    `${path}/settings`,
    `${path}/errors`,
    `/users?account=${id}&amp;open=add#add`,
    `${path}?note=new#note`,
  ]);
  expect(await (await owner.get(`${path}?note=new`)).text()).toContain("<textarea");
  expect(await (await owner.get(`/users?account=${id}&open=add`)).text()).toMatch(
    new RegExp(`<option value="customer" selected[^>]*>.*<option value="${id}" selected`, "s"),
  );
});

test("support sees who signs in for an account and changes to that account, and nothing of others", async () => {
  const [mine, other] = await Promise.all(["Mine", "Other"].map((name) => server.api("POST /accounts", { name })));
  const id = mine?.id ?? "";
  const key = await server.api("POST /keys", { account: id, name: "till" });
  await server.api("PATCH /keys/:id", { id: key.id, rate: 7 });
  await server.api("POST /accounts/:id/senders", { id, sender: "30009911" });
  await server.api("POST /users", { name: "sara.mine", role: "customer", account: id });
  await server.api("POST /keys", { account: other?.id ?? "", name: "theirs" });
  const support = await signedInAs(server, "support", { name: "supporter" });
  const page = plain(await (await support.get(`/accounts/${id}`)).text());
  expect(page).toMatch(/People at the portal .*sara\.mine/);
  const changes = plain(await (await support.get(`/accounts/${id}/changes`)).text());
  for (const told of [
    "tester created the account",
    `tester created the key ${key.id}`,
    "Requests a minute from none to 7",
    "tester added the sender 30009911",
    "tester invited sara.mine",
  ])
    expect(changes).toContain(told);
  expect(changes).not.toContain("theirs");
  expect((await support.get("/audit")).status).toBe(404);
});

test("a balance that is spent tells how long it lasts, quotas are drawn, and what is by default is one line", async () => {
  const { id } = await server.api("POST /accounts", { name: "Busy" });
  await server.api("POST /accounts/:id/senders", { id, sender: "30007711" });
  await server.api("POST /keys", { account: id, name: "till" });
  await server.api("PUT /quotas/:of", { of: id, day: 40 });
  await server.api("PATCH /accounts/:id", { id, countries: ["IR"] });
  const page = await (await owner.get(`/accounts/${id}`)).text();
  expect(page).toMatch(/Parts today <span class="muted">of 40<\/span>.*?<rect[^>]*class="gauge-rest"/s);
  const settings = plain(page.slice(page.indexOf("<h2>Settings"), page.indexOf("<h2>People")));
  expect(settings).toMatch(/Countries IR 12 others by default/);
});

test("the forms of users, suppression and prices open on their buttons, and stay open with what is wrong", async () => {
  for (const [path, name, title] of [
    ["/users", "add", "Add a user"],
    ["/suppression", "add", "Add a number"],
    ["/suppression", "import", "Import a file"],
    ["/prices", "set", "Set a price"],
    ["/prices", "import", "Import a file"],
  ] as const) {
    const closed = await (await owner.get(path)).text();
    expect([path, name, closed.includes(`<section class="card" id="${name}">`)]).toEqual([path, name, false]);
    expect(closed).toMatch(new RegExp(`href="${path}\\?open=${name}#${name}" data-dialog="#${name}"`));
    const open = await (await owner.get(`${path}?open=${name}`)).text();
    expect(open).toMatch(new RegExp(`<section class="card" id="${name}">.*?<h2>${title}</h2>`, "s"));
  }
  const wrong = await owner.post("/users?open=add", { name: "Not A Name", role: "support", account: "" });
  expect([wrong.status, await wrong.text()]).toEqual([422, expect.stringMatching(/id="add".*field-wrong/s)]);
});
