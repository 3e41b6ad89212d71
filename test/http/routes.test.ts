/** Known and unknown paths and methods, the paths that need a key, and the headers of every response. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { type Api, singleMessage, startApi } from "../support/api.ts";

let api: Api;
beforeAll(async () => {
  api = await startApi({ http: { failedAuthPerMinute: 1_000_000 } });
});
afterAll(() => api.stop());

/** Every other path needs a key. */
const needNoKey = [
  "/v1/openapi.json",
  "/docs",
  "/docs/page.css",
  "/docs/start.js",
  "/docs/verify-signature",
  "/docs/scalar.js",
  "/healthz",
  "/readyz",
];

/** Without the slash at the end of the webhooks' path: the tests request it with a slash and without. */
const filled = (path: string) => path.replace(/:\w+/g, "01KAGZ4M8Q3T9X2B4N7K1R0YAV").replace(/\/$/, "");

test("every path requires a key except the reference and the health checks", async () => {
  const open: string[] = [];
  for (const { method, path } of api.api.routes) {
    for (const variant of [filled(path), `${filled(path)}/`]) {
      const response = await api.fetch(variant, { method });
      if (response.status === 401) expect((await response.json()).code).toBe("api_key_required");
      else open.push(`${method} ${response.status} ${variant}`);
    }
  }
  expect(open.sort()).toEqual(needNoKey.flatMap((path) => [`GET 200 ${path}`, `GET 200 ${path}/`]).sort());
});

test("no answer may be cached or sniffed as a page, with a key or without", async () => {
  for (const path of [...needNoKey, "/v1/senders", "/v1/nothing"]) {
    const headers = (await api.fetch(path)).headers;
    expect([headers.get("cache-control"), headers.get("x-content-type-options")]).toEqual(["no-store", "nosniff"]);
  }
});

test("the application serves no path that is missing from its list of routes", () => {
  const listed = new Set(api.api.routes.map(({ path }) => path));
  const registered = api.api.app.routes.map(({ path }) => path);
  // Every other path is served by the fallback.
  expect(new Set(registered.filter((path) => !listed.has(path)))).toEqual(new Set(["/*"]));
  expect(new Set(registered).size).toBe(listed.size + 1);
});

test("a wrong method is answered 405 with the path's methods in Allow, even without a key", async () => {
  const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
  for (const path of new Set(api.api.routes.map((route) => route.path))) {
    const taken = api.api.routes.filter((route) => route.path === path).map(({ method }) => method);
    const allowed = taken.includes("GET") ? [...taken, "HEAD"] : taken;
    for (const method of methods.filter((method) => !allowed.includes(method))) {
      for (const variant of [filled(path), `${filled(path)}/`, `${filled(path)}?x=1`]) {
        const response = await api.fetch(variant, { method });
        expect(response.status).toBe(405);
        if (method !== "HEAD") expect((await response.json()).code).toBe("method_not_allowed");
        expect(new Set(response.headers.get("allow")?.split(", "))).toEqual(new Set(allowed));
        expect(response.headers.get("x-correlation-id")).not.toBeNull();
      }
    }
  }
});

test("uncommon methods are answered 405 too", async () => {
  for (const method of ["TRACE", "PROPFIND", "LOCK"]) {
    const answer = await api.raw(`${method} /v1/messages HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    expect([answer.status, JSON.parse(answer.body).code, answer.headers.get("allow")]).toEqual([
      405,
      "method_not_allowed",
      "POST",
    ]);
  }
});

const unknown = [
  "/",
  "//",
  "/v1",
  "/v1/",
  "/v1/nothing",
  "/v1//messages",
  "/v1/messages//",
  "/v1/Messages",
  "/V1/messages",
  "/v1/message%73",
  "/%76%31/senders",
  "/v1/messages/a/b",
  "/v1/messages/a/cancel/b",
  "/v2/messages",
  "/%",
  "/%zz",
  "/%00",
  "/%ff",
  "/v1/senders%00",
  "/v1/senders%2f",
  "/v1/senders;x=1",
  "/docs/../secret",
  "/docs/package.json",
  "/.env",
  "/metrics",
  "/\u00e9",
  `/${"x".repeat(8000)}`,
];
test.each(unknown)("%s is unknown, with a key and without", async (path) => {
  for (const key of ["", `X-API-Key: ${api.apiKey}\r\n`]) {
    const answer = await api.raw(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n${key}\r\n`);
    const { code, correlationId } = JSON.parse(answer.body);
    expect([answer.status, code]).toEqual([404, "not_found"]);
    expect(answer.headers.get("x-correlation-id")).toBe(correlationId);
  }
});

