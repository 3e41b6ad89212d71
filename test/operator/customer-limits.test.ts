/** What a customer may do to keys and credentials whose limits an operator set, and how far its own may go. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { defaultSettings } from "../../src/config/settings.ts";
import { permissions } from "../../src/domain/permissions.ts";
import { createOperatorServer, type OperatorServer } from "../support/operator.ts";

let server: OperatorServer;
beforeEach(async () => {
  server = await createOperatorServer();
  await server.call("POST", "/accounts", { name: "Clinic" });
});
afterEach(() => server.close());

const customer = { actor: "clinic", origin: "console 127.0.0.1", role: "customer", accountId: 1, userId: 1 } as const;
const operator = (method: string, path: string, body?: object) => server.call(method, path, body);
const ask = (method: string, path: string, body: object = {}) => server.askAs(customer, method, path, body);

const end = (day: number) => `2026-03-0${day}T00:00:00.000Z`;
const limited = {
  rate: 10,
  permissions: ["messages:send", "messages:read"],
  allowFrom: ["10.1.2.0/24", "2001:db8::/32"],
  expiresAt: end(5),
};

/** The limits of key_1 as they are after the customer asked for this. */
async function changed(change: object) {
  const { status, body } = await ask("PATCH", "/keys/key_1", change);
  return { status, problems: JSON.stringify(body) };
}

test("a customer lowers a key's limit, raises it back to the operator's, and never beyond", async () => {
  await operator("POST", "/keys", { account: "acc_1", name: "limited", ...limited });
  const good = [
    { rate: 5 },
    { rate: 10 },
    { permissions: ["messages:read"] },
    { permissions: ["messages:read", "messages:send"] },
    { allowFrom: ["10.1.2.7", "10.1.2.128/25", "2001:db8:1::/48"] },
    { allowFrom: ["2001:db8::/32", "10.1.2.0/24"] },
    { expiresAt: end(4) },
    { expiresAt: end(5) },
  ];
  for (const change of good) expect({ change, ...(await changed(change)) }).toMatchObject({ change, status: 200 });
  const bad = [
    [{ rate: 11 }, "At most 10: your provider has set this limit."],
    [{ rate: null }, "At most 10"],
    [{ permissions: ["messages:read", "otp:send"] }, "Only messages:send, messages:read: your provider"],
    [{ allowFrom: [] }, "Only from 10.1.2.0/24, 2001:db8::/32, or parts of it: your provider"],
    [{ allowFrom: ["10.1.2.0/24", "10.1.3.1"] }, "Only from 10.1.2.0/24"],
    [{ allowFrom: ["10.1.0.0/16"] }, "Only from 10.1.2.0/24"],
    [{ allowFrom: ["0.0.0.0/0"] }, "Only from 10.1.2.0/24"],
    [{ expiresAt: "2026-03-05T00:00:01Z" }, "The key ends on 2026-03-05 00:00:00 UTC at the latest"],
    [{ expiresAt: null }, "at the latest"],
  ] as const;
  for (const [change, told] of bad) {
    expect({ change, ...(await changed(change)) }).toMatchObject({
      status: 400,
      problems: expect.stringContaining(told),
    });
  }
  expect((await ask("POST", "/keys/key_1/rotate")).status).toBe(200);
  expect((await changed({ rate: 11 })).status).toBe(400);
  expect((await operator("GET", "/keys/key_1")).body).toMatchObject({
    ...limited,
    allowFrom: limited.allowFrom.toReversed(),
    permissions: limited.permissions.toReversed(),
  });
});

test("an operator's later change is the new limit, a lifted limit ends, and operators are not bound", async () => {
  await operator("POST", "/keys", { account: "acc_1", name: "limited", ...limited });
  await operator("PATCH", "/keys/key_1", { rate: 20, permissions: ["otp:send"] });
  expect((await changed({ rate: 20, permissions: ["otp:send"] })).status).toBe(200);
  expect((await changed({ permissions: ["messages:send"] })).status).toBe(400);
  await operator("PATCH", "/keys/key_1", { rate: null, permissions, allowFrom: [], expiresAt: null });
  expect((await changed({ rate: 1_000_000, permissions, allowFrom: ["0.0.0.0/0"], expiresAt: end(9) })).status).toBe(
    200,
  );
  expect((await changed({ rate: null, allowFrom: [], expiresAt: null })).status).toBe(200);
});

