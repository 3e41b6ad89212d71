/** Every error code of the message operations, and the order of the checks. */

import { Database } from "bun:sqlite";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import pino from "pino";
import { type ApiErrorCode, apiErrors } from "../../src/domain/api-error.ts";
import { errorCodesOf } from "../../src/http/openapi-responses.ts";
import { senderOperations } from "../../src/http/senders.ts";
import { sendingOperations } from "../../src/http/sending.ts";
import { trackingOperations } from "../../src/http/tracking.ts";
import { Acceptor } from "../../src/messaging/messages/accept.ts";
import { canceller } from "../../src/messaging/messages/cancel.ts";
import { tracker } from "../../src/messaging/messages/track.ts";
import { StoreUnavailable } from "../../src/store/group-commit.ts";
import type { Store } from "../../src/store/store.ts";
import { type Api, singleMessage, startApi } from "../support/api.ts";
import { noTrafficRules } from "../support/no-rules.ts";

let api: Api;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

const unknownCode = "01KAGZ4M8Q3T9X2B4N7K1R0YAV";

function post(headers: Record<string, string>, body: string, path = "/v1/messages") {
  const usual = { "X-API-Key": api.apiKey, "Content-Type": "application/json", "Idempotency-Key": crypto.randomUUID() };
  return api.fetch(path, { method: "POST", headers: { ...usual, ...headers }, body });
}

async function suspended() {
  const { accountId, apiKey } = await api.customer();
  await api.accounts.suspend(accountId);
  return api.call("GET", "/v1/senders", { headers: { "X-API-Key": apiKey } });
}

async function overQuota() {
  const { accountId, apiKey } = await api.customer();
  await api.quotas.set({ subject: "account", subjectId: accountId }, { day: 0 });
  return api.send("/v1/messages", singleMessage(), "over", { "X-API-Key": apiKey });
}

async function withoutMoney() {
  const { accountId, apiKey } = await api.customer();
  await api.billing.prices.set("retail", { prefix: "*", price: "1", from: "" });
  await api.billing.prices.charge(accountId, { list: "retail", mode: "prepaid" });
  return api.send("/v1/messages", singleMessage(), "poor", { "X-API-Key": apiKey });
}

async function limited() {
  const { apiKey } = await api.customer({ requestsPerMinute: 1 });
  const ask = () => api.call("GET", "/v1/senders", { headers: { "X-API-Key": apiKey } });
  await ask();
  return ask();
}

/** A message that was handed over to a route can no longer be cancelled. */
async function tooLateToCancel() {
  const { trackingCode } = await (await api.send("/v1/messages", singleMessage())).json();
  await api.store.write(({ messages }) => {
    const row = messages.byCode(api.accountId, trackingCode);
    if (row === null) throw new Error("The message is not stored");
    messages.move(row, { to: "submitting", at: api.clock.now() });
  });
  return api.call("POST", `/v1/messages/${trackingCode}/cancel`);
}

async function conflicting() {
  await api.send("/v1/messages", singleMessage(), "taken");
  return api.send("/v1/messages/batch", {}, "taken");
}

/** An unexpected error of the database is a defect, not a full disk. */
async function defective() {
  const broken = await startApi();
  const database = new Database(join(broken.folder, "peyk.db"));
  database.run("CREATE TRIGGER broken BEFORE INSERT ON message BEGIN SELECT RAISE(ABORT, 'secret detail'); END");
  database.close();
  const response = await broken.send("/v1/messages", singleMessage());
  await broken.stop();
  return response;
}

async function withFullDisk() {
  const refuse = () => Promise.reject(new StoreUnavailable(new Error("secret detail")));
  const full: Store = { ...api.store, write: refuse, append: refuse };
  const broken = await startApi({ acceptingStore: full });
  const response = await broken.send("/v1/messages", singleMessage());
  await broken.stop();
  return response;
}

async function tooSlow() {
  const connection = await api.connect();
  const lines = [
    `X-API-Key: ${api.apiKey}`,
    "Idempotency-Key: k",
    "Content-Type: application/json",
    "Content-Length: 9",
  ];
  connection.write(["POST /v1/messages HTTP/1.1", "Host: localhost", ...lines, "\r\n"].join("\r\n"));
  const answered = connection.answer();
  while (connection.received() === "") await api.clock.advance(5_000);
  const { status, headers, body } = await answered;
  connection.end();
  return new Response(body, { status, headers });
}

const reached = {
  request_timeout: tooSlow,
  malformed_json: () => post({}, "{"),
  validation_failed: () => api.send("/v1/messages", {}),
  idempotency_key_required: () => api.call("POST", "/v1/messages", { body: singleMessage() }),
  idempotency_key_invalid: () => api.send("/v1/messages", singleMessage(), "k".repeat(101)),
  idempotency_key_conflict: conflicting,
  api_key_required: () => api.call("GET", "/v1/senders", { headers: { "X-API-Key": null } }),
  api_key_invalid: () => api.call("GET", "/v1/senders", { headers: { "X-API-Key": "wrong" } }),
  permission_denied: async () => {
    const { apiKey } = await api.customer({ permissions: [] });
    return api.call("GET", "/v1/senders", { headers: { "X-API-Key": apiKey } });
  },
  sender_not_permitted: () => api.send("/v1/messages", singleMessage({ sender: "NOBODY" })),
  account_suspended: suspended,
  quota_exceeded: overQuota,
  balance_exhausted: withoutMoney,
  message_not_found: () => api.call("GET", `/v1/messages/${unknownCode}`),
  message_not_cancellable: tooLateToCancel,
  payload_too_large: () => post({}, " ".repeat(1024 * 1024 + 1)),
  unsupported_media_type: () => post({ "Content-Type": "text/plain" }, "{}"),
  rate_limit_exceeded: limited,
  internal_error: defective,
  service_unavailable: withFullDisk,
} satisfies Partial<Record<ApiErrorCode, () => Promise<Response>>>;

