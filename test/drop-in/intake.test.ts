/** Intakes: who may call, the outcome of a call, and what is kept of it. */
import { afterEach, describe, expect, test } from "bun:test";
import { createHmac } from "node:crypto";
import { connect } from "node:net";
import { Writable } from "node:stream";
import pino from "pino";
import type { TriedCall } from "../../src/operator/intakes.ts";
import { type DropInCredentialSeed, DropInServer } from "../support/drop-in-server.ts";

let server: DropInServer | null = null;
afterEach(async () => {
  await server?.stop();
  server = null;
});

const password = "password-of-ops";
const intake = (template: object, more: Partial<DropInCredentialSeed> = {}): DropInCredentialSeed => ({
  kind: "intake",
  name: "ops",
  password,
  template: { sender: "30001234", ...template },
  ...more,
});
const basic = { authorization: `Basic ${btoa(`ops:${password}`)}` };
const json = { "content-type": "application/json" };

const start = async (template: object, more: Partial<DropInCredentialSeed> = {}, key: object = {}) => {
  server = await DropInServer.start([intake(template, more)], {}, { key });
  return server;
};

async function call(body: string | object, headers: Record<string, string> = basic, path = "/in/ops") {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const answer = await fetch(`${server?.url}${path}`, { method: "POST", body: text, headers: { ...json, ...headers } });
  const answered = await answer.text();
  return { status: answer.status, body: answered, headers: answer.headers };
}

/** The problems of what `peyk intake test` would send. */
async function triedProblems(body: object): Promise<(string | null)[]> {
  const asked = { body: JSON.stringify(body) };
  const tried = await server?.operate<TriedCall>("POST", "/intakes/ops/test", asked);
  return (tried?.messages ?? []).map(({ problem }) => problem && `${problem.key} ${problem.message}`);
}

const textTo = { to: "{{to}}", text: "{{text}}" };
const good = { to: "09121234567", text: "سلام" };

describe("authentication of an intake call", () => {
  const proofs: [string, object, Record<string, string>, string][] = [
    ["basic", { kind: "basic" }, basic, "/in/ops"],
    [
      "another user name",
      { kind: "basic", username: "u" },
      { authorization: `Basic ${btoa(`u:${password}`)}` },
      "/in/ops",
    ],
    ["bearer", { kind: "bearer" }, { authorization: `Bearer ${password}` }, "/in/ops"],
    ["header", { kind: "header", name: "X-Api-Key" }, { "x-api-key": password }, "/in/ops"],
    ["query", { kind: "query", name: "token" }, {}, `/in/ops?token=${password}`],
  ];

  test.each(proofs)("%s accepts the right password and no other", async (_, caller, headers, path) => {
    const { messages } = await start({ ...textTo, caller });
    expect((await call(good, headers, path)).status).toBe(200);
    expect(server?.messages()).toMatchObject([{ recipient: "+989121234567", text: "سلام", class: 1 }]);
    const wrong = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, `${value.slice(0, -8)}AAAAAAAA`]),
    );
    const refused = [
      await call(good, {}, "/in/ops"),
      await call(good, wrong, path.replace(password, "wrong")),
      await call(good, headers, path.replace("/in/ops", "/in/nobody")),
      await call(good, headers, path.replace("/in/ops", "/in/%00")),
      await call("{", wrong, "/in/ops"),
    ];
    expect(new Set(refused.map(({ status, body }) => `${status} ${body}`)).size).toBe(1);
    expect(refused[0]).toMatchObject({ status: 401 });
    expect(refused.map(({ headers: given }) => given.get("www-authenticate"))).toEqual(
      refused.map(() => 'Basic realm="intake"'),
    );
    expect(messages.call(server).length).toBe(1);
  });

  test("a password is checked before the body is read, and the length of the body after it", async () => {
    await start(textTo);
    const long = "x".repeat(256 * 1024 + 1);
    expect((await call(long, {})).status).toBe(401);
    expect((await call(long)).status).toBe(413);
    const fits = JSON.stringify({ ...good, more: "" });
    expect(
      (await call(fits.replace('"more":""', `"more":"${"y".repeat(256 * 1024 - Buffer.byteLength(fits))}"`))).status,
    ).toBe(200);
  });

  test("a wrong password is refused before any byte of the body has arrived", async () => {
    await start(textTo);
    const socket = connect(server?.port ?? 0, "127.0.0.1");
    const answered = Promise.withResolvers<string>();
    socket.on("data", (octets) => answered.resolve(octets.toString()));
    socket.write("POST /in/ops HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n");
    expect(await answered.promise).toStartWith("HTTP/1.1 401");
    socket.destroy();
  });

  test("an old password works during its grace period, and a revoked credential does not", async () => {
    const { operate } = await start(textTo);
    await operate.call(server, "POST", "/credentials/cred_1/rotate", {
      password: "another-password",
      graceSeconds: 60,
    });
    expect((await call(good)).status).toBe(200);
    expect((await call(good, { authorization: `Basic ${btoa("ops:another-password")}` })).status).toBe(200);
    await operate.call(server, "POST", "/credentials/cred_1/revoke");
    expect((await call(good)).status).toBe(401);
  });
});

