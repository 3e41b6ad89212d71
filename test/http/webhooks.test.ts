/** /v1/webhooks: creating, changing, removing and testing, and every error of these. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type ApiErrorCode, apiErrors } from "../../src/domain/api-error.ts";
import { webhookOperations } from "../../src/http/webhooks.ts";
import { type Resolver, ResolverFailed } from "../../src/webhooks/resolver.ts";
import { type Api, startApi } from "../support/api.ts";
import { until } from "../support/manual-clock.ts";

let api: Api;
const asked: string[] = [];
const answers: Record<string, readonly string[]> = {
  "hooks.peyk.dev": ["93.184.216.34"],
  "inside.peyk.dev": ["10.0.0.1"],
  "mixed.peyk.dev": ["93.184.216.34", "192.168.0.1"],
};
beforeAll(async () => {
  const resolver: Resolver = {
    resolve(name) {
      asked.push(name);
      if (name === "slow.peyk.dev") return new Promise(() => undefined);
      if (name === "broken.peyk.dev") return Promise.reject(new ResolverFailed("SERVFAIL"));
      return Promise.resolve(answers[name] ?? []);
    },
  };
  api = await startApi({ resolver });
});
afterAll(() => api.stop());

const good = { url: "https://hooks.peyk.dev/sms", events: ["message.status", "inbound.received"] };

interface WebhookBody {
  id: string;
  url: string;
  events: string[];
  isActive: boolean;
  signingSecret?: string;
  createdAtUtc: string;
  updatedAtUtc: string;
}

async function fresh() {
  const { apiKey } = await api.customer();
  const call = (method: string, path: string, body?: unknown) =>
    api.call(method, path, { headers: { "X-API-Key": apiKey }, ...(body === undefined ? {} : { body }) });
  async function create(body: unknown = good): Promise<WebhookBody> {
    const response = await call("POST", "/v1/webhooks/", body);
    expect(response.status).toBe(201);
    return response.json();
  }
  return { call, create };
}

async function errorOf(response: Response) {
  const { code, errors } = await response.json();
  return {
    status: response.status,
    code,
    fields: (errors ?? []).map((error: { field: string; code: string }) => `${error.field}:${error.code}`),
  };
}

describe("registering a webhook", () => {
  test("asks about a name that does not resolve once, whoever registers it and however often", async () => {
    for (let count = 0; count < 3; count += 1) {
      const { call } = await fresh();
      const url = "https://asked-once.peyk.dev/sms";
      expect((await call("POST", "/v1/webhooks/", { url, events: ["message.status"] })).status).toBe(400);
    }
    expect(asked.filter((name) => name === "asked-once.peyk.dev")).toHaveLength(1);
  });

  test("is answered 201 with the subscription and its secret, which no later answer contains", async () => {
    const { call, create } = await fresh();
    const webhook = await create();
    expect(webhook).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
      url: "https://hooks.peyk.dev/sms",
      events: ["message.status", "inbound.received"],
      isActive: true,
      signingSecret: expect.stringMatching(/^whsec_[A-Za-z0-9_-]{43}$/),
      createdAtUtc: "2026-11-20T15:36:00.000Z",
      updatedAtUtc: "2026-11-20T15:36:00.000Z",
    });
    const { signingSecret, ...shown } = webhook;
    expect(await (await call("GET", "/v1/webhooks/")).json()).toEqual([shown]);
    expect(await (await call("GET", "/v1/webhooks")).json()).toEqual([shown]);
    expect(await (await call("PATCH", `/v1/webhooks/${webhook.id}`, {})).json()).toEqual(shown);
    const raw = await Bun.file(`${api.folder}/peyk.db`).text();
    const wal = await Bun.file(`${api.folder}/peyk.db-wal`).text();
    expect(`${raw}${wal}`).not.toContain(signingSecret ?? "");
  });

  test("keeps the URL in canonical spelling and merges repeated events", async () => {
    const { create } = await fresh();
    const webhook = await create({
      url: "HTTPS://Hooks.Peyk.dev:443/a/../b",
      events: ["message.status", "message.status"],
    });
    expect([webhook.url, webhook.events]).toEqual(["https://hooks.peyk.dev/b", ["message.status"]]);
  });

  test("accepts a public IP address", async () => {
    const { create } = await fresh();
    expect((await create({ ...good, url: "https://93.184.216.34/" })).url).toBe("https://93.184.216.34/");
  });

  const refused: Record<string, [unknown, string]> = {
    "a name that does not resolve": ["https://nowhere.peyk.dev/", "url:invalid_format"],
    "a name that leads inside": ["https://inside.peyk.dev/", "url:invalid_format"],
    "a name that also leads inside": ["https://mixed.peyk.dev/", "url:invalid_format"],
    "a name whose server fails": ["https://broken.peyk.dev/", "url:invalid_format"],
    "plain HTTP": ["http://hooks.peyk.dev/", "url:invalid_format"],
    "another port": ["https://hooks.peyk.dev:8443/", "url:invalid_format"],
    localhost: ["https://localhost/", "url:invalid_format"],
    "an inside address": ["https://10.0.0.1/", "url:invalid_format"],
    "an inside address in decimal": ["https://2130706433/", "url:invalid_format"],
    "user info": ["https://a:b@hooks.peyk.dev/", "url:invalid_format"],
    "a URL of 2049 characters": [`https://hooks.peyk.dev/${"a".repeat(2026)}`, "url:too_long"],
    "an empty URL": ["", "url:too_short"],
    "a number": [5, "url:invalid_type"],
    "no URL": [undefined, "url:required"],
  };
  for (const [what, [url, field]] of Object.entries(refused)) {
    test(`is answered 400 for ${what}`, async () => {
      const { call } = await fresh();
      const response = await call("POST", "/v1/webhooks/", { ...good, url });
      expect(await errorOf(response)).toEqual({ status: 400, code: "validation_failed", fields: [field] });
    });
  }

  test("does not reveal whether a name is unknown, internal or unresolvable at the moment", async () => {
    const { call } = await fresh();
    const names = ["nowhere", "inside", "mixed", "broken"];
    const answers = names.map((name) => call("POST", "/v1/webhooks/", { ...good, url: `https://${name}.peyk.dev/` }));
    const bodies = await Promise.all(answers.map(async (answer) => (await answer).json()));
    expect(new Set(bodies.map(({ message, errors }) => JSON.stringify([message, errors]))).size).toBe(1);
  });

  test("is answered 400 for a name whose server does not answer within five seconds", async () => {
    const { call } = await fresh();
    const response = call("POST", "/v1/webhooks/", { ...good, url: "https://slow.peyk.dev/" });
    await until(() => asked.includes("slow.peyk.dev"));
    await api.clock.advance(5_000);
    expect(await errorOf(await response)).toEqual({
      status: 400,
      code: "validation_failed",
      fields: ["url:invalid_format"],
    });
  });

  test("accepts a URL of 2048 characters", async () => {
    const { create } = await fresh();
    expect((await create({ ...good, url: `https://hooks.peyk.dev/${"a".repeat(2025)}` })).url.length).toBe(2_048);
  });

  const badEvents: Record<string, [unknown, string]> = {
    none: [[], "events:too_few"],
    "an unknown one": [["message.sent"], "events[0]:unknown"],
    "the test kind": [["message.status", "webhook.test"], "events[1]:unknown"],
    text: ["message.status", "events:invalid_type"],
    nothing: [undefined, "events:required"],
  };
  for (const [what, [events, field]] of Object.entries(badEvents)) {
    test(`is answered 400 for events with ${what}`, async () => {
      const { call } = await fresh();
      const response = await call("POST", "/v1/webhooks/", { ...good, events });
      expect(await errorOf(response)).toEqual({ status: 400, code: "validation_failed", fields: [field] });
    });
  }

  test("is accepted five times and then refused with 409, also in parallel, until one is removed", async () => {
    const { call, create } = await fresh();
    const responses = await Promise.all(Array.from({ length: 8 }, () => call("POST", "/v1/webhooks/", good)));
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 201, 201, 201, 201, 409, 409, 409]);
    expect(await errorOf(responses.find(({ status }) => status === 409) ?? Response.error())).toMatchObject({
      code: "webhook_limit_reached",
    });
    const [first] = await (await call("GET", "/v1/webhooks/")).json();
    expect((await call("DELETE", `/v1/webhooks/${first.id}`)).status).toBe(204);
    await create();
  });

  test("is answered 403 without the permission", async () => {
    const { apiKey } = await api.customer({ permissions: ["messages:send"] });
    const response = await api.call("GET", "/v1/webhooks/", { headers: { "X-API-Key": apiKey } });
    expect(await errorOf(response)).toMatchObject({ status: 403, code: "permission_denied" });
  });
});

describe("changing, removing and testing a webhook", () => {
  test("by PATCH changes the given fields alone, and by an empty one nothing", async () => {
    const { call, create } = await fresh();
    const { id, signingSecret: _, ...webhook } = await create();
    api.clock.jump(1_000);
    const off = await call("PATCH", `/v1/webhooks/${id}`, { isActive: false });
    expect([off.status, await off.json()]).toEqual([
      200,
      { id, ...webhook, isActive: false, updatedAtUtc: expect.not.stringMatching(webhook.updatedAtUtc) },
    ]);
    const events = await (
      await call("PATCH", `/v1/webhooks/${id}/`, { events: ["inbound.received", "inbound.received"] })
    ).json();
    expect([events.events, events.isActive]).toEqual([["inbound.received"], false]);
    expect(await (await call("PATCH", `/v1/webhooks/${id}`, {})).json()).toEqual(events);
    api.clock.jump(-1_000);
  });

  test("is answered 400 for an invalid PATCH", async () => {
    const { call, create } = await fresh();
    const { id } = await create();
    for (const [body, field] of [
      [{ events: [] }, "events:too_few"],
      [{ isActive: "yes" }, "isActive:invalid_type"],
      [{ events: "message.status" }, "events:invalid_type"],
      [[], "body:invalid_type"],
    ] as const) {
      expect(await errorOf(await call("PATCH", `/v1/webhooks/${id}`, body))).toEqual({
        status: 400,
        code: "validation_failed",
        fields: [field],
      });
    }
  });

  test("is answered 404 if it was removed, is another account's, or has an unknown or malformed id", async () => {
    const mine = await fresh();
    const theirs = await fresh();
    const removed = await mine.create();
    expect((await mine.call("DELETE", `/v1/webhooks/${removed.id}`)).status).toBe(204);
    const foreign = await theirs.create();
    for (const id of [removed.id, foreign.id, crypto.randomUUID(), "x", "%00", "1 OR 1"]) {
      for (const [method, path, body] of [
        ["PATCH", "", {}],
        ["DELETE", "", undefined],
        ["POST", "/test", undefined],
      ] as const) {
        expect(await errorOf(await mine.call(method, `/v1/webhooks/${id}${path}`, body))).toMatchObject({
          status: 404,
          code: "webhook_not_found",
        });
      }
    }
    expect((await (await theirs.call("GET", "/v1/webhooks/")).json()).length).toBe(1);
  });

  test("queues a test event, or is answered 409 if it is inactive", async () => {
    const { call, create } = await fresh();
    const { id } = await create();
    const queued = await call("POST", `/v1/webhooks/${id}/test`);
    expect([queued.status, await queued.json()]).toEqual([
      202,
      { eventId: expect.stringMatching(/^[0-9a-f-]{36}$/), status: "queued" },
    ]);
    await call("PATCH", `/v1/webhooks/${id}`, { isActive: false });
    expect(await errorOf(await call("POST", `/v1/webhooks/${id}/test`))).toMatchObject({
      status: 409,
      code: "webhook_inactive",
    });
  });

  test("with a wrong method is answered 405 with Allow", async () => {
    const { call } = await fresh();
    const response = await call("PUT", "/v1/webhooks/", {});
    expect([response.status, new Set(response.headers.get("allow")?.split(", "))]).toEqual([
      405,
      new Set(["GET", "HEAD", "POST"]),
    ]);
  });
});

const unknownId = "7d6f1c1e-8f0b-4a39-9a0c-0f6d3f6b8a51";

const reached = {
  async webhook_not_found() {
    return (await fresh()).call("DELETE", `/v1/webhooks/${unknownId}`);
  },
  async webhook_limit_reached() {
    const { call, create } = await fresh();
    for (let count = 0; count < 5; count += 1) await create();
    return call("POST", "/v1/webhooks/", good);
  },
  async webhook_inactive() {
    const { call, create } = await fresh();
    const { id } = await create();
    await call("PATCH", `/v1/webhooks/${id}`, { isActive: false });
    return call("POST", `/v1/webhooks/${id}/test`);
  },
} satisfies Partial<Record<ApiErrorCode, () => Promise<Response>>>;

const isReached = (code: string): code is keyof typeof reached => code in reached;

test.each(Object.keys(reached).filter(isReached))("%s is answered in the documented shape", async (code) => {
  const response = await reached[code]();
  expect(response.status).toBe(apiErrors[code].status);
  const correlationId = response.headers.get("x-correlation-id");
  expect(await response.json()).toEqual({ code, message: expect.any(String), correlationId });
});

test("every error code specific to the webhook operations has a case above", () => {
  const own = new Set<string>(webhookOperations(api.webhooks).flatMap(({ errors }) => errors));
  expect([...own].sort()).toEqual(Object.keys(reached).sort());
});
