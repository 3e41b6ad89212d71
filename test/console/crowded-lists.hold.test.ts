/** Pages of a service with thousands of everything: each shows fifty, can be searched, and does not block the event loop. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { type ConsoleProcess, type FormClient, signedInAs, startConsole } from "../support/console.ts";
import { plainText } from "../support/console-traffic.ts";
import { crowdFolder } from "../support/crowded-folder.ts";
import { freePort } from "../support/free-ports.ts";
import { expectNoHold } from "../support/longest-turn.ts";

let server: ConsoleProcess;
let owner: FormClient;
let customer: FormClient;
const many = 3_000;
const of = {
  accounts: 500,
  areLimited: true,
  webhooks: many,
  users: many,
  keys: many,
  senders: many,
  lines: many,
  patterns: many,
};
beforeAll(async () => {
  const portalListen = `127.0.0.1:${await freePort()}`;
  server = await startConsole(() => ({ portalListen }));
  owner = await signedInAs(server, "owner");
  await server.restart(() => crowdFolder(server.folder, { ...of, prices: 20_000 }));
  customer = await signedInAs(server, "customer", { account: "acc_1", url: `http://${portalListen}` });
});
afterAll(() => server.stop());

/** Of a page alone, without what it loads. */
const pageBytesMax = 100_000;

const rowsIn = (html: string) => html.match(/<tr role="row"/g)?.length ?? 0;

/** The page, which blocked the loop for less than 50 ms; a first call compiles its code. */
async function quickPage(path: string, client = owner): Promise<string> {
  await client.get(path);
  let html = "";
  const show = async () => {
    html = await (await client.get(path)).text();
  };
  await expectNoHold(show, { what: path });
  expect({ path, isLight: Buffer.byteLength(html) < pageBytesMax }).toEqual({ path, isLight: true });
  return html;
}

/** A page of a list that is filtered by `q`, and the link to its next page. */
async function expectPaged(
  path: string,
  { q, found, client = owner, shown = 50 }: { q: string; found: string; client?: FormClient; shown?: number },
) {
  const first = await quickPage(path, client);
  // The head is a row.
  expect({ path, rows: rowsIn(first) }).toEqual({ path, rows: 1 + shown });
  expect(first).toContain(`href="${path}?page=2"`);
  const second = await quickPage(`${path}?q=${q}&page=2`, client);
  expect({ path, rows: rowsIn(second) }).toEqual({ path, rows: 1 + shown });
  expect(plainText(second)).toContain(`${shown + 1}–${2 * shown} of ${found}`);
  expect([second.includes(`value="${q}"`), second.includes(`href="${path}?q=${q}&amp;page=3"`)]).toEqual([true, true]);
}

test("thousands of webhooks, for all accounts and for a customer", async () => {
  for (const client of [owner, customer]) await expectPaged("/callbacks", { q: "hooks-2", found: "1,111", client });
  // Failed ones come first, each with the button that sends again.
  const first = await quickPage("/callbacks");
  expect(first.match(/\/callbacks\/[0-9a-f-]+\/replay"/g)).toHaveLength(50);
  expect(await quickPage("/callbacks?q=hooks-2999.")).toContain("hooks-2999.example.com");
  expect(plainText(await quickPage("/callbacks?q=nowhere"))).toContain("Nothing found");
});

test("thousands of users", async () => {
  await expectPaged("/users", { q: "user-2", found: "1,111" });
  expect(rowsIn(await quickPage("/users?q=OWNER"))).toBe(2);
  expect(rowsIn(await quickPage("/users?q=clinic+1&page=60"))).toBe(51);
});

test("thousands of keys and senders, for a customer and on their account's page", async () => {
  await expectPaged("/keys", { q: "key_2", found: "1,111", client: customer });
  await expectPaged("/accounts/acc_1/keys", { q: "key_2", found: "1,111" });
  await expectPaged("/accounts/acc_1/senders", { q: "30002", found: "1,000", shown: 30 });
  const account = await quickPage("/accounts/acc_1");
  // Five keys, five senders and three changes, each under its heading; of the people only their number.
  expect(rowsIn(account)).toBe(16);
  expect(account).toMatch(/<a href="\/users\?q=[^"]+">All [\d,]+ people<\/a>/);
  expect(account).toContain('<a href="/accounts/acc_1/keys">All 3,000 keys</a>');
  expect(account).toContain('<a href="/accounts/acc_1/senders">All 3,001 senders</a>');
  // One key is found without listing all.
  for (const page of ["/keys/key_2999/revoke", "/keys/key_2999/rotate"]) {
    expect(plainText(await quickPage(page, customer))).toContain("Key 2999");
    expect(plainText(await quickPage(`/accounts/acc_1${page}`))).toContain("Key 2999");
  }
  for (const page of ["/accounts/acc_1/settings", "/accounts/acc_1/balance", "/accounts/acc_1/keys/new"]) {
    expect((await quickPage(page)).length).toBeLessThan(24_000);
  }
});

test("switching off a sender on one page of a list returns to that page", async () => {
  const page = "/accounts/acc_1/senders?q=3000&page=3";
  const html = await quickPage(page);
  const part = /name="part" value="([^"]+)"/.exec(html)?.[1]?.replaceAll("&amp;", "&") ?? "";
  const sender = /name="sender" value="([^"]+)"/.exec(html)?.[1] ?? "";
  const switched = await owner.post("/accounts/acc_1/senders/switch", { sender, part, active: "no" });
  expect(switched.headers.get("Location")).toBe(page);
  expect(plainText(await quickPage(page))).toContain("Switch on");
});