describe("signed intake calls", () => {
  const key = Buffer.alloc(32, 5);
  const secret = `v1,whsec_${key.toString("base64")}`;
  const signed = (body: string, id = "msg_1", at = Math.floor(Date.now() / 1_000), by = key) => ({
    "webhook-id": id,
    "webhook-timestamp": String(at),
    "webhook-signature": `v1,${createHmac("sha256", by).update(`${id}.${at}.${body}`).digest("base64")}`,
  });
  const caller = { kind: "standard-webhooks" };
  const body = JSON.stringify(good);

  test("are accepted once each, also after a restart, and another id is another call", async () => {
    const running = await start({ ...textTo, caller }, { password: secret });
    const first = await call(body, signed(body));
    expect(first.status).toBe(200);
    const replayed = await call(body, signed(body));
    expect([replayed.status, JSON.parse(replayed.body)]).toEqual([
      200,
      { ...JSON.parse(first.body), date: expect.any(String), duplicate: true },
    ]);
    await running.halt();
    await running.startAgain();
    expect(JSON.parse((await call(body, signed(body))).body)).toMatchObject({ duplicate: true });
    expect(running.messages().length).toBe(1);
    expect(JSON.parse((await call(body, signed(body, "msg_2"))).body)).toMatchObject({ duplicate: false });
    expect(running.messages().length).toBe(2);
  });

  test("do not become new calls by an unsigned header", async () => {
    const running = await start({ ...textTo, caller }, { password: secret });
    const recorded = signed(body);
    expect(JSON.parse((await call(body, recorded)).body)).toMatchObject({ duplicate: false });
    const again = await call(body, { ...recorded, "idempotency-key": "another" });
    expect(JSON.parse(again.body)).toMatchObject({ duplicate: true });
    expect(running.messages().length).toBe(1);
  });

  test("use the template's key before the signed id, so that each attempt may be signed again", async () => {
    const running = await start({ ...textTo, caller, key: "{{id}}" }, { password: secret });
    const named = JSON.stringify({ ...good, id: "one" });
    expect((await call(named, signed(named, "msg_1"))).status).toBe(200);
    expect(JSON.parse((await call(named, signed(named, "msg_2"))).body)).toMatchObject({ duplicate: true });
    expect(running.messages().length).toBe(1);
  });

  test("with a wrong, old or missing signature or a long body are answered like an unknown name", async () => {
    await start({ ...textTo, caller }, { password: secret });
    const day = 86_400;
    const now = Math.floor(Date.now() / 1_000);
    const long = "x".repeat(256 * 1024 + 1);
    const refused = [
      await call(body, signed(`${body} `)),
      await call(body, signed(body, "m", now, Buffer.alloc(32, 6))),
      await call(body, signed(body, "m", now - day)),
      await call(body, signed(body, "m", now + day)),
      await call(body, {}),
      await call(long, signed(long)),
      await call(body, signed(body), "/in/nobody"),
    ];
    expect(new Set(refused.map(({ status, body: said }) => `${status} ${said}`)).size).toBe(1);
    expect(server?.messages()).toEqual([]);
  });

  test("accept the old secret during its grace period, and the secrets are stored sealed", async () => {
    const running = await start({ ...textTo, caller }, { password: secret });
    const next = Buffer.alloc(32, 7);
    await running.operate("POST", "/credentials/cred_1/rotate", {
      password: `whsec_${next.toString("base64")}`,
      graceSeconds: 60,
    });
    expect((await call(body, signed(body, "m1"))).status).toBe(200);
    expect((await call(body, signed(body, "m2", undefined, next))).status).toBe(200);
    await running.operate("POST", "/credentials/cred_1/rotate", {
      password: `whsec_${Buffer.alloc(32, 8).toString("base64")}`,
      graceSeconds: 0,
    });
    expect((await call(body, signed(body, "m3", undefined, next))).status).toBe(401);
    const { readFileSync, readdirSync } = await import("node:fs");
    for (const file of readdirSync(running.folder).filter((name) => name.startsWith("peyk.db")))
      expect(readFileSync(`${running.folder}/${file}`).includes(key.toString("base64"))).toBe(false);
  });
});

