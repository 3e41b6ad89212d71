/** Keys, permissions and accounts: which requests are admitted, and how often authentication may fail. */
import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { type Api, type ApiOptions, singleMessage, startApi } from "../support/api.ts";

let api: Api;
const others: Api[] = [];
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());
afterEach(async () => {
  for (const other of others.splice(0)) await other.stop();
});

async function another(options: ApiOptions = {}): Promise<Api> {
  const started = await startApi(options);
  others.push(started);
  return started;
}

async function outcome(response: Promise<Response>) {
  const answered = await response;
  const { code } = await answered.json();
  return answered.ok ? answered.status : `${answered.status} ${code}`;
}

const senders = (headers: Record<string, string | null>, of: Api = api) => of.call("GET", "/v1/senders", { headers });

test("a request without a key, or with an empty one, is answered 401 api_key_required", async () => {
  expect(await outcome(senders({ "X-API-Key": null }))).toBe("401 api_key_required");
  expect(await outcome(senders({ "X-API-Key": "" }))).toBe("401 api_key_required");
});

test("a key in the query string is ignored", async () => {
  const response = api.fetch(`/v1/senders?X-API-Key=${api.apiKey}&api_key=${api.apiKey}`);
  expect(await outcome(response)).toBe("401 api_key_required");
});

test("unknown, revoked and expired keys get the same error", async () => {
  const short = await api.customer({ expiresAt: api.clock.now() + 1000 });
  const revoked = await api.customer();
  await api.keys.revoke(revoked.keyId);
  expect(await outcome(senders({ "X-API-Key": short.apiKey }))).toBe(200);
  await api.clock.advance(1000);
  const bodies = await Promise.all(
    [`${api.apiKey}x`, "é", short.apiKey, revoked.apiKey].map(async (apiKey) => {
      const response = await senders({ "X-API-Key": apiKey, "X-Correlation-Id": "same" });
      return { status: response.status, body: await response.json(), rate: response.headers.get("ratelimit") };
    }),
  );
  expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1);
  expect(bodies[0]).toMatchObject({ status: 401, body: { code: "api_key_invalid" }, rate: null });
});

test("a key with addresses works from these alone, and from elsewhere is answered as unknown", async () => {
  const proxied = await another({ http: { trustedProxies: ["127.0.0.1"] } });
  const { apiKey, keyId } = await proxied.customer({ allowFrom: ["203.0.113.0/24", "2001:db8::/32"] });
  const from = (address: string) => outcome(senders({ "X-API-Key": apiKey, "X-Forwarded-For": address }, proxied));
  expect([await from("203.0.113.7"), await from("2001:db8:1::9"), await from("::ffff:203.0.113.7")]).toEqual([
    200, 200, 200,
  ]);
  expect(await from("203.0.114.7")).toBe("401 api_key_invalid");
  expect(await outcome(senders({ "X-API-Key": apiKey }, proxied))).toBe("401 api_key_invalid");
  await proxied.keys.update(keyId, { allowFrom: ["127.0.0.1"] });
  expect(await from("203.0.113.7")).toBe("401 api_key_invalid");
  expect(await outcome(senders({ "X-API-Key": apiKey }, proxied))).toBe(200);
  await proxied.keys.update(keyId, { allowFrom: [] });
  expect(await from("198.51.100.1")).toBe(200);
});

test("a changed key has its new rate, permissions and expiry at once", async () => {
  const { apiKey, keyId } = await api.customer();
  const get = () => senders({ "X-API-Key": apiKey });
  await api.keys.update(keyId, { requestsPerMinute: 7 });
  expect((await get()).headers.get("x-ratelimit-limit")).toBe("7");
  await api.keys.update(keyId, { permissions: ["messages:send"] });
  expect(await outcome(get())).toBe("403 permission_denied");
  await api.keys.update(keyId, { permissions: ["senders:read"], expiresAt: api.clock.now() + 1000 });
  expect(await outcome(get())).toBe(200);
  await api.clock.advance(1000);
  expect(await outcome(get())).toBe("401 api_key_invalid");
  await api.keys.update(keyId, { expiresAt: null });
  expect(await outcome(get())).toBe(200);
  await api.keys.revoke(keyId);
  expect(api.keys.update(keyId, { requestsPerMinute: 8 })).rejects.toMatchObject({ code: "key_revoked" });
});

test("a request in flight when its key is revoked is refused, and nothing of it is stored", async () => {
  const { apiKey, accountId, keyId } = await api.customer();
  const body = JSON.stringify(singleMessage());
  const connection = await api.connect();
  const head = [
    "POST /v1/messages HTTP/1.1",
    "Host: localhost",
    `X-API-Key: ${apiKey}`,
    "Idempotency-Key: k",
    "Content-Type: application/json",
    `Content-Length: ${body.length}`,
  ];
  connection.write(`${head.join("\r\n")}\r\n\r\n${body.slice(0, 20)}`);
  // Answered after the head above was read, which arrived first.
  expect(await outcome(senders({ "X-API-Key": apiKey }))).toBe(200);
  await api.keys.revoke(keyId);
  connection.write(body.slice(20));
  const answer = await connection.answer();
  connection.end();
  expect([answer.status, JSON.parse(answer.body).code]).toEqual([401, "api_key_invalid"]);
  expect(api.waiting.filter(({ senderId }) => api.directory.accountOf(senderId) === accountId)).toEqual([]);
});

