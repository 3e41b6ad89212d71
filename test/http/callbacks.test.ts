/** Calls of HTTP providers: accepted only with the secret, answered only once stored, independent of customers' keys and rates. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { CarrierService } from "../support/carrier-service.ts";
import { runCli } from "../support/cli.ts";
import { eventually } from "../support/peyk-process.ts";

// Processes and sockets on a busy machine.
setDefaultTimeout(30_000);

const secret = "s3cret-of-the-callbacks";
let service: CarrierService;
let provider: ReturnType<typeof Bun.serve>;
let base: string;

beforeAll(async () => {
  provider = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: async (request) => Response.json(await request.json()),
  });
  service = await CarrierService.start();
  base = `${service.peyk.url}/from/provider`;
  const field = (name: string) => ({ json: name });
  const options = {
    request: {
      method: "POST",
      url: `http://127.0.0.1:${provider.port}/send`,
      body: { json: { id: "{{trackingCode}}", to: "{{recipient}}", text: "{{text}}" } },
    },
    answer: { id: { json: "id" } },
    receipts: { each: "reports", id: field("id"), state: field("state"), delivered: "ok", failed: ["bad"] },
    inbound: { sender: "from", receiver: "to", text: "text", charset: "charset", id: "id" },
    callbackUrl: base,
    callbackSecret: secret,
  };
  await service.peyk.operate("POST", "/routes", { name: "provider", kind: "http", options });
  await service.customerOver("provider");
});

afterAll(async () => {
  await service.stop();
  void provider.stop(true);
});

const receiptsUrl = () => `${base}/${secret}/receipts`;
const json = { "Content-Type": "application/json" };
const report = (reports: readonly { id: string; state: string }[]) =>
  fetch(receiptsUrl(), { method: "POST", headers: json, body: JSON.stringify({ reports }) });

async function sent(text: string): Promise<string> {
  const code = await service.send(text);
  await service.untilStatus(code, "sent");
  return code;
}

describe("a carrier's receipt", () => {
  test("is on disk when it is answered, and so is a list of receipts", async () => {
    const codes = [
      await sent("one"),
      await sent("a long text, one id for all of its parts. ".repeat(12)),
      await sent("three"),
    ];
    const states = ["ok", "ok", "bad"];
    const answer = await report(codes.map((id, index) => ({ id, state: states[index] ?? "" })));
    expect([answer.status, await answer.text()]).toEqual([200, ""]);
    expect(await Promise.all(codes.map((code) => service.statusOf(code)))).toEqual([
      "delivered",
      "delivered",
      "failed",
    ]);
  });

  test("is answered with the caller's correlation id, or a new one", async () => {
    const given = await fetch(receiptsUrl(), {
      method: "POST",
      headers: { ...json, "X-Correlation-Id": "from-the-provider" },
      body: '{"reports":[]}',
    });
    expect(given.headers.get("X-Correlation-Id")).toBe("from-the-provider");
    expect((await report([])).headers.get("X-Correlation-Id")).toMatch(/^[0-9a-f-]{36}$/);
  });

  test("that cannot be read is answered 400, and the log says why", async () => {
    const answer = await fetch(receiptsUrl(), { method: "POST", headers: json, body: "{" });
    expect(answer.status).toBe(400);
    expect((await report([{ id: "", state: "ok" }])).status).toBe(400);
    await eventually(() => service.peyk.log.includes("the body is no JSON"));
  });

  test("is accepted beside an unreadable one in the same call", async () => {
    const code = await sent("beside a bad one");
    expect(
      (
        await report([
          { id: "", state: "ok" },
          { id: code, state: "ok" },
        ])
      ).status,
    ).toBe(400);
    expect(await service.statusOf(code)).toBe("delivered");
  });

  test("of a megabyte is accepted, and one octet more is refused", async () => {
    const body = (bytes: number) => `{"reports":[]}`.padEnd(bytes, " ");
    const post = (text: string) => fetch(receiptsUrl(), { method: "POST", headers: json, body: text });
    expect((await post(body(1024 * 1024))).status).toBe(200);
    expect((await post(body(1024 * 1024 + 1))).status).toBe(413);
  });
});

test("a form of a quarter of a megabyte is accepted, and one octet more is refused", async () => {
  const post = (bytes: number) =>
    fetch(`${base}/${secret}/inbound`, {
      method: "POST",
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
      body: "from=98912&to=3000&charset=utf-8&text=".padEnd(bytes, "x"),
    });
  expect((await post(256 * 1024)).status).toBe(200);
  expect((await post(256 * 1024 + 1)).status).toBe(413);
});

describe("a callback path", () => {
  test.each([
    ["a wrong secret", () => `${base}/${secret.replace("s3", "S3")}/receipts`],
    ["a secret too short", () => `${base}/${secret.slice(1)}/receipts`],
    ["no secret", () => `${base}/receipts`],
    ["an empty secret", () => `${base}//receipts`],
    ["another prefix", () => `${service.peyk.url}/${secret}/receipts`],
    ["another word", () => `${base}/${secret}/status`],
  ])("with %s is answered 404, as if nothing were there", async (_, url) => {
    const answer = await fetch(url(), { method: "POST", headers: json, body: '{"reports":[]}' });
    expect([answer.status, await answer.json()]).toMatchObject([404, { code: "not_found" }]);
  });

  test("called with another method is answered 405", async () => {
    const answer = await fetch(receiptsUrl(), { method: "DELETE" });
    expect([answer.status, answer.headers.get("Allow")]).toEqual([405, "GET, POST"]);
  });

  test("of a removed route is answered 404", async () => {
    const options = { preset: "kannel", url: "http://127.0.0.1:9/", username: "a", password: "b" };
    const callbacks = { callbackUrl: `${service.peyk.url}/other`, callbackSecret: "another-long-secret" };
    const url = `${service.peyk.url}/other/another-long-secret/receipts?id=x&state=1`;
    await service.peyk.operate("POST", "/routes", {
      name: "other",
      kind: "http",
      options: { ...options, ...callbacks },
    });
    expect((await fetch(url)).status).toBe(200);
    await service.peyk.operate("DELETE", "/routes/other");
    expect((await fetch(url)).status).toBe(404);
  });
});

test("an inbound message is read in the charset that the provider names", async () => {
  await service.addLine("2000");
  const octets = Buffer.from("سلام", "utf16le").swap16().toString("hex").replace(/../g, "%$&");
  const answer = await fetch(
    `${base}/${secret}/inbound?from=989121234567&to=2000&charset=UTF-16BE&id=1&text=${octets}`,
  );
  expect(answer.status).toBe(200);
  const again = await fetch(`${base}/${secret}/inbound`, {
    method: "POST",
    headers: { "Content-Type": "application/x-www-form-urlencoded" },
    body: "from=%2B989121234567&to=2000&id=2&text=Hello+%26+bye",
  });
  expect(again.status).toBe(200);
  expect((await service.inbound()).map(({ message }) => message)).toEqual(["سلام", "Hello & bye"]);
});

test("a provider gets the answer set in the route file, and only for what is stored", async () => {
  const field = (name: string) => ({ json: name });
  const answer = { status: 202, type: "application/json", body: '{"result":"taken"}' };
  const options = {
    request: { url: `http://127.0.0.1:${provider.port}/send` },
    receipts: { id: field("id"), state: field("state"), delivered: "ok", failed: "bad", answer: { status: 204 } },
    inbound: { sender: "from", receiver: "to", text: "text", answer },
    callbackUrl: `${service.peyk.url}/answered`,
    callbackSecret: "a-secret-of-its-own",
  };
  await service.peyk.operate("POST", "/routes", { name: "answered", kind: "http", options });
  const post = (kind: string, body: object) =>
    fetch(`${options.callbackUrl}/${options.callbackSecret}/${kind}`, {
      method: "POST",
      headers: json,
      body: JSON.stringify(body),
    });
  const taken = await post("inbound", { from: "98912", to: "2001", text: "x" });
  expect([taken.status, taken.headers.get("Content-Type"), await taken.text()]).toEqual([
    202,
    "application/json",
    '{"result":"taken"}',
  ]);
  const reported = await post("receipts", { id: "1", state: "ok" });
  expect([reported.status, await reported.text()]).toEqual([204, ""]);
  expect((await post("inbound", { from: "98912" })).status).toBe(400);
});

test("a route whose answers lack the id named in its file is reported by route show and status", async () => {
  const options = {
    request: { url: `http://127.0.0.1:${provider.port}/send`, body: { json: { to: "{{recipient}}" } } },
    answer: { id: { json: "messages.0.id" } },
  };
  await service.peyk.operate("POST", "/routes", { name: "idless", kind: "http", options });
  await service.setRoutes("idless");
  await sent("without an id");
  const words = expect.stringContaining("answer.id names the path messages.0.id in JSON");
  expect(await service.peyk.operate("GET", "/routes/idless")).toMatchObject({ up: true, state: { warnings: [words] } });
  expect((await service.peyk.operate("GET", "/status")).warnings).toContainEqual(
    expect.stringMatching(/^Route idless: The provider accepted the last message without an id/),
  );
  await eventually(() => service.peyk.log.includes("Receipts cannot match"));
  const shown = await runCli(["route", "show", "idless", "--data-dir", service.folder]);
  expect(shown.out).toMatch(/^! The provider accepted the last message without an id/);
  await service.setRoutes("provider");
});

test("a thousand callbacks do not count against a customer's rate", async () => {
  const account = await service.peyk.customer("30007777", 5);
  const id = await sent("reported a thousand times");
  const answers = await Promise.all(Array.from({ length: 1_000 }, () => report([{ id, state: "ok" }])));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(answers[0]?.headers.get("RateLimit")).toBeNull();
  const response = await service.peyk.request(account, "/v1/messages/nothing");
  expect(response.headers.get("X-RateLimit-Remaining")).toBe("4");
});
