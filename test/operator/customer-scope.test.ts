/** What a customer reaches of the operator API: the customer's own account, and nothing else. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { applyOutcome } from "../../src/dispatch/submit-outcome.ts";
import { defaultUncertainPolicy } from "../../src/domain/uncertain-policy.ts";
import { withoutRoutes } from "../../src/operator/for-customers.ts";
import { methodOf, pathOf } from "../../src/operator/operation.ts";
import { operations } from "../../src/operator/operations.ts";
import { createOperatorServer, type OperatorServer } from "../support/operator.ts";

let server: OperatorServer;
beforeAll(async () => {
  server = await createOperatorServer();
  for (const [index, name] of ["Clinic", "Bank"].entries()) {
    const account = `acc_${index + 1}`;
    await server.call("POST", "/accounts", { name });
    await server.call("POST", `/accounts/${account}/senders`, { sender: `3000${index + 1}` });
    await server.call("POST", "/keys", { account, name: `key of ${name}` });
    await server.call("POST", "/groups", { account, code: "vip", name: `Group of ${name}` });
    await server.call("POST", "/patterns", { account, code: "hello", name: "Hello", text: `Hello of ${name}` });
    await server.storeMessage({ trackingCode: `CODE${index + 1}`, accountId: index + 1, sender: `3000${index + 1}` });
  }
});
afterAll(() => server.close());

const customer = { actor: "clinic", origin: "console 127.0.0.1", role: "customer", accountId: 1, userId: 1 } as const;

/** As the customer of account 1. */
const ask = (method: string, path: string, body?: unknown) => server.askAs(customer, method, path, body);

test("lists show the customer's own entries, whatever account the address names", async () => {
  for (const path of ["/keys", "/groups", "/patterns", "/senders"]) {
    for (const query of ["", "?account=acc_2"]) {
      const { status, body } = await ask("GET", path + query);
      expect({ path, status }).toEqual({ path, status: 200 });
      expect(body).toMatchObject({ rows: [{ account: "acc_1" }], found: 1, total: 1 });
    }
  }
  const { body } = await ask("GET", "/messages?account=acc_2");
  expect(body).toMatchObject({ messages: [{ trackingCode: "CODE1" }] });
});

test("parts of lists show the customer's own entries for any search, and lists across accounts are not found", async () => {
  for (const path of ["/groups", "/patterns", "/senders"]) {
    for (const query of ["?limit=5", "?limit=5&account=acc_2", "?account=acc_2&offset=1"]) {
      const { status, body } = await ask("GET", path + query);
      expect({ path, status }).toEqual({ path, status: 200 });
      expect(body).toMatchObject({ rows: [{ account: "acc_1" }], found: 1, total: 1 });
    }
    expect(await ask("GET", `${path}?query=Bank`)).toMatchObject({ body: { rows: [], found: 0, total: 1 } });
  }
  for (const path of ["/accounts", "/approvals"]) {
    expect([path, (await ask("GET", path)).status]).toEqual([path, 404]);
  }
});

test("no request reveals to a customer which routes exist", async () => {
  const day = "from=2026-01-01T00:00:00Z&to=2026-01-02T00:00:00Z";
  for (const query of ["/messages?", "/messages/newer?", "/messages/export?", `/figures?by=all&${day}&`]) {
    const [there, none] = [await ask("GET", `${query}route=simulator`), await ask("GET", `${query}route=nowhere`)];
    expect({ query, ...there }).toMatchObject({ query, status: 404, body: { code: "not_found" } });
    expect(none).toEqual(there);
  }
  for (const path of [
    `/figures?by=route&${day}`,
    "/accounts/acc_1/usage?by=route",
    "/accounts/acc_1/statement?by=route",
  ]) {
    expect({ path, ...(await ask("GET", path)) }).toMatchObject({ path, status: 404, body: { code: "not_found" } });
  }
});

test("no answer names a route, a plan or a carrier's id to a customer", async () => {
  const routePlan = "secret-plan";
  await server.call("POST", "/plans", { name: routePlan });
  await server.call("POST", `/plans/${routePlan}/rules`, { targets: ["simulator"] });
  await server.call("PATCH", "/accounts/acc_1/senders/30001", { plan: routePlan });
  await server.storeMessage({ trackingCode: "WAITS", accountId: 1, sender: "30001" });
  await server.storeMessage({ trackingCode: "SENT", accountId: 1, sender: "30001" });
  await server.store.write((tables) => {
    const row = tables.messages.byCodeAnywhere("SENT");
    const now = server.clock.now();
    const claimed = row && tables.messages.move(row, { to: "submitting", at: now, routeId: 1, attempts: 1 });
    if (claimed === null) throw new Error("not claimed");
    const context = { routeId: 1, routeCount: 1, policy: defaultUncertainPolicy, now, jitter: 0, firstQueryAt: null };
    applyOutcome(tables, claimed, { kind: "accepted", partIds: ["carrier-id"] }, context);
  });
  const told = async (path: string, as: typeof ask) => JSON.stringify((await as("GET", path)).body);
  const names = /simulator|secret-plan|carrier-id/;
  for (const path of ["/messages/SENT", "/messages/WAITS", "/messages", "/accounts/acc_1", "/senders"]) {
    expect([path, names.test(await told(path, (method, to) => server.call(method, to)))]).toEqual([path, true]);
    expect([path, await told(path, ask)]).toEqual([path, expect.not.stringMatching(names)]);
  }
  const { body } = await ask("GET", "/messages/WAITS");
  expect(body).toMatchObject({
    state: "ready",
    waits: expect.stringMatching(/./),
    waitReason: null,
  });
  const message = { account: "acc_1", sender: "30001", message: "x", recipients: ["09121234567"] };
  expect(await ask("POST", "/messages/preview", message)).toMatchObject({ status: 200, body: { routes: [] } });
  // Whatever people called something.
  expect(withoutRoutes({ constructor: "a", toString: ["b"], fields: { route: "web" } })).toEqual({
    constructor: "a",
    toString: ["b"],
    fields: { route: null },
  });
});

