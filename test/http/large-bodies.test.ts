/** Large bodies mean the same as small ones, and their bytes in flight have a limit. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { permissions } from "../../src/domain/permissions.ts";
import { reduceBody } from "../../src/http/large-body.ts";
import { batchBody, batchBytesMax } from "../../src/http/message-fields.ts";
import { type Api, sender, startApi } from "../support/api.ts";
import type { RawConnection } from "../support/raw-http.ts";

let api: Api;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

const path = "/v1/messages/batch";
const good = { recipient: "09121234567", message: "سلام" };

/** Unknown fields are ignored, and make a body as large as needed. */
const padded = (body: object) => ({ ...body, ignored: "x".repeat(1_100_000) });

async function post(text: string, key: string = crypto.randomUUID()) {
  const response = await api.fetch(path, {
    method: "POST",
    headers: { "X-API-Key": api.apiKey, "Idempotency-Key": key, "Content-Type": "application/json" },
    body: new TextEncoder().encode(text),
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

const bodies: [what: string, body: object][] = [
  ["no messages", { sender }],
  ["an empty list", { sender, messages: [] }],
  ["too many messages", { sender, messages: Array(501).fill(good) }],
  ["messages that are no list", { sender, messages: { 0: good } }],
  ["a list and an object where a text belongs", { sender: ["x"], messages: [{ ...good, message: { a: 1 } }] }],
  ["null, true and a number where a text belongs", { sender: null, messages: [{ recipient: true, message: 7 }] }],
  ["a text that is far too long", { sender, messages: [{ ...good, message: "😀".repeat(100_000) }] }],
  [
    "a text that is too long by one, in characters of two units",
    { sender, messages: [{ ...good, message: "😀".repeat(2001) }] },
  ],
  ["a control character", { sender, messages: [{ ...good, message: "a\u0000" }] }],
  ["entries of every kind", { sender, messages: [null, 1, "x", [], {}, good] }],
  ["a recipient that is no mobile number", { sender, messages: [good, { ...good, recipient: "02188776655" }] }],
  ["a prototype", { sender, messages: [good], constructor: { prototype: 1 } }],
];
test.each(bodies)("%s: a large body is answered like a small one", async (_, body) => {
  const [small, large] = [await post(JSON.stringify(body)), await post(JSON.stringify(padded(body)))];
  expect(large.status).toBe(small.status);
  expect(large.body.errors).toEqual(small.body.errors);
});

test("a large body that is not JSON, or has too many values, is refused like a small one", async () => {
  expect(await post("x".repeat(2_000_000))).toMatchObject({ status: 400, body: { code: "malformed_json" } });
  expect(await post(`[${"[],".repeat(400_000)}[]]`)).toMatchObject({
    status: 400,
    body: { code: "validation_failed", errors: [{ field: "body", code: "too_many" }] },
  });
});

test("a large body has the payload hash of the same body in a smaller spelling", async () => {
  const body = { messages: [good], sender, other: [1, { b: 1, a: 2 }] };
  const [key, spaces] = [crypto.randomUUID(), " ".repeat(2_000_000)];
  expect((await post(JSON.stringify(body), key)).status).toBe(202);
  const repeated = await post(spaces + JSON.stringify({ sender, other: body.other, messages: body.messages }), key);
  expect([repeated.status, repeated.headers.get("idempotency-payload-mismatch")]).toEqual([200, null]);
  const other = await post(JSON.stringify(padded(body)), key);
  expect([other.status, other.headers.get("idempotency-payload-mismatch")]).toEqual([200, "true"]);
  const refused = await post(JSON.stringify(padded({ sender, messages: [] })), key);
  expect([refused.status, refused.headers.get("idempotency-payload-mismatch")]).toEqual([200, "true"]);
});

test("the parsing thread returns only known fields, and skips the hash of a body that is refused", () => {
  const keys = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`key ${index}`, index]));
  const bytes = (body: object) => new TextEncoder().encode(JSON.stringify(body));
  const reduced = reduceBody(bytes({ ...keys, sender, messages: [{ ...good, ...keys }] }), batchBody);
  expect(JSON.parse(reduced.json)).toEqual({ sender, messages: [good] });
  expect(reduced.payloadHash).toHaveLength(32);
  expect(reduceBody(bytes({ ...keys, sender, messages: Array(501).fill(good) }), batchBody).payloadHash).toHaveLength(
    0,
  );
});

const mebibytes = 1024 * 1024;

/** Starts a body of 16 MiB, and sends all of it but the last octet. */
async function unfinished(apiKey: string, isChunked = false): Promise<RawConnection> {
  const connection = await api.connect();
  const length = isChunked ? "Transfer-Encoding: chunked" : `Content-Length: ${batchBytesMax}`;
  const lines = [`POST ${path} HTTP/1.1`, "Host: localhost", `X-API-Key: ${apiKey}`, "Idempotency-Key: k"];
  connection.write([...lines, "Content-Type: application/json", length, "\r\n"].join("\r\n"));
  return connection;
}

const refusals = async (connection: RawConnection) => {
  const { status, headers, body } = await connection.answer();
  return [status, JSON.parse(body).code, headers.get("retry-after")];
};

test("an account may have two bodies of the largest size in flight, and all accounts together eight", async () => {
  const held: RawConnection[] = [];
  const begin = async (apiKey: string) => {
    const waiting = api.api.inFlight();
    held.push(await unfinished(apiKey));
    while (api.api.inFlight() === waiting) await api.clock.advance(1);
  };
  await begin(api.apiKey);
  await begin(api.apiKey);
  const third = await unfinished(api.apiKey);
  expect(await refusals(third)).toEqual([429, "rate_limit_exceeded", "2"]);
  third.end();
  for (let index = 0; index < 3; index += 1) {
    const { apiKey } = await api.customer();
    await begin(apiKey);
    await begin(apiKey);
  }
  const ninth = await unfinished((await api.customer()).apiKey);
  expect(await refusals(ninth)).toEqual([503, "service_unavailable", "2"]);
  ninth.end();
  for (const connection of held) connection.end();
  while (api.api.inFlight() > 0) await api.clock.advance(1);
  expect((await post(JSON.stringify(padded({ sender, messages: [good] })))).status).toBe(202);
});

test("another key of the account does not make room for a third body", async () => {
  const key = { name: "second", permissions, requestsPerMinute: null, expiresAt: null, allowFrom: [], isTest: false };
  const { apiKey } = await api.keys.create(api.accountId, key);
  const held = [await unfinished(api.apiKey), await unfinished(api.apiKey)];
  while (api.api.inFlight() < 2) await api.clock.advance(1);
  const third = await unfinished(apiKey);
  expect(await refusals(third)).toEqual([429, "rate_limit_exceeded", "2"]);
  for (const one of [...held, third]) one.end();
  while (api.api.inFlight() > 0) await api.clock.advance(1);
});

test("a chunked body counts as it arrives", async () => {
  const first = await unfinished(api.apiKey);
  while (api.api.inFlight() === 0) await api.clock.advance(1);
  const connection = await unfinished(api.apiKey, true);
  const second = await unfinished(api.apiKey);
  while (api.api.inFlight() < 3) await api.clock.advance(1);
  const chunk = "x".repeat(64 * 1024);
  connection.write(`${chunk.length.toString(16)}\r\n${chunk}\r\n`);
  expect(await refusals(connection)).toEqual([429, "rate_limit_exceeded", "2"]);
  for (const one of [first, second, connection]) one.end();
  while (api.api.inFlight() > 0) await api.clock.advance(1);
  expect(batchBytesMax).toBe(16 * mebibytes);
});
