/** The TypeScript library by itself: which calls it repeats and when, what it throws, and its fake. */
import { afterEach, describe, expect, test } from "bun:test";
import { inspect } from "node:util";
import {
  FakePeyk,
  isAuthentic,
  Peyk,
  PeykApiError,
  PeykConnectionError,
  type PeykOptions,
  PeykSignatureError,
  signWebhook,
  type TransportRequest,
  verifyWebhook,
} from "../../clients/typescript/src/index.ts";
import { signatureVectors } from "../support/signature-vectors.ts";

const text = { sender: "30001234", recipient: "09121234567", message: "سلام" };

/** A client that records its pauses instead of waiting, and always draws the longest jitter. */
function observed(fake = new FakePeyk(), options: Partial<PeykOptions> = {}) {
  const waitsMs: number[] = [];
  const requests: TransportRequest[] = [];
  const peyk = new Peyk({
    baseUrl: "http://peyk.test/",
    apiKey: "pk_secret",
    random: () => 1,
    sleep: async (ms) => void waitsMs.push(ms),
    transport: (url, request) => {
      requests.push(request);
      return fake.transport(url, request);
    },
    ...options,
  });
  return {
    fake,
    peyk,
    waitsMs,
    requests,
    keys: () => new Set(requests.map(({ headers }) => headers["Idempotency-Key"])),
  };
}

async function thrownBy(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => "nothing",
    (error: unknown) => error,
  );
}

async function refusalOf(call: Promise<unknown>): Promise<PeykApiError> {
  const error = await thrownBy(call);
  if (!(error instanceof PeykApiError)) throw new Error(`It threw ${error}`);
  return error;
}

describe("the address and the key of the TypeScript library", () => {
  const named = { PEYK_URL: process.env.PEYK_URL, PEYK_API_KEY: process.env.PEYK_API_KEY };
  const environment = (variables: Readonly<Record<string, string | undefined>>) => {
    for (const [name, value] of Object.entries({ ...named, ...variables }))
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
  };
  const asked: string[] = [];
  const transport: PeykOptions["transport"] = async (url, { headers }) => {
    asked.push(`${url} ${headers["X-API-Key"]}`);
    return Response.json([]);
  };
  afterEach(() => environment({}));

  test("come from the environment unless given", async () => {
    environment({ PEYK_URL: "https://sms.example.com/", PEYK_API_KEY: "pk_1" });
    await new Peyk({ transport, timeoutMs: undefined, now: undefined }).listSenders();
    await new Peyk({ transport, baseUrl: "http://b/sub", apiKey: "pk_2" }).listSenders();
    await new Peyk({ transport, baseUrl: undefined, apiKey: undefined }).listSenders();
    expect(new Peyk()).toBeInstanceOf(Peyk);
    const own = "https://sms.example.com/v1/senders pk_1";
    expect(asked).toEqual([own, "http://b/sub/v1/senders pk_2", own]);
  });

  test("are named by the error if they are missing", () => {
    environment({ PEYK_URL: undefined, PEYK_API_KEY: "pk_1" });
    expect(() => new Peyk()).toThrow(new TypeError("Set PEYK_URL, or give new Peyk() the option baseUrl"));
    environment({ PEYK_URL: "http://b", PEYK_API_KEY: "" });
    expect(() => new Peyk()).toThrow(new TypeError("Set PEYK_API_KEY, or give new Peyk() the option apiKey"));
    expect(() => new Peyk({ baseUrl: "", apiKey: "pk_1" })).toThrow(TypeError);
  });
});

