import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import pino from "pino";
import { errorAnswer, refusalFor } from "../../src/operator/errors.ts";
import { OperationPerformer } from "../../src/operator/perform.ts";
import { silentLog } from "../../src/platform/log.ts";
import { StoreUnavailable } from "../../src/store/group-commit.ts";
import { createOperatorServer, type OperatorServer } from "../support/operator.ts";

let server: OperatorServer;
beforeEach(async () => {
  server = await createOperatorServer();
});
afterEach(() => server.close());

const created = async (name = "Clinic") => server.call("POST", "/accounts", { name });

describe("accounts in the operator API", () => {
  test("are created, renamed, suspended and resumed, with ids with or without their prefix", async () => {
    expect(await created()).toMatchObject({
      status: 200,
      body: { id: "acc_1", name: "Clinic", status: "active", defaultSender: null },
    });
    expect((await server.call("PATCH", "/accounts/1", { name: "City clinic" })).body).toMatchObject({
      id: "acc_1",
      name: "City clinic",
    });
    expect((await server.call("POST", "/accounts/acc_1/suspend")).body).toMatchObject({ status: "suspended" });
    expect(server.directory.isSuspended(1)).toBe(true);
    expect((await server.call("POST", "/accounts/acc_1/resume")).body).toMatchObject({ status: "active" });
    expect((await server.call("GET", "/accounts")).body).toMatchObject({
      rows: [{ id: "acc_1", createdAt: "2026-01-05T12:00:00.000Z" }],
    });
  });

  test("have a default sender only among their own", async () => {
    await created();
    expect(await server.call("PATCH", "/accounts/1", { defaultSender: "30001" })).toMatchObject({
      status: 404,
      body: { code: "sender_not_found" },
    });
    await server.call("POST", "/accounts/1/senders", { sender: "30001" });
    expect((await server.call("PATCH", "/accounts/1", { defaultSender: "30001" })).body).toMatchObject({
      defaultSender: "30001",
    });
    expect((await server.call("PATCH", "/accounts/1", { defaultSender: null })).body).toMatchObject({
      defaultSender: null,
    });
  });

  test("have names of 1 to 120 characters on one line", async () => {
    for (const name of ["x", "ن".repeat(120)]) expect((await created(name)).status).toBe(200);
    for (const name of ["", " ", "x".repeat(121), "two\nlines", "nul\0", 5, null]) {
      expect(await server.call("POST", "/accounts", { name })).toEqual({
        status: 400,
        body: {
          code: "invalid",
          message: "name: must be one line of 1 to 120 characters",
          problems: [
            {
              key: "name",
              message: "must be one line of 1 to 120 characters",
              code: "line",
              values: { min: 1, max: 120 },
            },
          ],
        },
      });
    }
  });

  test("that do not exist are answered 404 for every method", async () => {
    const calls: [string, string, unknown?][] = [
      ["GET", "/accounts/acc_9"],
      ["GET", "/accounts/nine"],
      ["GET", "/accounts/key_1"],
      ["PATCH", "/accounts/9", { name: "x" }],
      ["POST", "/accounts/9/suspend"],
      ["POST", "/accounts/9/resume"],
      ["POST", "/keys", { account: "acc_9", name: "x" }],
      ["GET", "/senders?account=9"],
      ["POST", "/accounts/9/senders", { sender: "30001" }],
      ["PATCH", "/accounts/9/senders/30001", { active: true }],
      ["DELETE", "/accounts/9/senders/30001"],
    ];
    for (const [method, path, body] of calls) {
      expect(await server.call(method, path, body)).toMatchObject({ status: 404, body: { code: "account_not_found" } });
    }
  });
});