describe("an accepted intake call", () => {
  test("with several recipients is a campaign, accepted whole or not at all", async () => {
    const running = await start(textTo);
    expect((await call({ to: ["09121234567", "09351234567"], text: "x" })).status).toBe(200);
    expect(running.messages().map((message) => message.class)).toEqual([2, 2]);
    const refused = await call({ to: ["09121234567", "12"], text: "x" });
    expect([refused.status, JSON.parse(refused.body).code]).toEqual([400, "recipient_invalid"]);
    expect(running.messages().length).toBe(2);
  });

  test("may have 500 recipients, and is refused with 501", async () => {
    const running = await start(textTo);
    const numbers = (count: number) => Array.from({ length: count }, (_, index) => `0912${1_000_000 + index}`);
    expect((await call({ to: numbers(501), text: "x" })).status).toBe(400);
    expect((await call({ to: numbers(500), text: "x" })).status).toBe(200);
    expect(running.messages().length).toBe(500);
  });

  test("with a code is sent as a one-time password, which is stored nowhere in plain text", async () => {
    const running = await start({ to: "{{to}}", code: "{{code}}", key: "{{id}}" }, { traffic: "code" });
    const taken = await call({ to: "09120000003", code: "482913", id: "a" });
    expect(taken.status).toBe(200);
    expect(running.messages()).toMatchObject([{ class: 0 }]);
    expect(running.messages()[0]?.text).not.toContain("482913");
    expect(JSON.parse((await call({ to: "09120000003", code: "482913", id: "a" })).body)).toMatchObject({
      duplicate: true,
    });
    const again = await call({ to: "09120000003", code: "482914", id: "b" });
    expect([again.status, again.headers.get("retry-after")]).toEqual([429, expect.stringMatching(/^\d+$/)]);
    expect((await call({ to: "09120000004", code: "1", id: "c" })).status).toBe(400);
  });

  test("with a code that its pattern refuses is invalid, also when it is tried", async () => {
    const content = { to: "{{to}}", code: "{{code}}", pattern: "login" };
    const running = await start(content, { traffic: "code" });
    const { accountId: account } = running;
    const code = { to: "09120000003", code: "123456789" };
    expect(await triedProblems(code)).toEqual(["pattern is no approved pattern of the account for one-time passwords"]);
    const pattern = { account, code: "login", name: "Login", text: "Code: {{code}}", maxLengths: { code: 8 } };
    await running.operate("POST", "/patterns", pattern);
    await running.operate("POST", "/patterns/login/approve", { by: "ops", account });
    expect(await triedProblems(code)).toEqual(["code must be a text of 1 to 8 characters"]);
    const refused = await call(code);
    expect([refused.status, JSON.parse(refused.body)]).toEqual([
      400,
      { code: "validation_failed", message: "The pattern login takes a code of at most 8 characters." },
    ]);
    expect(await triedProblems({ ...code, code: "12345678" })).toEqual([null]);
    expect((await call({ ...code, code: "12345678" })).status).toBe(200);
  });

  test("to a group sends the text as it is, and requires groups:send", async () => {
    const running = await start({ to: { group: "oncall" }, text: "{{text}}", key: "{{id|''}}" });
    const { accountId } = running;
    await running.operate("POST", "/groups", { account: accountId, code: "oncall", name: "On call" });
    const missing = await call({ text: "x" });
    expect(await triedProblems({ text: "x" })).toEqual(["group is no approved group of the account with members"]);
    expect([missing.status, JSON.parse(missing.body).code]).toEqual([409, "not_sendable"]);
    const csv = "mobile,firstName\n09121234567,Sara\n09351234567,Ali\n";
    const unix = running.running.socketPath;
    const path = `http://localhost/groups/oncall/import?account=${accountId}`;
    await (
      await fetch(path, { method: "POST", unix, body: csv, headers: { "content-type": "application/octet-stream" } })
    ).text();
    await running.operate("POST", "/groups/oncall/approve", { by: "ops", account: accountId });
    const text = "{{firstName}} is no variable here";
    expect(await triedProblems({ text })).toEqual([null]);
    expect(JSON.parse((await call({ text, id: "a" })).body)).toMatchObject({ count: 2, duplicate: false });
    expect(JSON.parse((await call({ text, id: "a" })).body)).toMatchObject({ count: 2, duplicate: true });
    expect(JSON.parse((await call({ text })).body)).toMatchObject({ count: 2, duplicate: false });
    expect(running.messages().map((message) => [message.class, message.text])).toEqual(Array(4).fill([2, text]));
    await running.operate("PATCH", `/keys/${running.keyId}`, { permissions: ["messages:send"] });
    expect((await call({ text })).status).toBe(403);
  });

  test("without a matching condition is answered and sends nothing", async () => {
    const running = await start({ ...textTo, when: { value: "{{status}}", is: "firing" } });
    const taken = await call({ ...good, status: "resolved" });
    expect([taken.status, JSON.parse(taken.body)]).toEqual([
      200,
      { id: "", date: expect.any(String), count: 0, duplicate: false },
    ]);
    expect(running.messages()).toEqual([]);
  });

  test("that lacks a value is refused by the template's key, and answered busy as the template says", async () => {
    await start(
      { ...textTo, answer: { busyStatus: 503, status: 202, text: "{{trackingCode}}/{{count}}" } },
      { rate: 1 },
    );
    const lacking = await call({ to: "09121234567" });
    expect([lacking.status, JSON.parse(lacking.body)]).toMatchObject([
      400,
      { errors: [{ field: "text", code: "required" }] },
    ]);
    const taken = await call(good);
    expect([taken.status, taken.body]).toEqual([202, expect.stringMatching(/^[0-9A-Z]{26}\/1$/)]);
    const busy = await call(good);
    expect([busy.status, busy.headers.get("retry-after")]).toEqual([503, "1"]);
  });

  test("is deduplicated as long as its template says, and never without a key", async () => {
    const running = await start({ ...textTo, key: "{{id|''}}", keySeconds: 1 });
    await call({ ...good, id: "a" });
    expect(JSON.parse((await call({ ...good, id: "a" })).body)).toMatchObject({ duplicate: true });
    await call(good);
    await call(good);
    expect(running.messages().length).toBe(3);
    await Bun.sleep(1_100);
    expect(JSON.parse((await call({ ...good, id: "a" })).body)).toMatchObject({ duplicate: false });
    // A header of this name is a key on its own.
    await call(good, { ...basic, "idempotency-key": "k" });
    expect(JSON.parse((await call(good, { ...basic, "idempotency-key": "k" })).body)).toMatchObject({
      duplicate: true,
    });
  });
});