test("a customer's own key has only its account's limits until an operator sets some", async () => {
  expect((await ask("POST", "/keys", { name: "own", rate: 5 })).status).toBe(200);
  expect((await changed({ rate: 500, allowFrom: ["10.0.0.1"] })).status).toBe(200);
  expect((await changed({ rate: null, allowFrom: [] })).status).toBe(200);
  await operator("PATCH", "/keys/key_1", { rate: 60 });
  expect((await changed({ rate: 61 })).status).toBe(400);
  expect((await changed({ allowFrom: ["10.0.0.1"] })).status).toBe(200);
});

const credential = (more: object) => ({ key: "key_1", kind: "smpp", traffic: "bulk", ...more });

test("a customer lowers a credential's limit, raises it back to the operator's, and never beyond", async () => {
  await operator("POST", "/keys", { account: "acc_1", name: "smpp" });
  await operator("POST", "/credentials", credential({ rate: 30, binds: 50, window: 2 }));
  for (const change of [{ rate: 1, binds: 1, window: 1 }, { rate: 30, binds: 50, window: 2 }, { charset: "latin1" }]) {
    expect({ change, status: (await ask("PATCH", "/credentials/cred_1", change)).status }).toEqual({
      change,
      status: 200,
    });
  }
  for (const [change, max] of [
    [{ rate: 31 }, 30],
    [{ rate: null }, 30],
    [{ binds: 51 }, 50],
    [{ window: 3 }, 2],
  ]) {
    const { status, body } = await ask("PATCH", "/credentials/cred_1", change as object);
    expect({ change, status, told: JSON.stringify(body) }).toEqual({
      change,
      status: 400,
      told: expect.stringContaining(`At most ${max}: your provider`),
    });
  }
  await ask("POST", "/credentials/cred_1/rotate");
  expect((await ask("PATCH", "/credentials/cred_1", { rate: 31 })).status).toBe(400);
  await operator("PATCH", "/credentials/cred_1", { window: 500 });
  expect((await ask("PATCH", "/credentials/cred_1", { window: 500 })).status).toBe(200);
});

test("a credential without an operator's limit is limited by its account, at both edges", async () => {
  await operator("POST", "/keys", { account: "acc_1", name: "smpp" });
  await operator("POST", "/credentials", credential({}));
  for (const [change, status] of [
    [{ binds: 20 }, 200],
    [{ binds: 21 }, 400],
    [{ window: 200 }, 200],
    [{ window: 201 }, 400],
    [{ rate: 100_000 }, 200],
  ] as const) {
    expect({ change, status: (await ask("PATCH", "/credentials/cred_1", change)).status }).toEqual({ change, status });
    expect((await ask("POST", "/credentials", credential(change))).status).toBe(status);
  }
  expect((await ask("PATCH", "/credentials/cred_1", { rate: null })).status).toBe(200);
  await operator("PATCH", "/accounts/acc_1", { bindsMax: 2, windowMax: 10, rateMax: 3 });
  // What exceeds a bound stays and may be sent again, as forms do; it may be narrowed, not widened.
  expect((await ask("PATCH", "/credentials/cred_1", { rate: null, binds: 20, window: 200 })).status).toBe(200);
  expect((await ask("PATCH", "/credentials/cred_1", { binds: 19, rate: 3 })).status).toBe(200);
  expect((await ask("PATCH", "/credentials/cred_1", { binds: 20 })).status).toBe(400);
  expect((await ask("PATCH", "/credentials/cred_1", { rate: null })).status).toBe(400);
  for (const change of [{ binds: 3 }, { window: 11 }, { rate: 4 }]) {
    expect((await ask("POST", "/credentials", credential(change))).status).toBe(400);
  }
  const { body } = await ask("POST", "/credentials", credential({ name: "small" }));
  expect(body).toMatchObject({ rate: 3, options: { binds: 2, window: 10 } });
  expect((await operator("POST", "/credentials", credential({ binds: 100, window: 1_000, rate: 9 }))).status).toBe(200);
});

test("the account's rate limits new keys per minute, and existing higher ones stay", async () => {
  await operator("POST", "/keys", { account: "acc_1", name: "fast" });
  await operator("PATCH", "/accounts/acc_1", { rateMax: 2 });
  expect((await ask("POST", "/keys", { name: "at the edge", rate: 120 })).status).toBe(200);
  expect((await ask("POST", "/keys", { name: "past it", rate: 121 })).status).toBe(400);
  expect((await ask("POST", "/keys", { name: "silent" })).body).toMatchObject({ rate: 120 });
  expect((await changed({ rate: null, name: "still fast" })).status).toBe(200);
  expect((await changed({ rate: 121 })).status).toBe(400);
  expect((await changed({ rate: 120 })).status).toBe(200);
  expect((await changed({ rate: null })).status).toBe(400);
  await operator("PATCH", "/accounts/acc_1", { rateMax: 100 });
  const { requestsPerMinute } = defaultSettings().http;
  expect((await ask("POST", "/keys", { name: "silent" })).body).toMatchObject({ rate: requestsPerMinute });
});