describe("keys in the operator API", () => {
  test("are shown once and never again", async () => {
    await created();
    const issued = await server.call("POST", "/keys", { account: "acc_1", name: "backend" });
    expect(issued.body).toMatchObject({ id: "key_1", account: "acc_1", status: "active", rate: null, expiresAt: null });
    expect(issued.body).toHaveProperty("apiKey", expect.stringMatching(/^peyk_[A-Za-z0-9_-]{43}$/));
    const shown = JSON.stringify([await server.call("GET", "/keys"), await server.call("GET", "/accounts/1")]);
    expect(shown).toContain("key_1");
    expect(shown).not.toContain("peyk_");
  });

  test("have all permissions unless limited, a rate from 1 to a million, and an expiry in the future", async () => {
    await created();
    const keyInput = { account: "acc_1", name: "k" };
    const all = await server.call("POST", "/keys", keyInput);
    expect(all.body).toHaveProperty("permissions.length", 8);
    const narrow = await server.call("POST", "/keys", {
      ...keyInput,
      permissions: ["messages:read"],
      rate: 1,
      expiresAt: "2026-01-06T00:00:00Z",
    });
    expect(narrow.body).toMatchObject({
      permissions: ["messages:read"],
      rate: 1,
      expiresAt: "2026-01-06T00:00:00.000Z",
    });
    expect((await server.call("POST", "/keys", { ...keyInput, rate: 1_000_000 })).status).toBe(200);
    const wrong = [
      { rate: 0 },
      { rate: 1_000_001 },
      { rate: 1.5 },
      { permissions: [] },
      { permissions: ["messages:burn"] },
      { expiresAt: "2026-01-05T12:00:00Z" },
      { expiresAt: "tomorrow" },
      { name: "" },
    ];
    for (const part of wrong)
      expect(await server.call("POST", "/keys", { ...keyInput, ...part })).toMatchObject({
        status: 400,
        body: { code: "invalid" },
      });
  });

  test("show their current state", async () => {
    await created();
    await server.call("POST", "/keys", { account: "1", name: "a", expiresAt: "2026-01-06T00:00:00Z" });
    await server.call("POST", "/keys", { account: "1", name: "b" });
    await server.call("POST", "/keys/key_2/rotate", {});
    expect((await server.call("GET", "/keys")).body).toMatchObject({
      rows: [{ status: "active" }, { previousSecretUntil: "2026-01-06T12:00:00.000Z" }],
    });
    await server.call("POST", "/keys/2/revoke");
    server.clock.jump(86_400_000);
    expect((await server.call("GET", "/keys?account=acc_1")).body).toMatchObject({
      rows: [{ status: "expired" }, { status: "revoked", previousSecretUntil: null }],
    });
  });

  test("have a grace period from 0 to 90 days when rotated", async () => {
    await created();
    await server.call("POST", "/keys", { account: "1", name: "a" });
    for (const graceSeconds of [0, 90 * 86_400])
      expect((await server.call("POST", "/keys/1/rotate", { graceSeconds })).status).toBe(200);
    for (const graceSeconds of [-1, 90 * 86_400 + 1])
      expect((await server.call("POST", "/keys/1/rotate", { graceSeconds })).status).toBe(400);
    expect(await server.call("POST", "/keys/7/rotate", {})).toMatchObject({
      status: 404,
      body: { code: "key_not_found" },
    });
    expect(await server.call("POST", "/keys/seven/revoke")).toMatchObject({
      status: 404,
      body: { code: "key_not_found" },
    });
  });
});