test("any invalid call is refused in the intake's words, and nothing of it is accepted", async () => {
  const running = await start({ ...textTo, caller: { kind: "query", name: "token" } });
  const path = `/in/ops?token=${password}`;
  const form = { "content-type": "application/x-www-form-urlencoded" };
  const bodies: [string, Record<string, string>][] = [
    ["[".repeat(10_000) + "]".repeat(10_000), {}],
    [`{"to":${"[".repeat(63)}${"]".repeat(63)}}`, {}],
    [JSON.stringify(Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`f${at}`, at]))), {}],
    ["a&".repeat(10_000), form],
    ["to=%&text=%ZZ", form],
    ["to=%00&text=%00", form],
    [JSON.stringify({ to: "09121234567", text: "\ud800" }), {}],
    [JSON.stringify({ to: "09121234567", text: "a\u0000b" }), {}],
    [JSON.stringify({ to: "09121234567", text: "x".repeat(2_001) }), {}],
    [JSON.stringify({ to: Array.from({ length: 5_000 }, (_, at) => `0912${1_000_000 + at}`), text: "x" }), {}],
    [JSON.stringify({ to: { phone: "09121234567" }, text: "x" }), {}],
    ["null", {}],
    ["", {}],
  ];
  for (const [body, headers] of bodies) {
    const answer = await call(body, headers, path);
    expect({ body: body.slice(0, 40), status: answer.status }).toEqual({ body: body.slice(0, 40), status: 400 });
    expect(JSON.parse(answer.body).code).toBeString();
  }
  const long = await call(good, {}, `${path}&q=${"x".repeat(1_000_000)}`).catch(() => null);
  expect(long?.status ?? 431).not.toBe(200);
  expect((await call(good, {}, `${path}${"&a=1".repeat(1_000)}`)).status).toBe(401);
  expect(running.messages()).toEqual([]);
  expect((await call(good, {}, path)).status).toBe(200);
});

