/** An Idempotency-Key lasts its 30 days also where the account keeps its messages for fewer. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { AccountRetention } from "../../src/messaging/messages/account-retention.ts";
import { forgetOld } from "../../src/messaging/messages/retention.ts";
import { RecipientEraser } from "../../src/messaging/privacy/recipient-eraser.ts";
import { type Api, sender, singleMessage, startApi } from "../support/api.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const keyDays = 30;

let api: Api;
beforeEach(async () => {
  api = await startApi();
});
afterEach(() => api.stop());

interface Sending {
  path: string;
  body: object;
  headers?: Record<string, string>;
}

const later = () => new Date(api.clock.now() + hourMs).toISOString();

/** Everything that takes a key, with its body. */
async function sendings(): Promise<Record<string, Sending>> {
  await api.groups.service.create(api.accountId, "spring", "Spring");
  async function* file() {
    yield new TextEncoder().encode("mobile\n09121234501\n09121234502\n");
  }
  const ignored = () => {};
  const told = { progress: ignored, problem: ignored, repeated: ignored };
  await api.groups.service.import({ code: "spring" }, file(), told);
  await api.groups.service.approve({ code: "spring" }, "maryam");
  const pattern = { accountId: api.accountId, code: "ready", name: "Ready", sender: null, maxLengths: {} };
  await api.patterns.service.add({ ...pattern, text: "Dear {{name}}" });
  await api.patterns.service.approve({ code: "ready" }, "maryam");
  const one = { sender, recipient: "09121234511" };
  const batch = { sender, messages: [1, 2].map((n) => ({ recipient: `0912123452${n}`, message: `${n}` })) };
  return {
    single: { path: "/v1/messages", body: singleMessage() },
    scheduled: { path: "/v1/messages/scheduled", body: { ...singleMessage(), sendAt: later() } },
    batch: { path: "/v1/messages/batch", body: batch, headers: { "Peyk-Campaign": "yalda" } },
    group: { path: "/v1/approved-groups/spring/messages", body: { sender, message: "Hello" } },
    pattern: { path: "/v1/patterns/ready/messages", body: { ...one, variables: { name: "Ali" } } },
    challenge: { path: "/v1/otp/challenges", body: one },
    code: { path: "/v1/otp/codes", body: { ...one, recipient: "09121234512", code: "4321" } },
  };
}

async function send(key: string, { path, body, headers = {} }: Sending) {
  const response = await api.call("POST", path, { body, headers: { ...headers, "Idempotency-Key": key } });
  return { status: response.status, body: await response.json() };
}

async function sendAll(every: Record<string, Sending>) {
  const answers: Record<string, Awaited<ReturnType<typeof send>>> = {};
  for (const [key, sending] of Object.entries(every)) answers[key] = await send(key, sending);
  return answers;
}

/** Ends all messages, and adds one that stays the newest: its row is kept. */
async function end(): Promise<void> {
  await api.groups.settled();
  await api.store.write(({ messages }) => {
    const { length } = messages.run(1, 1_000);
    for (let id = 1; id <= length; id += 1) {
      const row = messages.byId(id);
      if (row?.state === "ready") messages.move(row, { to: "cancelled", at: api.clock.now() });
    }
  });
  await send(`newest ${api.clock.now()}`, { path: "/v1/messages", body: singleMessage() });
}

/** Retention by a setting of `messageDays`, or by those of the account. */
async function forget({ messageDays = 90, accountDays = null as number | null }) {
  const { store, clock } = api;
  const settings = { messageDays, idempotencyDays: keyDays, rollupDays: 730 };
  await forgetOld(store, clock.now(), settings);
  const accounts = [{ id: api.accountId, retentionDays: accountDays, textDays: null }];
  const directory = { accounts: () => accounts };
  await new AccountRetention({ store, clock, directory, idempotencyDays: keyDays }).forget();
}

const asDuplicate = (body: object): object =>
  Array.isArray(body) ? body.map(asDuplicate) : { ...body, duplicate: true };