test("a customer's first pages with thousands of webhooks and senders", async () => {
  const overview = plainText(await quickPage("/", customer));
  expect(overview).toContain("hooks-1.example.com");
  expect(overview).not.toContain("hooks-99.example.com");
  expect(await quickPage("/begin", customer)).toContain("60000001");
  const messages = await quickPage("/messages?sender=30002999", customer);
  expect(messages.match(/<option/g)?.length).toBeLessThan(100);
  expect(messages).toMatch(/<input[^>]* name="sender"[^>]* value="30002999" list="field-sender-choices"/);
  expect(await quickPage("/choices/senderNames?sender=30002", customer)).toContain('value="30002000"');
});

test("the system page shows twenty warnings of a kind, and how many more there are", async () => {
  await server.api("GET /status");
  let warnings: readonly string[] = [];
  await expectNoHold(async () => {
    warnings = (await server.api("GET /status")).warnings;
  });
  expect(warnings.filter((one) => one.startsWith("The webhook https://hooks-"))).toHaveLength(20);
  expect(warnings).toContain("1480 more webhooks were switched off. See: peyk webhook list");
  expect(warnings.filter((one) => one.includes(") has nothing left to spend;"))).toHaveLength(20);
  expect(warnings).toContain("480 more prepaid accounts have nothing left to spend. See: peyk account list");
  expect((await quickPage("/system")).length).toBeLessThan(40_000);
  expect(plainText(await quickPage("/"))).toContain("hooks-1.example.com");
});

test("a long price list, searched by the first digits of a number", async () => {
  await expectPaged("/prices/world", { q: "101", found: "1,000" });
  expect(await quickPage("/prices/world")).toContain('<a href="/prices/world/accounts">All 500 accounts</a>');
  await expectPaged("/prices/world/accounts", { q: "clinic", found: "500" });
  const found = await quickPage("/prices/world?q=%2B10%DB%B0123");
  expect([rowsIn(found), plainText(found).includes("100123")]).toEqual([2, true]);
  let prefixes = 0;
  await expectNoHold(async () => {
    const answer = await owner.post("/prices/world/set", { prefix: `98912${prefixes}`, price: "77", from: "" });
    prefixes += 1;
    expect(answer.headers.get("Location")).toBe("/prices/world");
  });
  expect(plainText(await quickPage("/prices/world?q=98912"))).toContain("98912");
  const { lines } = await server.api("GET /prices/:list", { list: "world" });
  expect(lines).toHaveLength(20_000 + prefixes);
});

test("thousands of lines, for all accounts and as a filter", async () => {
  await expectPaged("/inbound/lines", { q: "50002", found: "1,000" });
  const inbound = await quickPage("/inbound?line=50002999");
  expect(inbound.match(/<option/g)?.length).toBeLessThan(100);
  expect(await quickPage("/choices/lines?line=50002")).toContain('value="50002000"');
  expect(plainText(await quickPage("/inbound/lines/50002999/remove"))).toContain("50002999");
  expect((await owner.get("/inbound/lines/50009999/remove")).status).toBe(404);
});

test("a search for a word in many patterns with long texts", async () => {
  await expectPaged("/patterns", { q: "p-2", found: "1,111" });
  expect(rowsIn(await quickPage("/patterns?q=order+2999+is"))).toBe(2);
  expect(plainText(await quickPage("/patterns?q=tonight"))).toContain("Nothing found");
});

test("a plan tried with a thousand numbers of many countries", async () => {
  const { api } = server;
  await api("POST /plans", { name: "world" });
  const names = Array.from({ length: 16 }, (_, index) => `carrier-of-the-world-${index}`);
  for (const name of names) await api("POST /routes", { name, kind: "simulator" });
  const targets = names.map((_, first) => ({ routes: [...names.slice(first), ...names.slice(0, first)], weight: 1 }));
  await api("POST /plans/:name/rules", { name: "world", targets });
  const beginnings = ["+4915112345", "+12025550", "+447911123", "+336123456", "+861381234"];
  const numbers = Array.from({ length: 1_000 }, (_, index) => `${beginnings[index % 5]}${1_000 + index}`);
  const form = new FormData();
  form.set("file", new File([numbers.join("\n")], "numbers.csv", { type: "text/csv" }));
  form.set("class", "single");
  let html = "";
  await expectNoHold(async () => {
    html = await (await owner.postForm("/plans/world/test", form)).text();
  });
  expect(plainText(html)).toContain("1,000");
  const tried = await server.api("POST /plans/:name/test", { name: "world", recipients: numbers });
  expect([tried.length, tried[999]?.rule, tried[999]?.targets.length]).toEqual([1_000, 1, 16]);
});
