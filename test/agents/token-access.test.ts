/** What a user's token opens over the console's listeners, and what it does not. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import {
  type ConsoleProcess,
  type FormClient,
  goodPassword,
  LateClock,
  signedInAs,
  startConsole,
} from "../support/console.ts";

let service: ConsoleProcess;
let owner: FormClient;
const clock = new LateClock();

beforeAll(async () => {
  service = await startConsole((settings) => ({ portalListen: "127.0.0.1:0", console: { ...settings.console } }), {
    clock,
  });
  owner = await signedInAs(service, "owner");
});
afterAll(() => service.stop());

const inAWeek = () => new Date(clock.now() + 7 * 86_400_000).toISOString();

async function tokenOf(user: string, settings: object = {}) {
  return service.api("POST /tokens", { user, name: "agent", expiresAt: inAWeek(), ...settings });
}

const ask = (token: string, path: string, init: RequestInit = {}, base = service.consoleUrl) =>
  fetch(base + path, { ...init, headers: { Authorization: `Bearer ${token}`, ...init.headers } });

const post = (token: string, path: string, body: object) =>
  ask(token, path, { method: "POST", body: JSON.stringify(body), headers: { "Content-Type": "application/json" } });

test("a token opens the operator's API, in the Authorization header alone", async () => {
  const { token } = await tokenOf("owner");
  const good = await ask(token, "/api/accounts");
  expect([good.status, good.headers.get("X-Content-Type-Options")]).toEqual([200, "nosniff"]);
  const others = [
    fetch(`${service.consoleUrl}/api/accounts?access_token=${token}&token=${token}`),
    fetch(`${service.consoleUrl}/api/accounts`, { headers: { Cookie: `peyk=${token}; peyk_session=${token}` } }),
    fetch(`${service.consoleUrl}/api/accounts`, { headers: { Authorization: `Basic ${btoa(`owner:${token}`)}` } }),
    fetch(`${service.consoleUrl}/api/accounts`),
    owner.get("/api/accounts"),
  ];
  for (const answer of await Promise.all(others))
    expect([answer.status, await answer.json()]).toEqual([401, expect.objectContaining({ code: "token_unknown" })]);
  // The public API knows no such token, and pages take none.
  expect((await ask(token, "/v1/messages/abc", {}, service.url)).status).toBe(401);
  expect((await ask(token, "/api/accounts", {}, service.url)).status).not.toBe(200);
  expect((await ask(token, "/accounts", { redirect: "manual" })).status).toBe(303);
});

test("what a token may is judged at each request: its role, its list, and its user", async () => {
  await signedInAs(service, "operator", { name: "omid" });
  const { token, id } = await tokenOf("omid", { operations: ["reads"] });
  expect((await ask(token, "/api/accounts")).status).toBe(200);
  expect((await post(token, "/api/accounts", { name: "Shop" })).status).toBe(403);
  const lesser = await tokenOf("omid", { role: "support" });
  expect((await ask(lesser.token, "/api/audit")).status).toBe(403);
  await expect(tokenOf("omid", { role: "owner" })).rejects.toMatchObject({ code: "token_role" });
  await service.api("DELETE /tokens/:id", { id });
  expect((await ask(token, "/api/accounts")).status).toBe(401);
  const another = await tokenOf("omid");
  await service.api("POST /users/:name/disable", { name: "omid" });
  expect((await ask(another.token, "/api/accounts")).status).toBe(401);
  // Enabled again, the user has no old token.
  await service.api("POST /users/:name/reset", { name: "omid" });
  expect((await ask(another.token, "/api/accounts")).status).toBe(401);
  expect(await service.api("GET /tokens", { user: "omid" })).toEqual([]);
});

test("nobody adds users or tokens with a token, nor confirms anything", async () => {
  const { token } = await tokenOf("owner");
  const answers = await Promise.all([
    post(token, "/api/users", { name: "mallory", role: "owner" }),
    post(token, "/api/tokens", { user: "owner", name: "x", expiresAt: inAWeek() }),
    post(token, "/api/own/tokens", { name: "x", expiresAt: inAWeek() }),
    post(token, "/api/users/owner/reset", {}),
    ask(token, "/api/tokens"),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403, 200]);
});

test("it ends at its time, and is only good from its addresses", async () => {
  const { token } = await tokenOf("owner", { allowFrom: ["203.0.113.0/24"] });
  const wrong = await ask(token, "/api/accounts");
  expect([wrong.status, await wrong.json()]).toEqual([401, expect.objectContaining({ code: "token_unknown" })]);
  const short = await tokenOf("owner", { expiresAt: new Date(clock.now() + 60_000).toISOString() });
  expect((await ask(short.token, "/api/accounts")).status).toBe(200);
  clock.pass(61_000);
  expect((await ask(short.token, "/api/accounts")).status).toBe(401);
});

test("pages of other sites and other names of the host get no answer", async () => {
  const { token } = await tokenOf("owner");
  const status = async (headers: Record<string, string>, path = "/api/accounts") =>
    (await ask(token, path, { headers })).status;
  expect(await status({ Origin: "https://evil.example" })).toBe(403);
  expect(await status({ "Sec-Fetch-Site": "cross-site" })).toBe(403);
  expect(await status({ Host: "rebound.example" })).toBe(421);
  expect(await status({ Host: "rebound.example" }, "/mcp")).toBe(421);
  expect(await status({ Origin: service.consoleUrl })).toBe(200);
});

test("thousands of wrong tokens are slowed down, and a right one passes among them", async () => {
  const { token } = await tokenOf("owner");
  const statuses: number[] = [];
  for (let round = 0; round < 40; round += 1) {
    const guesses = await Promise.all(
      Array.from({ length: 50 }, (_, n) => ask(`peykuser_${round}x${n}`, "/api/accounts")),
    );
    statuses.push(...guesses.map((answer) => answer.status));
    for (const guess of guesses) await guess.body?.cancel();
  }
  expect(statuses.filter((one) => one === 401).length).toBeLessThanOrEqual(60);
  expect(statuses.filter((one) => one === 429).length).toBeGreaterThan(1_900);
  expect((await ask(token, "/api/accounts")).status).toBe(200);
});

test("a large body is not read without a token, and refused with one", async () => {
  const { token } = await tokenOf("owner");
  const body = "x".repeat(10 * 1024 * 1024);
  expect((await ask("peykuser_wrong", "/api/messages", { method: "POST", body })).status).toBeOneOf([401, 429]);
  expect((await ask(token, "/api/messages", { method: "POST", body })).status).toBe(413);
  expect((await ask(token, "/mcp", { method: "POST", body })).status).toBe(413);
  expect((await post(token, "/api/messages", [])).status).toBe(400);
  const raw = async (body: string | Uint8Array<ArrayBuffer>) => {
    const answer = await ask(token, "/api/accounts", { method: "POST", body });
    return [answer.status, JSON.stringify(await answer.json())];
  };
  const nested = (depth: number) => `{"name":"Deep","x":${"[".repeat(depth - 1)}${"]".repeat(depth - 1)}}`;
  const notJson = [400, expect.stringContaining("not valid JSON")];
  expect((await raw(nested(64)))[1]).not.toContain("not valid JSON");
  expect([await raw(nested(65)), await raw("{"), await raw(Buffer.from('{"name":"\xff"}', "latin1"))]).toEqual([
    notJson,
    notJson,
    notJson,
  ]);
});

test("a customer's token opens MCP at the portal alone, for its own account", async () => {
  const [mine, other] = [
    await service.api("POST /accounts", { name: "Mine" }),
    await service.api("POST /accounts", { name: "Other" }),
  ];
  const url = service.portalUrl ?? "";
  await signedInAs(service, "customer", { name: "karim", account: mine.id, url });
  const { token } = await tokenOf("karim");
  expect((await ask(token, "/api/accounts")).status).toBeOneOf([401, 429]);
  expect((await ask(token, "/api/accounts", {}, url)).status).toBe(404);
  const rpc = (method: string, params: object) =>
    ask(
      token,
      "/mcp",
      {
        method: "POST",
        headers: { "Content-Type": "application/json", Accept: "application/json, text/event-stream" },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
      },
      url,
    );
  const call = (name: string, input: object) => rpc("tools/call", { name, arguments: input });
  const client = { name: "test", version: "1" };
  const begun = await (
    await rpc("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: client })
  ).json();
  expect(begun.result.instructions).not.toContain("what_needs_a_look");
  const { result } = await (await rpc("tools/list", {})).json();
  const fields = result.tools.flatMap(({ inputSchema }: { inputSchema: { properties: object } }) =>
    Object.keys(inputSchema.properties),
  );
  expect(fields).toContain("trackingCode");
  expect(fields).not.toContain("route");
  const usage = await (await call("account_usage", { id: other.id })).text();
  expect(usage).toContain("not_found");
  await service.api("POST /accounts/:id/senders", { id: other.id, sender: "30007777" });
  const sent = { account: other.id, sender: "30007777", recipients: ["+989121234577"], idempotencyKey: "theirs" };
  const { firstTrackingCode } = await service.api("POST /messages", { ...sent, message: "Theirs" });
  // It is a change of the own account, which has no such sender.
  const asked = await (await call("send_message", { ...sent, message: "Mine?" })).text();
  expect(asked).toContain(`\\"target\\":\\"${mine.id}\\"`);
  expect(asked).toContain("is no active sender of the account");
  expect(asked).not.toContain("not_found");
  expect(await (await call("show_message", { trackingCode: firstTrackingCode })).text()).toContain("not_found");
  const cancelled = await (await call("cancel_messages", { trackingCodes: [firstTrackingCode], dryRun: true })).text();
  expect(cancelled).not.toContain("30007777");
  expect(await (await call("list_routes", {})).text()).toContain("operation_not_allowed");
  const searched = await (await call("search_messages", { account: other.id })).text();
  expect(searched).toContain("messages");
  expect(searched).not.toContain(firstTrackingCode);
});

test("a lower role lowers the token's, and a removed user has none", async () => {
  const { id } = await service.api("POST /accounts", { name: "Firm" });
  const url = service.portalUrl ?? "";
  for (const name of ["kian", "admin"]) await signedInAs(service, "customer", { name, account: id, url });
  const { token } = await tokenOf("kian");
  const headers = { "Content-Type": "application/json", Accept: "application/json, text/event-stream" };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" });
  const listed = () => ask(token, "/mcp", { method: "POST", headers, body }, url);
  expect(await (await listed()).text()).toContain("send_message");
  await service.api("PATCH /accounts/:id/colleagues/:name", { id, name: "kian", role: "customer-reads" });
  const lowered = await (await listed()).text();
  expect(lowered).toContain("search_messages");
  expect(lowered).not.toContain("send_message");
  await service.api("POST /accounts/:id/colleagues/:name/remove", { id, name: "kian" });
  expect((await listed()).status).toBeOneOf([401, 429]);
});

test("the page of one's settings makes a token with the password, shows it once, and revokes it", async () => {
  const fields = { name: "Claude", expiresAt: inAWeek().slice(0, 10), operations: "reads", password: "wrong" };
  const wrong = await owner.post("/settings/tokens/new", fields);
  expect(wrong.status).toBe(422);
  const made = await (await owner.post("/settings/tokens/new", { ...fields, password: goodPassword })).text();
  const token = /peykuser_[\w-]{43}/.exec(made)?.[0] ?? "";
  expect((await ask(token, "/api/accounts")).status).toBe(200);
  const settings = await (await owner.get("/settings")).text();
  expect(settings).toContain("Claude");
  expect(settings).not.toContain(token);
  const id = (await service.api("GET /tokens", { user: "owner" })).find(({ name }) => name === "Claude")?.id ?? "";
  const question = await (await owner.get(`/settings/tokens/${id}/revoke`)).text();
  expect(question).toContain("Claude");
  expect((await owner.post(`/settings/tokens/${id}/revoke`)).status).toBe(303);
  expect((await ask(token, "/api/accounts")).status).toBeOneOf([401, 429]);
  const { entries } = await service.api("GET /audit", { target: id });
  expect(entries.map(({ action, actor }) => `${actor} ${action}`)).toEqual([
    "owner token.revoke",
    "owner token.create",
  ]);
  expect(JSON.stringify(entries)).not.toContain(token);
});