test("a trailing slash and a query make no difference", async () => {
  const { trackingCode } = await (await api.send("/v1/messages/", singleMessage())).json();
  for (const path of [
    `/v1/messages/${trackingCode}/`,
    `/v1/messages/${trackingCode}?x=1`,
    `/v1/messages/${trackingCode}/?x=1`,
  ]) {
    const response = await api.call("GET", path);
    expect([response.status, (await response.json()).trackingCode]).toEqual([200, trackingCode]);
  }
  expect((await api.send("/v1/messages", singleMessage(), "slash")).status).toBe(202);
  expect((await api.send("/v1/messages/", singleMessage(), "slash")).status).toBe(200);
});

test("HEAD is answered like GET, without the body", async () => {
  for (const path of ["/v1/senders", "/v1/senders/", "/v1/messages/nothing", "/healthz", "/v1/openapi.json", "/docs"]) {
    const head = await api.call("HEAD", path, { headers: { "X-Correlation-Id": "same" } });
    const get = await api.call("GET", path, { headers: { "X-Correlation-Id": "same" } });
    expect(head.status).toBe(get.status);
    expect(await head.text()).toBe("");
    const shown = ({ headers }: Response) =>
      ["content-type", "x-correlation-id", "ratelimit-policy"].map((name) => headers.get(name));
    expect(shown(head)).toEqual(shown(get));
    expect(Number(head.headers.get("content-length"))).toBe((await get.arrayBuffer()).byteLength);
  }
});

test("no response has a Server or CORS header", async () => {
  const origin = { Origin: "https://elsewhere.example", "Access-Control-Request-Method": "POST" };
  const responses = [
    await api.call("GET", "/v1/senders", { headers: origin }),
    await api.call("OPTIONS", "/v1/messages", { headers: origin }),
    await api.call("GET", "/v1/nothing", { headers: origin }),
    await api.call("GET", "/docs", { headers: origin }),
    await api.call("GET", "/v1/openapi.json", { headers: origin }),
  ];
  for (const { headers } of responses) {
    const names = [...headers.keys()];
    const telling = names.filter(
      (name) => name.startsWith("access-control-") || ["server", "x-powered-by"].includes(name),
    );
    expect(telling).toEqual([]);
  }
});

test("every response carries the request's correlation id, whatever its status", async () => {
  const headers = { "X-Correlation-Id": "mine-1.2_3" };
  const responses = await Promise.all([
    api.call("GET", "/v1/senders", { headers }),
    api.call("GET", "/v1/senders", { headers: { ...headers, "X-API-Key": null } }),
    api.call("PUT", "/v1/senders", { headers }),
    api.call("GET", "/v1/nothing", { headers }),
    api.call("POST", "/v1/messages", { headers, body: {} }),
    api.call("GET", "/docs", { headers }),
    api.call("GET", "/docs/swagger-ui.css", { headers }),
    api.call("GET", "/v1/openapi.json", { headers }),
    api.call("GET", "/healthz", { headers }),
    api.call("GET", "/readyz", { headers }),
  ]);
  expect(responses.map((response) => response.headers.get("x-correlation-id"))).toEqual(Array(10).fill("mine-1.2_3"));
});

test("every generated correlation id is new", async () => {
  const ids = await Promise.all(
    Array.from({ length: 20 }, async () => (await api.call("GET", "/v1/senders")).headers.get("x-correlation-id")),
  );
  expect(new Set(ids).size).toBe(20);
});