test("a customer has twenty keys, or as many as its account may, and revoking one makes room", async () => {
  const make = async () => (await ask("POST", "/keys", { name: "key", expiresAt: end(1) })).body;
  for (let count = 1; count <= 20; count++) expect(await make()).toMatchObject({ id: `key_${count}` });
  expect(await make()).toMatchObject({ code: "key_limit_reached" });
  // An expired key may be renewed, so that it counts.
  server.clock.jump(Date.parse(end(2)) - server.clock.now());
  expect((await ask("POST", "/keys", { name: "key" })).body).toMatchObject({ code: "key_limit_reached" });
  await ask("POST", "/keys/key_1/revoke");
  const both = await Promise.all([1, 2].map(() => ask("POST", "/keys", { name: "key" })));
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect((await operator("POST", "/keys", { account: "acc_1", name: "operator's" })).status).toBe(200);
  await operator("PATCH", "/accounts/acc_1", { keysMax: 0 });
  for (const id of [2, 3, 4]) await ask("POST", `/keys/key_${id}/revoke`);
  expect((await ask("POST", "/keys", { name: "key" })).body).toMatchObject({ code: "key_limit_reached" });
});

test("a customer has twenty credentials, or as many as its account may, across all keys", async () => {
  await operator("POST", "/accounts", { name: "Bank" });
  for (const account of ["acc_1", "acc_1", "acc_2"]) await operator("POST", "/keys", { account, name: "smpp" });
  await operator("POST", "/credentials", { ...credential({}), key: "key_3" });
  const make = (key: number) => ask("POST", "/credentials", { ...credential({}), key: `key_${key}` });
  for (let count = 0; count < 20; count++) expect((await make(1 + (count % 2))).status).toBe(200);
  expect((await make(1)).body).toMatchObject({ code: "credential_limit_reached" });
  await ask("POST", "/credentials/cred_2/revoke");
  expect((await make(1)).status).toBe(200);
  expect((await make(2)).status).toBe(409);
  expect((await operator("POST", "/credentials", credential({}))).status).toBe(200);
  // The credentials of a revoked key are over for good.
  await ask("POST", "/keys/key_2/revoke");
  expect((await make(1)).status).toBe(200);
  await operator("PATCH", "/accounts/acc_1", { credentialsMax: 3 });
  expect((await make(1)).body).toMatchObject({ code: "credential_limit_reached" });
});

test("a customer never learns which names others use: its own get a random ending, and none is taken", async () => {
  await operator("POST", "/accounts", { name: "Bank" });
  for (const account of ["acc_1", "acc_2"]) await operator("POST", "/keys", { account, name: "smpp" });
  await operator("POST", "/credentials", { ...credential({ name: "bank" }), key: "key_2" });
  for (const name of ["bank", "free", "bank"]) {
    const { status, body } = await ask("POST", "/credentials", credential({ name }));
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { name: expect.stringMatching(new RegExp(`^${name}-[0-9A-Za-z]{4}$`)) },
    });
  }
  // The end belongs to the length of a name.
  for (const [kind, length] of [
    ["smpp", 10],
    ["kannel", 59],
  ] as const) {
    const named = (characters: number) =>
      ask("POST", "/credentials", credential({ kind, name: "n".repeat(characters) }));
    expect((await named(length)).body).toMatchObject({
      name: expect.stringMatching(new RegExp(`^n{${length}}-.{4}$`)),
    });
    expect((await named(length + 1)).body).toMatchObject({
      problems: [{ key: "name", code: "latin_word", values: { max: length } }],
    });
  }
  expect((await operator("POST", "/credentials", credential({ name: "bank" }))).body).toMatchObject({
    code: "credential_exists",
  });
});

test("each bound is accepted at its edges and refused beyond them, and only the rate has a default", async () => {
  for (const [name, min, max] of [
    ["keysMax", 0, 10_000],
    ["credentialsMax", 0, 10_000],
    ["bindsMax", 1, 100],
    ["windowMax", 1, 1_000],
    ["rateMax", 1, 100_000],
  ] as const) {
    for (const [value, status] of [
      [min, 200],
      [max, 200],
      [min - 1, 400],
      [max + 1, 400],
      [null, 200],
    ]) {
      const answer = await operator("PATCH", "/accounts/acc_1", { [name]: value });
      expect({ name, value, status: answer.status }).toEqual({ name, value, status: Number(status) });
    }
  }
  expect((await ask("PATCH", "/accounts/acc_1", { keysMax: 9_000 })).status).toBe(404);
});