for (const [name, days] of [
  ["the account's three days", { accountDays: 3 }],
  ["the setting's three days", { messageDays: 3 }],
] as const) {
  test(`with ${name} of messages, a repeat after 100 hours gets each Send result as first registered`, async () => {
    const every = await sendings();
    const first = await sendAll(every);
    await end();
    const stored = api.store.tables.messages.byCodeAnywhere(first.single?.body.trackingCode);
    expect(stored).not.toBeNull();
    api.clock.jump(100 * hourMs);
    await forget(days);
    const again = await sendAll(every);
    for (const key of Object.keys(every)) {
      expect(first[key]?.status).toBe(202);
      expect({ key, ...again[key] }).toEqual({ key, status: 200, body: asDuplicate(first[key]?.body) });
    }
    expect((await api.call("GET", `/v1/messages/${first.single?.body.trackingCode}`)).status).toBe(404);
    expect(api.waiting).toHaveLength(10);
  });
}

test("the key expires after its 30 days to the millisecond, with what remained of the message", async () => {
  const sending = { path: "/v1/messages", body: singleMessage() };
  const first = await send("order-7", sending);
  await end();
  api.clock.jump(4 * dayMs);
  await forget({ accountDays: 3 });
  api.clock.jump(keyDays * dayMs - 4 * dayMs);
  await forget({ accountDays: 3 });
  expect((await send("order-7", sending)).body).toEqual(asDuplicate(first.body));
  api.clock.jump(1);
  await forget({ accountDays: 3 });
  expect(api.store.tables.messages.stubs.run(1, 1)).toEqual([]);
  const fresh = await send("order-7", sending);
  expect(fresh.status).toBe(202);
  expect(fresh.body.trackingCode).not.toBe(first.body.trackingCode);
});

test("a batch with some messages still waiting is answered whole", async () => {
  const messages = [1, 2, 3].map((n) => ({ recipient: `0912123452${n}`, message: `${n}` }));
  const sending = { path: "/v1/messages/batch", body: { sender, messages } };
  const first = await send("batch", sending);
  await api.store.write(({ messages }) => {
    for (const id of [1, 3]) {
      const row = messages.byId(id);
      if (row !== null) messages.move(row, { to: "cancelled", at: api.clock.now() });
    }
  });
  await send("newest", { path: "/v1/messages", body: singleMessage() });
  api.clock.jump(100 * hourMs);
  await forget({ accountDays: 3 });
  expect([1, 2, 3].map((id) => api.store.tables.messages.byId(id)?.id)).toEqual([undefined, 2, undefined]);
  expect(await send("batch", sending)).toEqual({ status: 200, body: asDuplicate(first.body) });
});

test("a key stops answering for an erased challenge, and still answers for a stub, which names no recipient", async () => {
  const every = await sendings();
  const first = await sendAll(every);
  await end();
  api.clock.jump(100 * hourMs);
  await forget({ accountDays: 3 });
  const { store, clock } = api;
  const target = { matches: (e164: string) => e164 === "+989121234511", numbers: [], isIdle: true };
  await new RecipientEraser({ store, clock, isListRead: () => false }).erase(target);
  expect((await send("challenge", every.challenge ?? { path: "", body: {} })).body.code).toBe(
    "otp_challenge_not_found",
  );
  expect((await send("pattern", every.pattern ?? { path: "", body: {} })).body).toEqual(
    asDuplicate(first.pattern?.body),
  );
});

test("a key whose messages an older version deleted without a trace is free again", async () => {
  const every = await sendings();
  await sendAll(every);
  await end();
  api.clock.jump(100 * hourMs);
  await forget({ accountDays: 3 });
  await api.store.write(({ messages }) => messages.stubs.prune(api.clock.now(), 1_000));
  const scheduled = { path: "/v1/messages/scheduled", body: { ...singleMessage(), sendAt: later() } };
  const again = await sendAll({ ...every, scheduled });
  expect(Object.values(again).map(({ status }) => status)).toEqual(Object.keys(every).map(() => 202));
});