describe("senders in the operator API", () => {
  test("are added with routes, switched, and removed", async () => {
    await created();
    await server.call("POST", "/routes", { name: "a", kind: "simulator" });
    const added = await server.call("POST", "/accounts/1/senders", {
      sender: "30001",
      routes: ["a", "simulator", "a"],
    });
    expect(added.body).toMatchObject({
      account: "acc_1",
      sender: "30001",
      active: true,
      routes: ["a", "simulator"],
      usesDefaultRoute: false,
    });
    expect((await server.call("PATCH", "/accounts/1/senders/30001", { active: false, routes: [] })).body).toMatchObject(
      {
        active: false,
        routes: ["simulator"],
        usesDefaultRoute: true,
      },
    );
    expect((await server.call("DELETE", "/accounts/1/senders/30001")).body).toMatchObject({ removed: true });
    expect((await server.call("GET", "/senders")).body).toMatchObject({ rows: [], total: 0 });
    expect((await server.call("DELETE", "/accounts/1/senders/30001")).body).toMatchObject({ code: "sender_not_found" });
  });

  test("have 5 to 20 characters and are unique within an account only", async () => {
    await created();
    await created("Other");
    for (const sender of ["12345", "1".repeat(20), "A B/C?#"])
      expect((await server.call("POST", "/accounts/1/senders", { sender })).status).toBe(200);
    expect((await server.call("POST", "/accounts/2/senders", { sender: "12345" })).status).toBe(200);
    expect((await server.call("POST", "/accounts/1/senders", { sender: "12345" })).body).toMatchObject({
      code: "sender_exists",
    });
    for (const sender of ["1234", "1".repeat(21), " 12345", "12345 "])
      expect((await server.call("POST", "/accounts/1/senders", { sender })).status).toBe(400);
    expect(
      (await server.call("PATCH", `/accounts/1/senders/${encodeURIComponent("A B/C?#")}`, { active: false })).body,
    ).toMatchObject({ sender: "A B/C?#" });
    expect(await server.call("POST", "/accounts/1/senders", { sender: "55555", routes: ["nowhere"] })).toMatchObject({
      status: 404,
      body: { code: "route_not_found", message: "There is no route nowhere." },
    });
  });
});

describe("routes in the operator API", () => {
  const smpp = { host: "127.0.0.1", port: 2775, systemId: "peyk", password: "pass-word" };

  test("show their state and options, and never a password", async () => {
    const added = await server.call("POST", "/routes", { name: "op", kind: "smpp", options: smpp });
    expect(added.body).toMatchObject({
      name: "op",
      enabled: true,
      up: true,
      hasSecrets: true,
      options: { host: "127.0.0.1" },
      state: { window: 10 },
    });
    const everything = JSON.stringify([
      added,
      await server.call("GET", "/routes"),
      await server.call("GET", "/routes/op"),
    ]);
    expect(everything).not.toContain("pass-word");
  });

  test("report every problem of a file at once and change nothing", async () => {
    const answer = await server.call("POST", "/routes", { name: "op", kind: "smpp", options: { port: 0, hots: "x" } });
    expect(answer).toMatchObject({ status: 400, body: { code: "invalid" } });
    const keys = JSON.stringify(answer.body);
    for (const key of ["host", "port", "systemId", "passwordFile", "hots"]) expect(keys).toContain(`"key":"${key}"`);
    expect((await server.call("GET", "/routes/op")).body).toMatchObject({ code: "route_not_found" });
    await server.call("POST", "/routes", { name: "op", kind: "smpp", options: smpp });
    expect((await server.call("PUT", "/routes/op", { options: { ...smpp, window: 0 } })).status).toBe(400);
    expect((await server.call("GET", "/routes/op")).body).toMatchObject({ options: { port: 2775 } });
    expect((await server.call("POST", "/routes", { name: "h", kind: "http" })).body).toMatchObject({
      message: "kind: this build cannot run http routes",
    });
  });

  test("are disabled, enabled, tested and removed", async () => {
    await server.call("POST", "/routes", { name: "op", kind: "simulator" });
    expect((await server.call("POST", "/routes/op/disable")).body).toMatchObject({
      enabled: false,
      up: false,
      state: null,
    });
    expect((await server.call("POST", "/routes/op/test")).body).toMatchObject({ code: "invalid" });
    expect((await server.call("POST", "/routes/op/enable")).body).toMatchObject({ enabled: true, up: true });
    expect((await server.call("POST", "/routes/op/test")).body).toMatchObject({ ok: true });
    expect((await server.call("DELETE", "/routes/op")).body).toMatchObject({ removed: true });
    expect((await server.call("POST", "/routes", { name: "op", kind: "simulator" })).status).toBe(200);
  });

  test("in use by senders, and the last one, cannot be removed", async () => {
    expect((await server.call("DELETE", "/routes/simulator")).body).toMatchObject({ code: "last_route" });
    await created();
    await server.call("POST", "/routes", { name: "op", kind: "simulator" });
    await server.call("POST", "/accounts/1/senders", { sender: "30001", routes: ["op"] });
    expect(await server.call("DELETE", "/routes/op")).toMatchObject({
      status: 409,
      body: { code: "route_in_use", message: expect.stringContaining("30001") },
    });
    await server.call("DELETE", "/accounts/1/senders/30001");
    expect((await server.call("DELETE", "/routes/op")).status).toBe(200);
  });

  test("cannot be removed while a sender has only the default one", async () => {
    await created();
    await server.call("POST", "/routes", { name: "op", kind: "simulator" });
    await server.call("POST", "/accounts/1/senders", { sender: "30001" });
    expect(await server.call("DELETE", "/routes/simulator")).toMatchObject({
      status: 409,
      body: { code: "route_in_use", message: expect.stringContaining("30001") },
    });
    await server.call("PATCH", "/accounts/1/senders/30001", { routes: ["op"] });
    expect((await server.call("DELETE", "/routes/simulator")).status).toBe(200);
  });

  test("require a kind", async () => {
    expect((await server.call("POST", "/routes", { name: "a" })).body).toMatchObject({
      code: "invalid",
      problems: [{ key: "kind" }],
    });
  });

  test("have names of 1 to 63 safe characters", async () => {
    for (const name of ["a", "a".repeat(63)])
      expect((await server.call("POST", "/routes", { name, kind: "simulator" })).status).toBe(200);
    for (const name of ["", "a".repeat(64), "-a", "a b", "a/b", "ف"])
      expect((await server.call("POST", "/routes", { name, kind: "simulator" })).status).toBe(400);
    expect((await server.call("POST", "/routes", { name: "a", kind: "simulator" })).body).toMatchObject({
      code: "route_exists",
    });
    expect((await server.call("POST", "/routes", { name: "p", kind: "pigeon" })).body).toMatchObject({
      message: "kind: must be one of simulator, smpp, http",
    });
  });
});