const isReached = (code: string): code is keyof typeof reached => code in reached;

test.each(Object.keys(reached).filter(isReached))(
  "%s is answered in the documented shape, with its status",
  async (code) => {
    const response = await reached[code]();
    const row = apiErrors[code];
    expect(response.status).toBe(row.status);
    expect(response.headers.get("content-type")).toBe("application/json");
    const { errors, ...body } = await response.json();
    const correlationId = response.headers.get("x-correlation-id");
    expect(body).toEqual({ code, message: expect.any(String), correlationId });
    expect(errors === undefined).toBe(code !== "validation_failed");
    expect(JSON.stringify(body)).not.toContain("secret detail");
    expect(response.headers.has("retry-after")).toBe(
      row.status === 429 || row.status === 503 || code === "quota_exceeded",
    );
  },
);

test("every error code of the message operations has a case above", () => {
  const store = api.store;
  const parts = { store, clock: api.clock, trackingCodes: { next: () => "" }, directory: api.directory, validityMs: 1 };
  const accepting = new Acceptor({
    ...parts,
    rules: noTrafficRules,
    mismatch: "replay",
    accepted: () => {},
    mismatched: () => {},
  });
  const operations = [
    ...sendingOperations(accepting),
    ...trackingOperations(tracker(store), canceller(store, api.clock), false),
    ...senderOperations(api.directory),
  ];
  const documented = new Set<string>(operations.flatMap(errorCodesOf));
  expect([...documented].sort()).toEqual(Object.keys(reached).sort());
});

test("the first check that fails decides the answer", async () => {
  const noPermission = (await api.customer({ permissions: [], requestsPerMinute: 1_000_000 })).apiKey;
  const spent = (await api.customer({ permissions: [], requestsPerMinute: 1 })).apiKey;
  await api.call("GET", "/v1/senders", { headers: { "X-API-Key": spent } });
  const text = { "Content-Type": "text/plain" };
  const long = " ".repeat(1024 * 1024 + 1);
  const inOrder: [code: string, ask: () => Promise<Response>][] = [
    ["not_found", () => post({ "X-API-Key": "wrong" }, "{", "/v1/nothing")],
    ["method_not_allowed", () => api.fetch("/v1/messages", { method: "PUT", body: "{" })],
    ["api_key_invalid", () => post({ ...text, "X-API-Key": "wrong" }, long)],
    ["rate_limit_exceeded", () => post({ ...text, "X-API-Key": spent }, long)],
    ["permission_denied", () => post({ ...text, "X-API-Key": noPermission }, long)],
    ["unsupported_media_type", () => post({ ...text, "Idempotency-Key": "" }, long)],
    ["payload_too_large", () => post({ "Idempotency-Key": "" }, long)],
    ["idempotency_key_required", () => post({ "Idempotency-Key": "" }, "{")],
    ["idempotency_key_invalid", () => post({ "Idempotency-Key": "k".repeat(101) }, "{")],
    ["malformed_json", () => post({}, "{")],
    ["validation_failed", () => post({}, JSON.stringify(singleMessage({ sender: "NOBODY", message: "" })))],
    ["sender_not_permitted", () => post({}, JSON.stringify(singleMessage({ sender: "NOBODY" })))],
  ];
  const answered: string[] = [];
  for (const [, ask] of inOrder) answered.push((await (await ask()).json()).code);
  expect(answered).toEqual(inOrder.map(([code]) => code));
});

test("requests can be logged with tracking code and status, mismatches always are, and no line has a key or text", async () => {
  const lines: { level: number; msg: string; trackingCode?: string; status?: number; correlationId?: string }[] = [];
  const log = pino({ level: "debug" }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const logged = await startApi({ log });
  const { trackingCode } = await (
    await logged.send("/v1/messages", singleMessage(), "k", { "X-Correlation-Id": "first" })
  ).json();
  await logged.send("/v1/messages", singleMessage({ message: "a private text" }), "k", {
    "X-Correlation-Id": "second",
  });
  await logged.stop();
  expect(lines).toEqual([
    expect.objectContaining({ level: 20, msg: "Answered", correlationId: "first", status: 202, trackingCode }),
    expect.objectContaining({ level: 40, correlationId: "second" }),
    expect.objectContaining({ level: 20, msg: "Answered", correlationId: "second", status: 200, trackingCode }),
  ]);
  expect(JSON.stringify(lines)).not.toContain("a private text");
  expect(JSON.stringify(lines)).not.toContain(logged.apiKey);
});

test("an internal error is logged with its correlation id, without the request's text and key", async () => {
  const lines: string[] = [];
  const log = pino({ level: "trace" }, { write: (line: string) => void lines.push(line) });
  const logged = await startApi({ log });
  const database = new Database(join(logged.folder, "peyk.db"));
  database.run("CREATE TRIGGER broken BEFORE INSERT ON message BEGIN SELECT RAISE(ABORT, 'why it failed'); END");
  database.close();
  const headers = { "X-Correlation-Id": "find-me" };
  await logged.send("/v1/messages", singleMessage({ message: "a private text" }), "k", headers);
  await logged.stop();
  const joined = lines.join("");
  expect(joined).toContain("find-me");
  expect(joined).toContain("why it failed");
  expect(joined).not.toContain("a private text");
  expect(joined).not.toContain(logged.apiKey);
});
