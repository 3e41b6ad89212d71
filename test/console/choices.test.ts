/** Fields among more choices than a list can hold search as one types; each role among what it may see. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { type ConsoleProcess, type FormClient, signedInAs, startConsole } from "../support/console.ts";
import { crowdFolder } from "../support/crowded-folder.ts";
import { freePort } from "../support/free-ports.ts";

let server: ConsoleProcess;
let owner: FormClient;
let customer: FormClient;
const many = 120;

beforeAll(async () => {
  const portalListen = `127.0.0.1:${await freePort()}`;
  server = await startConsole(() => ({ portalListen }));
  owner = await signedInAs(server, "owner");
  await server.restart(() =>
    crowdFolder(server.folder, { accounts: many, areLimited: true, senders: many, keys: many, lines: many }),
  );
  const { api } = server;
  for (let index = 0; index <= many; index += 1)
    await api("POST /routes", { name: `carrier-${index}`, kind: "simulator" });
  await api("POST /prices/:list", { list: "retail", prefix: "*", price: "10" });
  const one = { account: "acc_1", sender: "60000001", recipients: ["09121234567"], message: "x", idempotencyKey: "x" };
  await api("PUT /quotas/:of", { of: "acc_1", day: 10, month: 10 });
  await api("POST /messages", one);
  await api("POST /inbound/simulate", { from: "09121234567", to: "50000001", message: "Hello" });
  customer = await signedInAs(server, "customer", { account: "acc_1", url: `http://${portalListen}` });
});
afterAll(() => server.stop());

const open = async (client: FormClient, path: string) => (await client.get(path, { "HX-Request": "true" })).text();
const offered = async (client: FormClient, path: string) =>
  [...(await open(client, path)).matchAll(/<option value="([^"]*)">([^<]*)</g)].map(([, value, label]) => [
    value,
    label,
  ]);

test("what is typed finds accounts, senders, routes, lines and keys, at most twenty", async () => {
  expect(await offered(owner, "/choices/accounts?account=clinic+11")).toContainEqual(["acc_110", "Clinic 110"]);
  expect(await offered(owner, "/choices/senders?from=60000007")).toEqual([["acc_7/60000007", "Clinic 7"]]);
  expect(await offered(owner, "/choices/senderNames?sender=60000007")).toEqual([["60000007", ""]]);
  expect(await offered(owner, "/choices/routes?route=CARRIER-11")).toContainEqual(["carrier-119", ""]);
  expect(await offered(owner, "/choices/lines?line=50000007")).toEqual([["50000007", ""]]);
  expect(await offered(owner, "/choices/keys?key=Key+119")).toContainEqual(["key_119", "Key 119 · acc_1"]);
  for (const kind of ["accounts", "senders", "senderNames", "routes", "lines", "keys"]) {
    expect([kind, (await offered(owner, `/choices/${kind}?x=`)).length]).toEqual([kind, 20]);
    expect(await offered(owner, `/choices/${kind}?x=${"nothing ".repeat(100)}`)).toEqual([]);
  }
});

test("a customer finds its own alone, and nothing of what it may not see", async () => {
  for (const path of ["/choices/accounts", "/choices/routes"]) expect((await customer.get(path)).status).toBe(404);
  expect(await offered(customer, "/choices/senders?from=60000007")).toEqual([]);
  expect(await offered(customer, "/choices/senderNames?sender=30000007")).toEqual([["30000007", ""]]);
});

/** Each is a text field of its form, so it works without a script. */
const searched = (html: string, name: string) =>
  new RegExp(`<input[^>]* name="${name}"[^>]* list="field-${name}-choices" hx-get="([^"]*)"`).exec(html)?.[1];

test("forms and filters with too many choices have such a field, and keep what is typed", async () => {
  const cases = [
    ["/users?open=add", "account", "accounts"],
    ["/messages?account=acc_7", "account", "accounts"],
    ["/messages", "route", "routes"],
    ["/messages", "sender", "senderNames"],
    ["/inbound", "line", "lines"],
    ["/send", "from", "senders"],
    ["/accounts/acc_1/senders/new", "routes", "routes"],
    ["/credentials/new", "key", "keys"],
    ["/prices/retail", "route", "routes"],
  ] as const;
  for (const [path, name, kind] of cases) {
    const html = await open(owner, path);
    expect([path, name, searched(html, name)]).toEqual([path, name, `/choices/${kind}`]);
    expect([path, html.includes(`<datalist id="field-${name}-choices">`)]).toEqual([path, true]);
  }
  expect(searched(await open(customer, "/messages"), "sender")).toBe("/choices/senderNames");
  const chosen = await open(owner, "/messages?route=carrier-7&account=acc_7");
  expect(chosen).toMatch(/name="route"[^>]* value="carrier-7"/);
  expect(chosen).toContain("Clinic 7");
});

test("a filter by a route that nobody has is told at the filter", async () => {
  const answer = await owner.get("/messages?route=nothing");
  expect(answer.status).toBe(422);
  const html = await answer.text();
  expect(html).toMatch(/name="route"[^>]* value="nothing"/);
  expect(html).toContain("There is no route “nothing”.");
});