describe("any other request", () => {
  test("is answered with a code and a message", async () => {
    expect(await server.call("GET", "/nowhere")).toEqual({
      status: 404,
      body: { code: "not_found", message: "The operator API has no such path." },
    });
    const send = (body: BodyInit) =>
      fetch("http://localhost/accounts", {
        method: "POST",
        body,
        unix: server.socketPath,
        headers: { "content-type": "application/json" },
      });
    for (const body of [
      "{",
      "",
      "null",
      "[]",
      new Uint8Array([0xff, 0xfe]),
      `${"[".repeat(10_000)}${"]".repeat(10_000)}`,
      '{"__proto__":{"name":"x"}}',
    ]) {
      const response = await send(body);
      expect([response.status, await response.json()]).toEqual([
        400,
        expect.objectContaining({ code: "invalid", message: expect.any(String) }),
      ]);
    }
  });

  test("with wrong types is refused in plain words", async () => {
    await created();
    const paths = ["/accounts", "/keys", "/routes", "/groups", "/patterns", "/lines", "/inbound/simulate"];
    const bodies = paths.flatMap((path): [string, string, unknown][] =>
      [7, [], { name: 7, account: {}, sender: [], text: 1, routes: 5, active: 5, options: 3 }].map((body) => [
        "POST",
        path,
        body,
      ]),
    );
    const all: [string, string, unknown][] = [
      ...bodies,
      ["PATCH", "/accounts/1", { defaultSender: "x" }],
      ["PATCH", "/accounts/1/senders/30001", { active: "x", routes: "a" }],
    ];
    for (const [method, path, body] of all) {
      const answer = await server.call(method, path, body);
      expect(answer).toMatchObject({ status: 400, body: { code: "invalid" } });
      expect(JSON.stringify(answer.body)).not.toMatch(/expected|union|undefined/i);
    }
    expect((await server.call("PATCH", "/accounts/1", { defaultSender: "x" })).body).toMatchObject({
      problems: [{ key: "defaultSender", message: expect.stringContaining("5 to 20 Latin letters") }],
    });
  });

  test("is answered 503 when the store cannot write and 500 for an internal error, without details", async () => {
    const full = errorAnswer(refusalFor(silentLog, new StoreUnavailable(new Error("disk full at /srv/x"))));
    expect([full.status, await full.json()]).toEqual([
      503,
      { code: "store_unavailable", message: expect.not.stringContaining("/srv") },
    ]);
    const defect = errorAnswer(refusalFor(silentLog, new TypeError("x is not a function")));
    expect([defect.status, await defect.json()]).toEqual([
      500,
      { code: "internal_error", message: expect.not.stringContaining("x is") },
    ]);
  });
});