test("another account's objects are answered like ones that never existed", async () => {
  const code = async (method: string, path: string, body?: unknown) => (await ask(method, path, body)).status;
  expect(await code("GET", "/messages/CODE1")).toBe(200);
  expect(await code("GET", "/messages/CODE2")).toBe(404);
  expect(await code("GET", "/messages/CODE3")).toBe(404);
  expect(await code("GET", "/accounts/acc_1")).toBe(200);
  expect(await code("GET", "/accounts/acc_2")).toBe(404);
  expect(await code("PATCH", "/keys/key_2", { name: "mine now" })).toBe(404);
  expect(await code("POST", "/keys/key_2/revoke")).toBe(404);
  expect(await ask("GET", "/groups/vip?account=acc_2")).toMatchObject({ body: { name: "Group of Clinic" } });
});

test("operators' notes about an account are never shown to a customer", async () => {
  await server.call("PATCH", "/accounts/acc_1", { note: "pays late" });
  expect(await server.call("GET", "/accounts/acc_1")).toMatchObject({ body: { note: "pays late" } });
  const { status, body } = await ask("GET", "/accounts/acc_1");
  expect({ status, body }).toMatchObject({ status: 200, body: { id: "acc_1", note: null } });
  expect(JSON.stringify(body)).not.toContain("pays late");
});

test("whatever a customer creates is its own, and the audit names who created it", async () => {
  expect(await ask("POST", "/keys", { account: "acc_2", name: "mobile app" })).toMatchObject({
    status: 200,
    body: { account: "acc_1" },
  });
  const { body } = await server.call("GET", "/audit?actor=clinic");
  expect(body).toMatchObject({
    entries: [{ actor: "clinic", origin: "console 127.0.0.1", action: "key.create", after: { account: "acc_1" } }],
  });
});

test("a customer cannot list a callback origin for its credential, since it may be inside the network", async () => {
  const made = { key: "key_1", kind: "kannel", name: "shop", traffic: "single" };
  const origins = { callbackOrigins: ["http://10.0.0.5:8000"] };
  const refused = { status: 400, body: { problems: [{ key: "callbackOrigins", code: "not_allowed" }] } };
  expect(await ask("POST", "/credentials", { ...made, ...origins })).toMatchObject(refused);
  expect(await ask("POST", "/credentials", made)).toMatchObject({ status: 200, body: { id: "cred_1" } });
  expect(await ask("PATCH", "/credentials/cred_1", origins)).toMatchObject(refused);
  expect(await ask("PATCH", "/credentials/cred_1", { rate: 5 })).toMatchObject({ status: 200, body: { rate: 5 } });
});

test("no customer learns what a callback's host resolves to", async () => {
  const events = ["message.status"];
  const { body } = await server.call("POST", "/webhooks", { account: "acc_1", url: "https://8.8.8.8/", events });
  const id = typeof body === "object" && body !== null && "id" in body ? String(body.id) : "";
  await server.call("POST", `/webhooks/${id}/test`);
  const made = { at: server.clock.now(), status: null, address: null, durationMs: 1, excerpt: new Uint8Array() };
  const dueAt = server.clock.now();
  const secret = "db.corp.example.com: 10.9.8.7 is refused (not_public)";
  for (const [failure, detail] of [
    ["address_refused", secret],
    ["name_not_found", "db.corp.example.com has no address"],
    ["connect_failed", "connect ECONNREFUSED"],
  ] as const)
    await server.store.write(({ outbox }) =>
      outbox.settle(1, { ...made, failure, detail }, { state: "waiting", dueAt }),
    );
  const told = (detail: string) => expect.objectContaining({ detail });
  const path = `/webhooks/${id}/deliveries`;
  const attempts = (first: string, second: string) => [told(first), told(second), told("connect ECONNREFUSED")];
  expect(await server.call("GET", path)).toMatchObject({
    body: [{ attempts: attempts(secret, "db.corp.example.com has no address") }],
  });
  expect(await ask("GET", path)).toMatchObject({ status: 200, body: [{ attempts: attempts("", "") }] });
});

test("every operation that is not for customers is not found", async () => {
  const reached = new Set<string>();
  for (const name of Object.keys(operations)) {
    const path = pathOf(name);
    const { body } = await ask(
      methodOf(name),
      path.replaceAll(/:\w+/g, "x1"),
      ["GET", "DELETE"].includes(methodOf(name)) ? undefined : {},
    );
    const isThere =
      JSON.stringify(body) !== JSON.stringify({ code: "not_found", message: "The operator API has no such path." });
    if (isThere) reached.add(path.split("/")[1] ?? "");
  }
  expect([...reached].sort()).toEqual([
    "balance-watch",
    "campaigns",
    "credentials",
    "figures",
    "find",
    "groups",
    "inbound",
    "keys",
    "lines",
    "messages",
    "own",
    "patterns",
    "sender-requests",
    "senders",
    "webhooks",
  ]);
});

test("no socket request passes for a signed-in user or for the console", async () => {
  const headers = { "peyk-user": "clinic", "Content-Type": "application/json" };
  const init = { method: "POST", headers, body: JSON.stringify({ name: "Third" }), unix: server.socketPath };
  await fetch("http://localhost/accounts", init);
  const { body } = await server.call("GET", "/audit?action=account.create&limit=1");
  expect(body).toMatchObject({ entries: [{ actor: "clinic", origin: "socket" }] });
});