test("both secrets of a rotated key work until the grace period ends", async () => {
  const { keyId, apiKey } = await api.customer();
  const rotated = await api.keys.rotate(keyId, 60_000);
  for (const secret of [apiKey, rotated.apiKey]) expect(await outcome(senders({ "X-API-Key": secret }))).toBe(200);
  await api.clock.advance(60_000);
  expect(await outcome(senders({ "X-API-Key": apiKey }))).toBe("401 api_key_invalid");
  expect(await outcome(senders({ "X-API-Key": rotated.apiKey }))).toBe(200);
});

test("a key without the operation's permission is refused, and a suspended account even before that", async () => {
  const reader = await api.customer({ permissions: ["senders:read"] });
  const headers = { "X-API-Key": reader.apiKey };
  expect(await outcome(senders(headers))).toBe(200);
  expect(await outcome(api.send("/v1/messages", singleMessage(), "k", headers))).toBe("403 permission_denied");
  await api.accounts.suspend(reader.accountId);
  expect(await outcome(senders(headers))).toBe("403 account_suspended");
  expect(await outcome(api.send("/v1/messages", singleMessage(), "k", headers))).toBe("403 account_suspended");
  await api.accounts.resume(reader.accountId);
  expect(await outcome(senders(headers))).toBe(200);
});

test("a sender that is another account's, inactive, removed or unknown is not permitted", async () => {
  const other = await api.customer();
  await api.senders.add(other.accountId, "50001234", true, []);
  await api.senders.add(api.accountId, "50005678", false, []);
  await api.senders.add(api.accountId, "50009999", true, []);
  await api.senders.remove(api.accountId, "50009999");
  for (const sender of ["50001234", "50005678", "50009999", "NOBODY"]) {
    expect(await outcome(api.send("/v1/messages", singleMessage({ sender })))).toBe("403 sender_not_permitted");
  }
});

test("the senders are those of the account, active or not, without removed ones", async () => {
  const customer = await api.customer();
  await api.senders.add(customer.accountId, "CLINIC", false, []);
  await api.senders.add(customer.accountId, "GONE1", true, []);
  await api.senders.remove(customer.accountId, "GONE1");
  const response = await senders({ "X-API-Key": customer.apiKey });
  expect(await response.json()).toEqual([
    { sender: "982000123", active: true },
    { sender: "CLINIC", active: false },
  ]);
});

const wrongKey = { "X-API-Key": "wrong" };

async function statuses(count: number, ask: () => Promise<Response>) {
  const seen: number[] = [];
  for (let index = 0; index < count; index += 1) seen.push((await ask()).status);
  return seen;
}

test("sixty failures a minute from one address get 401 and further ones 429, and a valid key always works", async () => {
  const strict = await another();
  expect(new Set(await statuses(60, () => senders(wrongKey, strict)))).toEqual(new Set([401]));
  const refused = await senders({ "X-API-Key": null }, strict);
  expect([refused.status, (await refused.json()).code]).toEqual([429, "rate_limit_exceeded"]);
  expect(refused.headers.get("retry-after")).toBe("60");
  expect((await senders({}, strict)).status).toBe(200);
  await strict.clock.advance(59_999);
  expect((await senders(wrongKey, strict)).headers.get("retry-after")).toBe("1");
  await strict.clock.advance(1);
  expect((await senders(wrongKey, strict)).status).toBe(401);
});

test("the addresses of an IPv6 network of 48 bits count as one client", async () => {
  const strict = await another({ http: { failedAuthPerMinute: 2, trustedProxies: ["127.0.0.0/8"] } });
  const from = (address: string) => senders({ ...wrongKey, "X-Forwarded-For": address }, strict);
  const seen: number[] = [];
  for (const address of ["2001:db8:1::1", "2001:db8:1:2::1", "2001:db8:1:ffff::1", "2001:db8:2::1"]) {
    seen.push((await from(address)).status);
  }
  expect(seen).toEqual([401, 401, 429, 401]);
});

test("each client behind a trusted proxy counts on its own, and others cannot choose their address", async () => {
  const forwarded = (address: string) => ({ ...wrongKey, "X-Forwarded-For": address });
  const http = { failedAuthPerMinute: 2 };
  const proxied = await another({ http: { ...http, trustedProxies: ["127.0.0.0/8", "10.0.0.1"] } });
  expect(await statuses(3, () => senders(forwarded("198.51.100.1"), proxied))).toEqual([401, 401, 429]);
  expect(await statuses(3, () => senders(forwarded("198.51.100.2, 10.0.0.1"), proxied))).toEqual([401, 401, 429]);
  expect((await senders(forwarded("198.51.100.9, 198.51.100.1"), proxied)).status).toBe(429);
  const direct = await another({ http });
  const chosen = ["198.51.100.1", "198.51.100.2", "198.51.100.3"];
  const seen = await Promise.all(chosen.map(async (address) => (await senders(forwarded(address), direct)).status));
  expect(seen.sort()).toEqual([401, 401, 429]);
});