test("an abandoned request is not logged as an internal error", async () => {
  const logged: string[] = [];
  const log = pino({ level: "warn" }, { write: (line: string) => void logged.push(line) });
  const { perform } = new OperationPerformer({ ...server, log });
  const caller = { actor: "sam", origin: "console 127.0.0.1", role: "owner", accountId: null, userId: 1 } as const;
  const day = { from: "2026-01-01T00:00:00Z", to: "2026-01-02T00:00:00Z", by: "all" } as const;
  const waiting = AbortSignal.timeout(0);
  await new Promise((resolve) => waiting.addEventListener("abort", resolve));
  const asked = perform(caller, "GET /figures", day, { signal: waiting });
  await expect(asked).rejects.toMatchObject({ code: "internal_error" });
  expect(logged).toEqual([]);
});

describe("status and health", () => {
  test("warn that nothing is really sent", async () => {
    expect((await server.call("GET", "/status")).body).toMatchObject({
      ready: true,
      warnings: [expect.stringContaining("NOTHING IS REALLY SENT")],
    });
    await created();
    await server.call("POST", "/routes", {
      name: "op",
      kind: "smpp",
      options: { host: "h", port: 1, systemId: "s", password: "p" },
    });
    await server.call("POST", "/accounts/1/senders", { sender: "30001" });
    expect((await server.call("GET", "/status")).body).toMatchObject({
      warnings: [expect.stringContaining("NOTHING IS REALLY SENT for 30001")],
    });
    await server.call("PATCH", "/accounts/1/senders/30001", { routes: ["op"] });
    expect((await server.call("GET", "/status")).body).toMatchObject({ warnings: [] });
    await server.call("POST", "/routes/op/disable");
    expect((await server.call("GET", "/status")).body).toMatchObject({
      warnings: [expect.stringContaining("Sender 30001 has no route")],
    });
  });

  test("count waiting messages by class", async () => {
    await created();
    await server.call("POST", "/accounts/1/senders", { sender: "30001" });
    await server.storeMessage({ trackingCode: "A" });
    await server.storeMessage({ trackingCode: "B", class: 2, sendAt: server.clock.now() + 60_000 });
    expect((await server.call("GET", "/status")).body).toMatchObject({
      queue: [
        { class: "otp", waiting: 0, oldestDueAt: null },
        { class: "single", waiting: 1, more: false, oldestDueAt: "2026-01-05T12:00:00.000Z" },
        { class: "bulk", waiting: 1, oldestDueAt: "2026-01-05T12:01:00.000Z" },
      ],
    });
  });

  test("answer 503 with the failed checks in readyz, and healthz still answers", async () => {
    expect(await server.call("GET", "/readyz")).toMatchObject({ status: 200, body: { status: "ready" } });
    server.checks.routes = false;
    expect(await server.call("GET", "/readyz")).toMatchObject({
      status: 503,
      body: { code: "not_ready", message: expect.stringContaining("No route is up"), checks: { routes: false } },
    });
    expect(await server.call("GET", "/healthz")).toMatchObject({ status: 200, body: { status: "alive" } });
  });
});
