/** One Idempotency-Key, one result: retries, races, and keys reused for another operation. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { formerPayloadHash } from "../../src/domain/idempotency.ts";
import { type Api, sender, singleMessage, startApi } from "../support/api.ts";
import { callerAt } from "../support/caller.ts";

let api: Api;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

const stored = (of: Api = api) => of.store.tables.messages.run(1, 100_000).length;

test("a repeat is answered 200 with the first result and duplicate true, and creates nothing", async () => {
  const first = await api.send("/v1/messages", singleMessage(), "repeat");
  const before = stored();
  const again = await api.send("/v1/messages", singleMessage(), "repeat");
  expect([first.status, again.status]).toEqual([202, 200]);
  expect(await again.json()).toEqual({ ...(await first.json()), duplicate: true });
  expect(again.headers.get("idempotency-payload-mismatch")).toBeNull();
  expect(stored()).toBe(before);
});

test("a repeat gets the first result, whatever state the message has by now", async () => {
  const { trackingCode } = await (await api.send("/v1/messages", singleMessage(), "later")).json();
  await api.call("POST", `/v1/messages/${trackingCode}/cancel`);
  const again = await api.send("/v1/messages", singleMessage(), "later");
  expect(await again.json()).toMatchObject({ trackingCode, status: "queued", duplicate: true });
});

test("a payload in another spelling is the same payload", async () => {
  await api.send("/v1/messages", { sender, recipient: "09121234567", message: "x" }, "spelling");
  const again = await api.send("/v1/messages", { message: "x", recipient: "09121234567", sender }, "spelling");
  expect([again.status, again.headers.get("idempotency-payload-mismatch")]).toEqual([200, null]);
});

test("another payload gets the first result too, with the mismatch header", async () => {
  const first = await api.send("/v1/messages", singleMessage({ message: "one" }), "mismatch");
  const again = await api.send("/v1/messages", singleMessage({ message: "two" }), "mismatch");
  expect([again.status, again.headers.get("idempotency-payload-mismatch")]).toEqual([200, "true"]);
  expect((await again.json()).trackingCode).toBe((await first.json()).trackingCode);
});

test("another payload is refused if the settings say so", async () => {
  const strict = await startApi({ mismatch: "reject" });
  try {
    await strict.send("/v1/messages", singleMessage({ message: "one" }), "k");
    const other = await strict.send("/v1/messages", singleMessage({ message: "two" }), "k");
    expect([other.status, (await other.json()).code]).toEqual([409, "idempotency_key_conflict"]);
    expect((await strict.send("/v1/messages", singleMessage({ message: "one" }), "k")).status).toBe(200);
  } finally {
    await strict.stop();
  }
});

test("a key used for another operation is always refused", async () => {
  await api.send("/v1/messages", singleMessage(), "one operation");
  const bodies = {
    "/v1/messages/batch": { sender, messages: [{ recipient: "09121234567", message: "x" }] },
    "/v1/messages/scheduled": {},
  };
  for (const [path, body] of Object.entries(bodies)) {
    const response = await api.send(path, body, "one operation");
    expect([response.status, (await response.json()).code]).toEqual([409, "idempotency_key_conflict"]);
  }
});

test("a repeated batch gets every result, in order", async () => {
  const body = { sender, messages: [1, 2, 3].map((n) => ({ recipient: `0912123450${n}`, message: `${n}` })) };
  const first = await api.send("/v1/messages/batch", body, "batch");
  const again = await api.send("/v1/messages/batch", body, "batch");
  expect([first.status, again.status]).toEqual([202, 200]);
  const results: object[] = await first.json();
  expect(await again.json()).toEqual(results.map((result) => ({ ...result, duplicate: true })));
});

describe("a known key is answered before", () => {
  test("the body is validated, as for a scheduled send whose sendAt has passed", async () => {
    const sendAt = new Date(api.clock.now() + 60_000).toISOString();
    const first = await api.send("/v1/messages/scheduled", singleMessage({ sendAt }), "in time");
    await api.clock.advance(3_600_000);
    const again = await api.send("/v1/messages/scheduled", singleMessage({ sendAt }), "in time");
    expect(again.status).toBe(200);
    expect(await again.json()).toEqual({ ...(await first.json()), duplicate: true });
    expect((await api.send("/v1/messages/scheduled", singleMessage({ sendAt }), "too late")).status).toBe(400);
  });

  test("the body's fields are checked", async () => {
    await api.send("/v1/messages", singleMessage(), "no fields");
    for (const body of [{}, [], null, 7, { sender: 1 }]) {
      expect((await api.send("/v1/messages", body, "no fields")).status).toBe(200);
    }
  });

  test("the sender is checked, even if it was deactivated since", async () => {
    await api.senders.add(api.accountId, "30001234", true, []);
    const body = singleMessage({ sender: "30001234" });
    await api.send("/v1/messages", body, "sender");
    await api.senders.update(api.accountId, "30001234", { active: false });
    expect((await api.send("/v1/messages", body, "sender")).status).toBe(200);
    expect((await api.send("/v1/messages", body, "sender 2")).status).toBe(403);
  });

  test("nothing else: malformed JSON, missing permission and a suspended account come first", async () => {
    const { accountId, apiKey } = await api.customer();
    const headers = { "X-API-Key": apiKey };
    await api.send("/v1/messages", singleMessage(), "k", headers);
    await api.accounts.suspend(accountId);
    expect((await api.send("/v1/messages", singleMessage(), "k", headers)).status).toBe(403);
    await api.accounts.resume(accountId);
    const broken = await api.fetch("/v1/messages", {
      method: "POST",
      headers: { ...headers, "Idempotency-Key": "k", "Content-Type": "application/json" },
      body: "{",
    });
    expect([broken.status, (await broken.json()).code]).toEqual([400, "malformed_json"]);
  });
});

test("a refused request registers nothing and leaves its key free", async () => {
  const refused: [status: number, body: unknown][] = [
    [400, singleMessage({ message: "" })],
    [403, singleMessage({ sender: "UNKNOWN" })],
  ];
  for (const [status, body] of refused) {
    const key = `free after ${status}`;
    expect((await api.send("/v1/messages", body, key)).status).toBe(status);
    expect((await api.send("/v1/messages", singleMessage(), key)).status).toBe(202);
  }
});

test("Idempotency-Keys belong to one API key, and stay with it when it is rotated", async () => {
  const other = await api.keys.create(api.accountId, {
    name: "b",
    permissions: ["messages:send"],
    requestsPerMinute: null,
    expiresAt: null,
  });
  const under = (apiKey: string) => api.send("/v1/messages", singleMessage(), "shared", { "X-API-Key": apiKey });
  expect((await under(api.apiKey)).status).toBe(202);
  expect((await under(other.apiKey)).status).toBe(202);
  const rotated = await api.keys.rotate(other.key.id, 3_600_000);
  expect((await under(rotated.apiKey)).status).toBe(200);
  expect((await under(other.apiKey)).status).toBe(200);
});

test("of fifty parallel requests with one key exactly one creates a message, and all get its result", async () => {
  for (const path of ["/v1/messages", "/v1/messages/batch"]) {
    const before = stored();
    const body = path.endsWith("batch")
      ? { sender, messages: [{ recipient: "09121234567", message: "x" }] }
      : singleMessage();
    const racers = await Promise.all(Array.from({ length: 50 }, () => api.send(path, body, `race ${path}`)));
    const statuses = racers.map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array(49).fill(200), 202]);
    const results = await Promise.all(racers.map(async (racer) => [await racer.json()].flat()[0]));
    expect(new Set(results.map(({ trackingCode }) => trackingCode)).size).toBe(1);
    expect(results.filter(({ duplicate }) => !duplicate)).toHaveLength(1);
    expect(stored()).toBe(before + 1);
  }
});

test("a repeated header, or a key that could be two, is refused", async () => {
  const headers = ["POST /v1/messages HTTP/1.1", "Host: localhost", `X-API-Key: ${api.apiKey}`];
  const body = JSON.stringify(singleMessage());
  const length = [`Content-Length: ${Buffer.byteLength(body)}`, "Content-Type: application/json"];
  for (const keys of [["one", "two"], ["same", "same"], ["", ""], ["one, two"]]) {
    const lines = [...headers, ...keys.map((key) => `Idempotency-Key: ${key}`), ...length, "", ""];
    const { status, body: answer } = await api.raw(lines.join("\r\n") + Buffer.from(body).toString("latin1"));
    expect([keys, status, JSON.parse(answer).code]).toEqual([keys, 400, "idempotency_key_invalid"]);
  }
});

test("null equals an omitted field, even if the key was stored by a version that told them apart", async () => {
  const [bare, nulls] = [singleMessage(), singleMessage({ clientReference: null, unknown: null })];
  const mismatch = (response: Response) => [response.status, response.headers.get("idempotency-payload-mismatch")];
  expect((await api.send("/v1/messages", bare, "null 1")).status).toBe(202);
  expect(mismatch(await api.send("/v1/messages", nulls, "null 1"))).toEqual([200, null]);
  const caller = callerAt(api.clock.now(), api.accountId, api.keyId);
  const request = { key: "null 2", operation: "POST /v1/messages", payloadHash: formerPayloadHash(nulls) };
  const draft = {
    sender,
    recipient: "+989121234567",
    text: "سلام",
    clientReference: null,
    class: 1,
    sendAt: null,
  } as const;
  await api.acceptor.accept(caller, request, [draft]);
  expect(mismatch(await api.send("/v1/messages", nulls, "null 2"))).toEqual([200, null]);
  expect(mismatch(await api.send("/v1/messages", singleMessage({ message: "x" }), "null 2"))).toEqual([200, "true"]);
});

test("every optional field may be null", async () => {
  const challenge = { sender, recipient: "09121234561", codeLength: null, ttlSeconds: null, patternCode: null };
  expect((await api.send("/v1/otp/challenges", { ...challenge, clientReference: null })).status).toBe(202);
  expect((await api.call("PATCH", "/v1/webhooks/x", { body: { events: null, isActive: null } })).status).toBe(404);
});
