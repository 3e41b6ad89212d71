/** The service as a whole: its health, its stop, and many connections at once. */
import { expect, test } from "bun:test";
import { singleMessage, startApi } from "../support/api.ts";
import { until } from "../support/manual-clock.ts";
import type { RawConnection } from "../support/raw-http.ts";

test("the service is ready while store and schedulers work, and only reports on routes", async () => {
  const readiness = { store: true, schedulers: true, routes: true };
  const api = await startApi({ readiness: async () => readiness });
  const ask = async (path: string) => {
    const response = await api.fetch(path);
    return [response.status, await response.json()];
  };
  try {
    expect(await ask("/healthz")).toEqual([200, { status: "alive" }]);
    expect(await ask("/readyz")).toEqual([200, { status: "ready", checks: readiness }]);
    readiness.routes = false;
    expect(await ask("/readyz")).toEqual([200, { status: "ready", checks: readiness }]);
    for (const check of ["store", "schedulers"] as const) {
      readiness[check] = false;
      expect(await ask("/readyz")).toMatchObject([
        503,
        { code: "service_unavailable", message: `Not ready: ${check}.`, checks: readiness },
      ]);
      readiness[check] = true;
    }
    expect(await ask("/healthz")).toEqual([200, { status: "alive" }]);
  } finally {
    await api.stop();
  }
});

test("a failing readiness check is answered 500, without its cause", async () => {
  const api = await startApi({ readiness: () => Promise.reject(new Error("secret detail")) });
  const response = await api.fetch("/readyz");
  expect([response.status, await response.text()]).toEqual([500, expect.not.stringContaining("secret detail")]);
  await api.stop();
});

const head = (key: string, length: number) =>
  `POST /v1/messages HTTP/1.1\r\nHost: localhost\r\nX-API-Key: ${key}\r\nIdempotency-Key: k\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;

test("a stopping service refuses new requests and answers those in flight", async () => {
  const api = await startApi();
  const body = JSON.stringify(singleMessage());
  const begun = await api.connect();
  begun.write(head(api.apiKey, Buffer.byteLength(body)));
  await until(() => api.api.inFlight() === 1);
  let isOut = false;
  const out = api.api.stopTaking().then(() => {
    isOut = true;
  });
  const late = await api.send("/v1/messages", singleMessage());
  expect([late.status, (await late.json()).code, late.headers.get("connection")]).toEqual([
    503,
    "service_unavailable",
    "close",
  ]);
  expect(late.headers.get("retry-after")).not.toBeNull();
  expect(isOut).toBe(false);
  begun.write(new TextEncoder().encode(body));
  expect((await begun.answer()).status).toBe(202);
  await out;
  expect(api.api.inFlight()).toBe(0);
  begun.end();
  await api.stop();
});

test("a second service on the same port is refused", async () => {
  const api = await startApi();
  await expect(startApi({ port: api.port })).rejects.toThrow();
  expect((await api.fetch("/healthz")).status).toBe(200);
  await api.stop();
});

test("two thousand connections at once are all served", async () => {
  const api = await startApi();
  const connections: RawConnection[] = [];
  const body = new TextEncoder().encode(JSON.stringify(singleMessage()));
  try {
    while (connections.length < 2000) {
      connections.push(...(await Promise.all(Array.from({ length: 100 }, () => api.connect()))));
    }
    for (const [index, connection] of connections.entries()) {
      connection.write(head(api.apiKey, body.length).replace("Key: k", `Key: connection-${index}`));
    }
    await until(() => api.api.inFlight() === 2000);
    for (const connection of connections) connection.write(body);
    const answers = await Promise.all(connections.map((connection) => connection.answer()));
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(2000);
    expect(new Set(answers.map((answer) => JSON.parse(answer.body).trackingCode)).size).toBe(2000);
  } finally {
    for (const connection of connections) connection.end();
    await api.stop();
  }
});

test("an HTTP/1.0 request without a host is answered like any other", async () => {
  const api = await startApi();
  const ask = async (target: string, headers = "") => {
    const connection = await api.connect();
    connection.write(`GET ${target} HTTP/1.0\r\n${headers}\r\n`);
    const { status, body } = await connection.answer();
    connection.end();
    return [status, JSON.parse(body).code];
  };
  for (const target of ["/x", "//x", "/callbacks/a/b", "http://[::1/x"]) {
    expect([target, ...(await ask(target))]).toEqual([target, 404, "not_found"]);
  }
  const withKey = `X-API-Key: ${api.apiKey}\r\n`;
  expect(await ask("/v1/inbound-messages?limit=0", withKey)).toEqual([400, "validation_failed"]);
  expect(await ask("/v1/inbound-messages?limit=1", withKey)).toEqual([200, undefined]);
  await api.stop();
});

/** In Bun 1.4.5. When this fails, Bun accepts trailers: remove it, and the paragraph of docs/tls-and-proxies.md. */
test("a chunked body with trailers gets a second answer, 400, and the next request is lost", async () => {
  const api = await startApi();
  const connection = await api.connect();
  const head = "HTTP/1.1\r\nHost: localhost\r\n";
  connection.write(
    `GET /healthz ${head}Transfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n2\r\n{}\r\n0\r\nX-Sum: 1\r\n\r\n` +
      `GET /nothing ${head}\r\n`,
  );
  await until(() => connection.isClosed());
  const statuses = [...connection.received().matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => status);
  expect(statuses).toEqual(["200", "400"]);
  await api.stop();
});

/** Of Bun 1.4.5. When this fails, Bun answers pipelined requests: remove it, and the paragraph of docs/tls-and-proxies.md. */
test("a pipelined request ends the connection, and repeats with their keys are sent once", async () => {
  const api = await startApi();
  const message = singleMessage({ message: "hello" });
  const body = JSON.stringify(message);
  const keys = ["first", "second"];
  const connection = await api.connect();
  connection.write(
    keys.map((key) => head(api.apiKey, Buffer.byteLength(body)).replace("Key: k", `Key: ${key}`) + body).join(""),
  );
  await until(() => connection.isClosed());
  expect(connection.received()).toBe("");
  await until(() => api.api.inFlight() === 0);
  for (const key of keys) {
    expect((await api.send("/v1/messages", message, key)).status).toBeOneOf([200, 202]);
  }
  expect(api.waiting).toHaveLength(2);
  await api.stop();
});