test("a flood of wrong passwords is answered with 429, and the right one is still accepted", async () => {
  server = await DropInServer.start([intake(textTo)], { PEYK_SMPP_SERVER_FAILED_BINDS_PER_MINUTE: "3" });
  const wrong = { authorization: `Basic ${btoa("ops:wrong-password")}` };
  const statuses = [];
  for (let tries = 0; tries < 5; tries += 1) statuses.push((await call(good, wrong)).status);
  expect(statuses).toEqual([401, 401, 401, 429, 429]);
  expect((await call(good, wrong, "/in/nobody")).status).toBe(429);
  expect((await call(good)).status).toBe(200);
});

test("a template is checked when saved, and each mistake is reported with its path", async () => {
  server = await DropInServer.start([]);
  const add = (template: object, more: object = {}) => server?.addCredential(intake(template, more));
  await expect(add({ to: ["12"], text: "x" })).rejects.toThrow("template.to");
  await expect(add({ to: ["09121234567"], text: "{{a b}}" })).rejects.toThrow("template.text");
  await expect(add({ to: "{{to}}", code: "{{c}}" })).rejects.toThrow("traffic");
  await expect(add(textTo, { traffic: "code" })).rejects.toThrow("traffic");
  await expect(add(textTo, { name: "a/b" })).rejects.toThrow("name");
  await expect(add(textTo, { password: "short" })).rejects.toThrow("12");
  await add(textTo);
  const other = { sender: "30001234", to: ["09121234567"], text: "fixed" };
  await server.operate("PUT", "/credentials/cred_1/template", { template: other });
  expect((await call({})).status).toBe(200);
  expect(server.messages()).toMatchObject([{ text: "fixed" }]);
  const signed = { ...other, caller: { kind: "standard-webhooks" } };
  await expect(server.operate("PUT", "/credentials/cred_1/template", { template: signed })).rejects.toThrow(
    "hash only",
  );
});

test("the last calls are kept as names, types and lengths, and neither they nor the log contain a value", async () => {
  let log = "";
  const sink = new Writable({
    write(chunk, _, done) {
      log += chunk;
      done();
    },
  });
  server = await DropInServer.start([intake(textTo)], {}, { log: pino({ level: "trace" }, sink) });
  await call({ to: "09121234567", text: "a-private-text", nested: { list: [1, true, null] }, "+989121234567": 1 });
  await call({ to: "a-private-number", text: "x" });
  await call("a-private-body");
  await call(good, { authorization: "Basic a-private-guess" });
  for (let more = 0; more < 20; more += 1) await call({ text: "x" });
  const calls = await server.operate<{ outcome: string; fields: { path: string }[] }[]>("GET", "/intakes/ops/calls");
  expect(calls.length).toBe(20);
  const kept = JSON.stringify(calls);
  expect(calls[0]).toMatchObject({ outcome: "malformed", contentType: "application/json" });
  expect(calls[0]).toMatchObject({ words: "to: The call names no recipient." });
  const [{ lastRefusal } = { lastRefusal: null }] = await server.operate<{ lastRefusal: object | null }[]>(
    "GET",
    "/credentials",
  );
  expect(lastRefusal).toMatchObject({ status: "malformed", words: "the call lacks what the template names" });
  for (const hidden of ["a-private", "9121234567", "in/ops", "سلام"]) {
    expect(log).not.toContain(hidden);
    expect(kept).not.toContain(hidden);
  }
});

test("a call is tried without being sent", async () => {
  const running = await start(textTo);
  const tried = await running.operate("POST", "/intakes/ops/test", {
    body: JSON.stringify({ to: "09121234567,12", text: "سلام" }),
  });
  expect(tried).toMatchObject({
    sends: "messages",
    messages: [
      { recipient: "+989121234567", text: "سلام", parts: 1, problem: null },
      { recipient: "12", problem: { code: "not_mobile" } },
    ],
  });
  expect(await running.operate("POST", "/intakes/ops/test", { body: "{}" })).toMatchObject({
    sends: "refused",
    problems: [{ field: "to" }],
  });
  expect(running.messages()).toEqual([]);
});