describe("retries of the TypeScript library", () => {
  test("repeat a request whose answer was lost under the same key, and nothing is sent twice", async () => {
    const { fake, peyk, waitsMs, requests, keys } = observed();
    fake.failNext("lost", "broken", "lost");
    expect(await peyk.sendMessage(text)).toMatchObject({ duplicate: true });
    expect(fake.messages).toHaveLength(1);
    expect(requests).toHaveLength(4);
    expect(keys().size).toBe(1);
    expect(new Set(requests.map(({ headers }) => headers["X-Correlation-Id"])).size).toBe(1);
    expect(waitsMs).toEqual([250, 500, 1_000]);
  });

  test("use a new key for each call, unless the caller gives one", async () => {
    const { fake, peyk, keys } = observed();
    await peyk.sendMessage(text);
    await peyk.sendMessage(text);
    expect([keys().size, fake.messages.length]).toEqual([2, 2]);
    await peyk.sendMessage(text, { idempotencyKey: "order-1" });
    expect(await peyk.sendMessage(text, { idempotencyKey: "order-1" })).toMatchObject({ duplicate: true });
    expect(fake.messages).toHaveLength(3);
  });

  test("wait for Retry-After, and add jitter", async () => {
    const { fake, peyk, waitsMs } = observed();
    fake.failNext(
      { status: 429, code: "rate_limit_exceeded", retryAfterSeconds: 60 },
      { status: 503, code: "service_unavailable", retryAfterSeconds: 2 },
    );
    await peyk.listSenders();
    expect(waitsMs).toEqual([60_250, 2_250]);
  });

  test("stop at once if Retry-After is longer than the caller wants to wait", async () => {
    const { fake, peyk, waitsMs } = observed();
    fake.failNext({ status: 429, code: "rate_limit_exceeded", retryAfterSeconds: 61 });
    expect(await refusalOf(peyk.listSenders())).toMatchObject({ retryAfterSeconds: 61, attempts: 1 });
    expect(waitsMs).toEqual([]);
  });

  test("understand Retry-After as a date", async () => {
    const headers = { "Retry-After": "Fri, 20 Nov 2026 15:36:10 GMT" };
    const answers = [new Response("busy", { status: 502, headers }), Response.json([])];
    const now = () => Date.parse("2026-11-20T15:36:00Z");
    const { peyk, waitsMs } = observed(new FakePeyk(), {
      now,
      transport: async () => answers.shift() ?? Response.error(),
    });
    expect(await peyk.listSenders()).toEqual([]);
    expect(waitsMs).toEqual([10_250]);
  });

  test("wait up to eight seconds, doubling each pause, and stop after the last retry", async () => {
    const { fake, peyk, waitsMs } = observed(new FakePeyk(), { retriesMax: 7 });
    fake.failNext(...new Array<"broken">(8).fill("broken"));
    const error = await thrownBy(peyk.sendMessage(text, { idempotencyKey: "order-1" }));
    expect(error).toBeInstanceOf(PeykConnectionError);
    expect(error).toMatchObject({ attempts: 8, idempotencyKey: "order-1" });
    expect(waitsMs).toEqual([250, 500, 1_000, 2_000, 4_000, 8_000, 8_000]);
    const halves = observed(fake, { random: () => 0 });
    fake.failNext("broken");
    await halves.peyk.listSenders();
    expect(halves.waitsMs).toEqual([125]);
  });

  test("leave out permanent refusals", async () => {
    for (const [status, code] of [
      [400, "validation_failed"],
      [403, "quota_exceeded"],
      [404, "not_found"],
      [429, "otp_rate_limited"],
    ] as const) {
      const { fake, peyk, requests } = observed();
      fake.failNext({ status, code, retryAfterSeconds: 1 });
      expect(await refusalOf(peyk.sendMessage(text))).toMatchObject({ status, code });
      expect(requests).toHaveLength(1);
    }
  });

  test("repeat a call that must not run twice only after it was refused", async () => {
    const { fake, peyk, requests } = observed();
    const webhook = { url: "https://hooks.example.com/sms", events: ["message.status"] } as const;
    fake.failNext("lost");
    expect(await thrownBy(peyk.createWebhook(webhook))).toBeInstanceOf(PeykConnectionError);
    fake.failNext({ status: 500, code: "internal_error" });
    expect(await refusalOf(peyk.createWebhook(webhook))).toMatchObject({ status: 500 });
    expect([requests.length, fake.webhooks.length]).toEqual([2, 1]);
    fake.failNext({ status: 429, code: "rate_limit_exceeded", retryAfterSeconds: 1 });
    await peyk.createWebhook(webhook);
    expect([requests.length, fake.webhooks.length]).toEqual([4, 2]);
  });

  test("report success if a webhook was removed but the answer was lost", async () => {
    const { fake, peyk } = observed();
    const { id } = await peyk.createWebhook({ url: "https://hooks.example.com/sms", events: ["message.status"] });
    fake.failNext("lost");
    await peyk.deleteWebhook(id);
    expect(await refusalOf(peyk.deleteWebhook(id))).toMatchObject({ code: "webhook_not_found" });
  });

  test("stop at once when the call is aborted, even during a pause", async () => {
    const abort = new AbortController();
    const { fake, peyk } = observed(new FakePeyk(), { sleep: async () => abort.abort(new Error("enough")) });
    fake.failNext("broken");
    expect(await thrownBy(peyk.listSenders({ signal: abort.signal }))).toEqual(new Error("enough"));
  });
});

