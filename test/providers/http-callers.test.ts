/** A provider's calls are accepted only from its address, with its password, under its signature: whatever the route's file requires. */
import { describe, expect, test } from "bun:test";
import { createHmac } from "node:crypto";
import { silentLog } from "../../src/platform/log.ts";
import { CallbackReceiver } from "../../src/providers/http/callback-receiver.ts";
import type { ProviderCallback } from "../../src/providers/http/callbacks.ts";
import { parseHttpOptions } from "../../src/providers/http/options.ts";
import { RecordedEvents } from "./support.ts";

const secret = "0123456789abcdef";
const key = "12345";
const receiptsPath = `/from/carrier/${secret}/receipts`;
const url = `https://sms.example.com${receiptsPath}`;

function file(caller: unknown, set: object = {}) {
  return {
    request: { url: "https://carrier.example/send" },
    receipts: { id: "id", state: "state", delivered: "ok", failed: "bad" },
    caller,
    callbackUrl: "https://sms.example.com/from/carrier",
    callbackSecret: secret,
    callbackKey: key,
    callbackPassword: "pass:word",
    ...set,
  };
}

interface Sent {
  body: string;
  query?: string;
  contentType?: string;
  headers?: Record<string, string>;
  address?: string;
}

/** Calls a route that has `caller`; returns the answer's status, and how many receipts were accepted. */
async function call(caller: unknown, sent: Sent) {
  const { body, query = "", contentType = "application/json", headers = {}, address = "203.0.113.9" } = sent;
  const events = new RecordedEvents();
  const stored = { receipt: events.receipt.bind(events), inbound: events.inbound.bind(events) };
  const receiver = new CallbackReceiver({ clock: { now: () => 0 }, log: silentLog, events: () => stored });
  receiver.apply([{ id: 1, name: "carrier", file: file(caller) }]);
  const given = new Headers(headers);
  const octets = new TextEncoder().encode(body);
  const request: ProviderCallback = { body, octets, query, contentType, header: (name) => given.get(name), address };
  const answer = await receiver.find(receiptsPath)?.(request);
  return { ...answer, taken: events.receipts.length };
}

const report = '{"id":"7","state":"ok"}';
const hmac = (algorithm: string, encoding: "hex" | "base64", ...pieces: string[]) =>
  createHmac(algorithm, key).update(pieces.join("")).digest(encoding);

test("a callback without caller rules needs only the secret in its path", async () => {
  expect(await call(undefined, { body: report })).toMatchObject({ status: 200, taken: 1 });
});

test("a callback is accepted only from the listed addresses", async () => {
  const caller = { addresses: ["203.0.113.0/28", "2001:db8::7"] };
  expect(await call(caller, { body: report })).toMatchObject({ status: 200, taken: 1 });
  expect(await call(caller, { body: report, address: "2001:db8::7" })).toMatchObject({ status: 200 });
  expect(await call(caller, { body: report, address: "203.0.113.16" })).toMatchObject({ status: 403, taken: 0 });
  expect(await call(caller, { body: report, address: "unknown" })).toMatchObject({ status: 403, taken: 0 });
});

test("a callback is accepted only with the password, which is requested first", async () => {
  const caller = { username: "carrier" };
  const as = (credentials: string) => ({ body: report, headers: { Authorization: `Basic ${btoa(credentials)}` } });
  expect(await call(caller, as("carrier:pass:word"))).toMatchObject({ status: 200, taken: 1 });
  expect(await call(caller, { body: report })).toMatchObject({
    status: 401,
    challenge: expect.stringMatching(/^Basic/),
    taken: 0,
  });
  expect(await call(caller, as("carrier:other"))).toMatchObject({ status: 401, taken: 0 });
});

describe("a callback is accepted only with a signature", () => {
  test("over the bytes of the body", async () => {
    const caller = { signature: { header: "X-Hub-Signature-256", prefix: "sha256=" } };
    const signed = (signature: string, body = report) =>
      call(caller, { body, headers: { "X-Hub-Signature-256": signature } });
    const good = hmac("sha256", "hex", report);
    expect(await signed(`sha256=${good}`)).toMatchObject({ status: 200, taken: 1 });
    expect(await signed(`sha256=${good.toUpperCase()}`)).toMatchObject({ status: 200 });
    expect(await signed(good)).toMatchObject({ status: 403, taken: 0 });
    expect(await signed(`sha256=${good}`, `${report} `)).toMatchObject({ status: 403, taken: 0 });
    expect(await call(caller, { body: report })).toMatchObject({ status: 403, taken: 0 });
  });

  test("over listed fields, joined by the separator", async () => {
    const over = [{ header: "X-Time" }, { json: "id" }, { json: "state" }];
    const caller = {
      signature: { field: { query: "sig" }, algorithm: "sha512", encoding: "base64", over, separator: "|" },
    };
    const sig = hmac("sha512", "base64", "99|7|ok");
    const sent = { body: report, query: `sig=${encodeURIComponent(sig)}` };
    expect(await call(caller, { ...sent, headers: { "X-Time": "99" } })).toMatchObject({ status: 200, taken: 1 });
    expect(await call(caller, { ...sent, headers: { "X-Time": "98" } })).toMatchObject({ status: 403, taken: 0 });
    expect(await call(caller, sent)).toMatchObject({ status: 403, taken: 0 });
  });

  test("over the URL and the form's fields in order, as Twilio signs", async () => {
    const caller = {
      signature: { header: "X-Twilio-Signature", algorithm: "sha1", encoding: "base64", over: ["url", "sortedForm"] },
    };
    const form = { body: "state=ok&id=7&To=%2B1202", contentType: "application/x-www-form-urlencoded", query: "a=1" };
    const signature = hmac("sha1", "base64", `${url}?a=1`, "To+1202", "id7", "stateok");
    const headers = { "X-Twilio-Signature": signature };
    expect(await call(caller, { ...form, headers })).toMatchObject({ status: 200, taken: 1 });
    expect(await call(caller, { ...form, query: "a=2", headers })).toMatchObject({ status: 403, taken: 0 });
  });
});

test("missing and wrong caller rules in a file are named", () => {
  const problems = (caller: unknown, set: object = {}) => {
    const parsed = parseHttpOptions(file(caller, set));
    return "problems" in parsed ? parsed.problems.map(({ key: at }) => at) : [];
  };
  expect(problems({ addresses: ["203.0.113.300"] })).toEqual(["caller.addresses"]);
  expect(problems({ username: "x" }, { callbackPassword: undefined })).toEqual(["callbackPasswordFile"]);
  expect(problems({ signature: { header: "X" } }, { callbackKey: undefined })).toEqual(["callbackKeyFile"]);
  expect(problems({ signature: {} })).toEqual(["caller.signature"]);
  expect(problems({ signature: { header: "X", over: ["bodi"] } })).toEqual(["caller.signature.over[0]"]);
  expect(problems({ signature: { header: "X", over: [{ cookie: "x" }] } })).toContain(
    "caller.signature.over[0].cookie",
  );
});
