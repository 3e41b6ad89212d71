/** Credentials over the socket: those of a key, shown without their secret, and refused input. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { createOperatorServer, type OperatorServer } from "../support/operator.ts";

let server: OperatorServer;
beforeEach(async () => {
  server = await createOperatorServer();
  await server.call("POST", "/accounts", { name: "Bank" });
  await server.call("POST", "/keys", { account: "acc_1", name: "smpp" });
});
afterEach(() => server.close());

const create = (more: object = {}) =>
  server.call("POST", "/credentials", { key: "key_1", kind: "smpp", traffic: "bulk", ...more });

test("a password of eight characters is shown once, and a name stays taken until its credential is revoked", async () => {
  const made = await create({ name: "bank" });
  expect(made.body).toMatchObject({ id: "cred_1", name: "bank", password: expect.stringMatching(/^[0-9A-Za-z]{8}$/) });
  expect(JSON.stringify((await server.call("GET", "/credentials")).body)).not.toContain('password":');
  expect(await create({ name: "bank" })).toMatchObject({ status: 409, body: { code: "credential_exists" } });
  await server.call("POST", "/credentials/cred_1/revoke", {});
  expect(await create({ name: "bank" })).toMatchObject({ body: { id: "cred_2", status: "active" } });
  expect(await server.call("POST", "/credentials/cred_1/rotate", {})).toMatchObject({
    status: 409,
    body: { code: "credential_revoked" },
  });
});

test("a credential whose key was revoked gets no new password", async () => {
  await create({ name: "bank" });
  await server.call("POST", "/keys/key_1/revoke", {});
  const refused = { status: 409, body: { code: "key_revoked" } };
  expect(await server.call("POST", "/credentials/cred_1/rotate", {})).toMatchObject(refused);
  expect(await create({ name: "shop" })).toMatchObject(refused);
});

test("each limit is accepted at its edge and refused beyond it, and the kind of traffic has no default", async () => {
  for (const [good, bad] of [
    [{ name: "x".repeat(15) }, { name: "x".repeat(16) }],
    [{ binds: 100 }, { binds: 101 }],
    [{ binds: 1 }, { binds: 0 }],
    [{ window: 1_000 }, { window: 1_001 }],
    [{ rate: 100_000 }, { rate: 100_001 }],
    [{ repeats: 0x1400 }, { repeats: 0x13ff }],
    [{ repeats: 0x3fff }, { repeats: 0x4000 }],
    [{ messageIds: "decimal" }, { messageIds: "row" }],
    [{ ia5: "gsm7" }, { ia5: "ascii" }],
  ]) {
    expect((await create(good)).status).toBe(200);
    expect((await create(bad)).status).toBe(400);
  }
  expect((await create({ traffic: undefined })).status).toBe(400);
  expect((await create({ key: "key_9" })).status).toBe(404);
});

test("a callback origin that no attempt would call is refused when listed, and others are accepted", async () => {
  const shop = { kind: "kannel", traffic: "single" };
  const good = [
    "http://10.0.0.5:8000",
    "http://127.0.0.1",
    "http://[fd00::1]:8000",
    "https://hooks.lan",
    "http://[::1]",
  ];
  expect((await create({ ...shop, callbackOrigins: good })).status).toBe(200);
  for (const value of [
    "http://169.254.169.254",
    "http://2852039166",
    "http://0.0.0.0:8000",
    "http://224.0.0.1",
    "http://[fe80::1]",
    "http://[fd00:ec2::254]",
    "http://[::ffff:10.0.0.5]",
  ]) {
    const refused = { status: 400, body: { problems: [{ key: "callbackOrigins.1", code: "origin_refused" }] } };
    const callbackOrigins = ["http://10.0.0.5", value];
    expect({ value, ...(await create({ ...shop, callbackOrigins })) }).toMatchObject({ value, ...refused });
    const changed = await server.call("PATCH", "/credentials/cred_1", { callbackOrigins });
    expect({ value, ...changed }).toMatchObject({ value, ...refused });
  }
});

test("status warns of receipts that nobody acknowledged for a quarter of an hour", async () => {
  await create({ name: "bank" });
  const now = server.clock.now();
  const receipt = { credentialId: 1, submitId: 1, state: 2, errorCode: null, endedAt: now, createdAt: now };
  await server.store.write((tables) => tables.credentialDeliveries.addReceipt(receipt));
  const warned = async () =>
    JSON.stringify((await server.call("GET", "/status")).body).includes("No bind of cred_1 (bank) has acknowledged");
  server.clock.jump(900_000);
  expect(await warned()).toBe(false);
  server.clock.jump(1);
  expect(await warned()).toBe(true);
});

test("what waits for a credential is counted up to ten thousand, and its oldest is still reported", async () => {
  await create({ name: "bank" });
  const now = server.clock.now();
  const receipt = { credentialId: 1, submitId: 1, state: 2, errorCode: null, endedAt: now };
  const add = (count: number, createdAt: number) =>
    server.store.write(({ credentialDeliveries }) => {
      for (let index = 0; index < count; index += 1) credentialDeliveries.addReceipt({ ...receipt, createdAt });
    });
  const oldestWaitingAt = new Date(now - 1_000).toISOString();
  await add(1, now - 1_000);
  await add(9_998, now);
  expect((await server.call("GET", "/credentials/cred_1")).body).toMatchObject({ waiting: 9_999, waitingMore: false });
  await add(2, now);
  const told = { waiting: 10_000, waitingMore: true, oldestWaitingAt };
  expect((await server.call("GET", "/credentials/cred_1")).body).toMatchObject(told);
});