describe("errors of the TypeScript library", () => {
  test("carry code, status, fields, key and correlation id", async () => {
    const error = await refusalOf(
      observed().peyk.sendMessage({ ...text, recipient: "12" }, { correlationId: "checkout-7", idempotencyKey: "k" }),
    );
    expect(error).toMatchObject({
      ...{ status: 400, code: "validation_failed", correlationId: "checkout-7", idempotencyKey: "k", attempts: 1 },
      fieldErrors: [{ field: "recipient", code: "invalid_phone_number" }],
    });
    expect(error.message).toContain("recipient: invalid_phone_number");
  });

  test("show an answer from an intermediary as unexpected, not as an error of the service", async () => {
    const transport = async () => new Response("<html>", { status: 301, headers: { Location: "https://elsewhere" } });
    expect(await refusalOf(observed(new FakePeyk(), { transport }).peyk.listSenders())).toMatchObject({
      ...{ status: 301, code: "unexpected_answer", fieldErrors: [] },
    });
  });

  test("refuse an id that would change the path before anything is sent", () => {
    const { peyk, requests } = observed();
    for (const id of ["", ".", ".."]) expect(() => peyk.cancelMessage(id)).toThrow(TypeError);
    expect(requests).toHaveLength(0);
  });

  test("never contain the API key, nor does any printed object", async () => {
    const { peyk } = observed();
    expect(inspect(peyk, { showHidden: true, depth: 9 })).not.toContain("pk_secret");
    const { peyk: broken } = observed(new FakePeyk(), {
      retriesMax: 0,
      transport: () => Promise.reject(new Error("no")),
    });
    expect(inspect(await thrownBy(broken.listSenders()), { depth: 9 })).not.toContain("pk_secret");
  });
});

test("pages follow one another to the end", async () => {
  const fake = new FakePeyk();
  for (let index = 0; index < 5; index += 1) fake.receive("09121234567", "30001234", `${index}`);
  const messages = await Array.fromAsync(fake.client().inboundMessages({ limit: 2 }));
  expect(messages.map(({ message }) => message)).toEqual(["0", "1", "2", "3", "4"]);
  const pages = await Array.fromAsync(fake.client().inboundPages({ limit: 2 }));
  expect(pages.map(({ items, hasMore }) => [items.length, hasMore])).toEqual([
    [2, true],
    [2, true],
    [1, false],
  ]);
  const { nextCursor = "" } = pages.at(-1) ?? {};
  fake.receive("09121234567", "30001234", "later");
  expect(await fake.client().listInboundMessages({ after: nextCursor })).toMatchObject({
    items: [{ message: "later" }],
  });
});

describe("callbacks checked by the TypeScript library", () => {
  for (const { what, secret, timestamp, now: nowSeconds, signature, body, valid } of signatureVectors()) {
    test(`are ${valid ? "taken" : "refused"}: ${what}`, () => {
      const headers = { "X-Service-Timestamp": timestamp, "X-Service-Signature": signature };
      expect(isAuthentic({ secret, headers, body, nowSeconds })).toBe(valid);
      const bytes = new TextEncoder().encode(body);
      expect(
        isAuthentic({ secret: ["whsec_other", secret], headers: new Headers(headers), body: bytes, nowSeconds }),
      ).toBe(valid);
      if (!valid) expect(() => verifyWebhook({ secret, headers, body, nowSeconds })).toThrow(PeykSignatureError);
    });
  }

  test("can be signed by a receiver's own test", () => {
    const body = JSON.stringify({ id: "1", type: "webhook.test", createdAt: "", data: {} });
    const headers = signWebhook("whsec_1", body);
    expect(verifyWebhook({ secret: "whsec_1", headers, body })).toMatchObject({ id: "1", type: "webhook.test" });
  });
});
