/** Peyk as a process with a channel beside the SMS: a template of one's own, kill -9 between the steps, and bad files. */
import { afterEach, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { createHash, createHmac } from "node:crypto";
import { CarrierService } from "../support/carrier-service.ts";
import { eventually, rowsIn } from "../support/peyk-process.ts";

// Processes and sockets on a busy machine.
setDefaultTimeout(120_000);

const token = "channel-token-4711";
/** Numbers with this ending are never reported on by the simulator, so that a further step begins. */
const recipient = "09121234503";

interface Asked {
  to: string;
  code: string;
  spoken: string;
  text: string;
  reference: string;
  reports: string;
}

let service: CarrierService;
let asked: Asked[] = [];
let imitation: Bun.Server<undefined>;
/** A request has come, and its answer waits for this. */
let held: Promise<unknown> | null = null;

/** As core.telegram.org/gateway/api describes it. */
function telegram({ phone_number, code, callback_url }: Record<string, string>): Response {
  asked.push({
    to: phone_number ?? "",
    code: code ?? "",
    spoken: "",
    text: "",
    reference: "",
    reports: callback_url ?? "",
  });
  const result = { request_id: `r-${asked.length}`, phone_number, request_cost: 0.01, remaining_balance: 9 };
  return Response.json({ ok: true, result: { ...result, delivery_status: { status: "sent", updated_at: 1 } } });
}

/** As twilio.com/docs/voice describes the resource Call. */
async function twilioCall(request: Request): Promise<Response> {
  const basic = `Basic ${Buffer.from(`${twilio.username}:${twilio.password}`).toString("base64")}`;
  if (request.headers.get("authorization") !== basic) return Response.json({ code: 20003 }, { status: 401 });
  const form = new URLSearchParams(await request.text());
  const spoken = /loop="2">Your code is ([\d, ]+)\.</.exec(form.get("Twiml") ?? "")?.[1] ?? "";
  const reports = form.get("StatusCallback") ?? "";
  asked.push({ to: form.get("To") ?? "", code: spoken.replaceAll(", ", ""), spoken, text: "", reference: "", reports });
  await held;
  return Response.json({ sid: `CA${asked.length}`, status: "queued" }, { status: 201 });
}

const twilio = { username: "AC0123456789abcdef0123456789abcdef", password: "twilio-token-0815" };

beforeEach(async () => {
  asked = [];
  held = null;
  imitation = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      if (new URL(request.url).pathname.startsWith("/2010-04-01/")) return twilioCall(request);
      if (request.headers.get("authorization") !== `Bearer ${token}`) return Response.json({}, { status: 401 });
      if (new URL(request.url).pathname === "/sendVerificationMessage") return telegram(await request.json());
      const body: Asked = await request.json();
      asked.push(body);
      await held;
      return Response.json({ id: `call-${asked.length}` }, { status: 202 });
    },
  });
  service = await CarrierService.start();
});
afterEach(async () => {
  await service.stop();
  await imitation.stop(true);
});

const body = {
  json: {
    ...{ to: "{{recipientDigits}}", code: "{{code}}", spoken: "{{codeSpoken}}", text: "{{text}}" },
    ...{ reference: "{{trackingCode}}", reports: "{{receiptUrl}}" },
  },
};

const file = () => ({
  kind: "channel",
  request: {
    url: `http://127.0.0.1:${imitation.port}/calls`,
    headers: { Authorization: "Bearer {{token}}" },
    body,
  },
  answer: { accepted: { status: 202 }, id: { json: "id" } },
  receipts: { id: { json: "id" }, state: { json: "state" }, delivered: "answered", failed: { busy: "undeliverable" } },
  token,
  callbackUrl: "https://sms.example.com/callbacks/call",
  callbackSecret: "0123456789abcdef",
});

const addChannel = (options: object = file()) =>
  service.peyk.operate("POST", "/routes", { name: "call", kind: "http", options });
const steps = (...given: object[]) => service.peyk.operate("PUT", "/otp/steps", { steps: given });
const byCall = { by: "channel", channel: "call", waitSeconds: 5 };

async function post(path: string, content: object, headers: Record<string, string> = {}) {
  const response = await service.peyk.request(service.customer, path, {
    method: "POST",
    headers: { "content-type": "application/json", "idempotency-key": crypto.randomUUID(), ...headers },
    body: JSON.stringify(content),
  });
  const answer: Record<string, unknown> = await response.json();
  return { status: response.status, body: answer };
}

async function challenge() {
  const { status, body: sent } = await post("/v1/otp/challenges", { sender: service.customer.sender, recipient });
  expect(status).toBe(202);
  return { id: String(sent.challengeId), trackingCode: String(sent.trackingCode) };
}

const messages = () => rowsIn<{ state: string }>(service.folder, "SELECT state FROM message ORDER BY id");
const outcomes = () => rowsIn<{ outcome: string | null }>(service.folder, "SELECT outcome FROM otp_sequence");

/** What the SMS, killed at several moments before its channel's turn, leads to: one SMS, and one message by the channel. */
async function killedBetween() {
  await service.customerOver("simulator");
  await steps(byCall);
  const { id, trackingCode } = await challenge();
  await eventually(() => messages()[0]?.state === "submitted");
  for (const waitMs of [0, 2_000, 2_900]) {
    await Bun.sleep(waitMs);
    await service.peyk.kill();
    await service.startAgain();
  }
  await eventually(() => outcomes()[0]?.outcome === "completed" && messages()[1]?.state === "submitted");
  expect([asked.length, messages().length]).toEqual([1, 2]);
  return { id, trackingCode, call: asked[0] };
}

test("a kill between the SMS and the call loses neither and doubles neither, and customers see the SMS alone", async () => {
  await addChannel();
  const { id, trackingCode, call } = await killedBetween();
  expect(call).toMatchObject({ to: "989121234503", text: expect.stringContaining(call?.code ?? "?") });
  expect(call?.code).toMatch(/^\d{6}$/);
  expect(call?.spoken).toBe([...(call?.code ?? "")].join(", "));

  const record = await (await service.peyk.request(service.customer, `/v1/messages/${trackingCode}`)).json();
  expect(record).toMatchObject({ status: "sent", partCount: 1 });
  expect(JSON.stringify(record)).not.toContain("call");

  const { pathname } = new URL(call?.reports ?? "");
  const report = JSON.stringify({ id: "call-1", state: "answered" });
  const headers = { "content-type": "application/json" };
  expect((await fetch(service.peyk.url + pathname, { method: "POST", body: report, headers })).status).toBe(200);
  await eventually(() => messages()[1]?.state === "delivered");
  expect(messages()[0]?.state).toBe("submitted");
  expect(await service.peyk.operate("GET", `/messages/${trackingCode}`)).toMatchObject({
    otp: {
      steps: [
        { by: "sms", channel: null },
        { by: "channel", channel: "call", status: "delivered" },
      ],
    },
  });
  expect(await post(`/v1/otp/challenges/${id}/verify`, { code: call?.code })).toMatchObject({
    status: 200,
    body: { status: "verified" },
  });
  expect(service.peyk.log).not.toContain(call?.code ?? "?");
});

test("so does a kill between the SMS and Telegram, whose signed report ends the message", async () => {
  const callbacks = { callbackUrl: "https://sms.example.com/callbacks/t", callbackSecret: "0123456789abcdef" };
  await addChannel({ preset: "telegram", url: `http://127.0.0.1:${imitation.port}`, token, ...callbacks });
  const { call } = await killedBetween();
  expect(call).toMatchObject({ to: "+989121234503", code: expect.stringMatching(/^\d{6}$/) });
  const body = JSON.stringify({ request_id: "r-1", delivery_status: { status: "delivered", updated_at: 1 } });
  const key = createHash("sha256").update(token).digest();
  const signature = createHmac("sha256", key).update(`1700000000\n${body}`).digest("hex");
  const report = (signed: string) =>
    fetch(service.peyk.url + new URL(call?.reports ?? "").pathname, {
      ...{ method: "POST", body },
      headers: {
        "X-Request-Timestamp": "1700000000",
        "X-Request-Signature": signed,
        "content-type": "application/json",
      },
    });
  expect((await report(signature.replace(/^./, "x"))).status).toBe(403);
  expect((await report(signature)).status).toBe(200);
  await eventually(() => messages()[1]?.state === "delivered");
});

/** Kills the service after the request has arrived and before it is answered, and lets it recover. */
async function killedWithinTheRequest(options: object): Promise<{ id: string; trackingCode: string }> {
  await addChannel(options);
  await service.customerOver("simulator");
  await steps(byCall);
  const sent = await challenge();
  const { promise, resolve } = Promise.withResolvers<void>();
  held = promise;
  await eventually(() => asked.length === 1);
  expect(messages()[1]?.state).toBe("submitting");
  await service.peyk.kill();
  resolve();
  await service.startAgain();
  return sent;
}

const answersOf = async (trackingCode: string) => {
  const { otp } = await service.peyk.operate("GET", `/messages/${trackingCode}`);
  return otp;
};

test("a kill within the request to a channel may call again, with the same code and as the same message", async () => {
  const { id } = await killedWithinTheRequest({ ...file(), onUncertain: "resend" });
  await eventually(() => messages()[1]?.state === "submitted");
  const [first, again] = asked;
  expect([asked.length, messages().length]).toEqual([2, 2]);
  expect({ ...again, reports: "" }).toMatchObject({ ...first, reports: "" });
  expect(outcomes()).toEqual([{ outcome: "completed" }]);
  expect(await post(`/v1/otp/challenges/${id}/verify`, { code: first?.code })).toMatchObject({
    body: { status: "verified" },
  });
});

test("or fails the message where that is worse than none, and customers hear nothing of it", async () => {
  const { id, trackingCode } = await killedWithinTheRequest({ ...file(), onUncertain: "fail" });
  await eventually(() => messages()[1]?.state === "failed");
  expect([asked.length, messages().length]).toEqual([1, 2]);
  expect(await answersOf(trackingCode)).toMatchObject({
    steps: [{ by: "sms" }, { channel: "call", status: "failed" }],
  });
  expect(await service.statusOf(trackingCode)).toBe("sent");
  // The phone may have rung all the same.
  expect(await post(`/v1/otp/challenges/${id}/verify`, { code: asked[0]?.code })).toMatchObject({
    body: { status: "verified" },
  });
});

for (const [onUncertain, calls] of [
  ["resend", 2],
  ["fail", 1],
] as const)
  test(`a kill within a call by Twilio leads to ${calls} (${onUncertain}), and its signed report to the end`, async () => {
    const callbackUrl = "https://sms.example.com/callbacks/twilio-call";
    const callbacks = { callbackUrl, callbackSecret: "0123456789abcdef" };
    const account = { ...twilio, callerNumber: "+15005550006" };
    const url = `http://127.0.0.1:${imitation.port}`;
    await killedWithinTheRequest({ preset: "twilio-call", url, ...account, ...callbacks, onUncertain });
    const state = calls === 2 ? "submitted" : "failed";
    await eventually(() => messages()[1]?.state === state);
    expect(asked.map(({ to, code }) => [to, code])).toEqual(Array(calls).fill(["+989121234503", asked[0]?.code]));
    expect(asked[0]?.code).toMatch(/^\d{6}$/);
    if (calls === 1) return;
    const form = new URLSearchParams({ CallSid: "CA2", CallStatus: "completed", To: "+989121234503" });
    const sorted = [...form].toSorted().flat().join("");
    const signature = (key: string) => createHmac("sha1", key).update(`${asked[1]?.reports}${sorted}`).digest("base64");
    const report = (key: string) =>
      fetch(service.peyk.url + new URL(asked[1]?.reports ?? "").pathname, {
        ...{ method: "POST", body: form },
        headers: { "X-Twilio-Signature": signature(key) },
      });
    expect((await report("another")).status).toBe(403);
    expect((await report(twilio.password)).status).toBe(200);
    await eventually(() => messages()[1]?.state === "delivered");
    expect(service.peyk.log).not.toContain(asked[0]?.code ?? "?");
  });

test("the end user's address is read where a limit is set, and refusals are those of the contract", async () => {
  const given = { "Peyk-End-User-Address": "203.0.113.7" };
  const ask = (number: string, headers: Record<string, string>) =>
    post("/v1/otp/codes", { sender: service.customer.sender, recipient: number, code: "48213" }, headers);
  await service.customerOver("simulator");
  for (const number of ["09121234500", "09121234501", "09121234502"])
    expect((await ask(number, { "Peyk-End-User-Address": "nowhere" })).status).toBe(202);
  expect(rowsIn(service.folder, "SELECT * FROM otp_end_user")).toEqual([]);
  await service.peyk.stop();
  await service.startAgain({ PEYK_OTP_END_USER_NUMBERS_PER_DAY: "1" });
  expect((await ask("09121234510", {})).status).toBe(202);
  expect((await ask("09121234511", given)).status).toBe(202);
  expect(await ask("09121234512", given)).toMatchObject({ status: 429, body: { code: "otp_rate_limited" } });
  expect(await ask("09121234513", { "Peyk-End-User-Address": "nowhere" })).toMatchObject({
    status: 400,
    body: { code: "validation_failed", errors: [{ field: "Peyk-End-User-Address", code: "invalid_format" }] },
  });
  const rows = rowsIn<{ address: Uint8Array }>(service.folder, "SELECT * FROM otp_end_user");
  expect(rows).toHaveLength(1);
  expect(rows[0]?.address).toHaveLength(32);
  expect(service.peyk.log).not.toContain("203.0.113.7");
});

test("a channel is no route of a sender, is not removed while steps use it, and stays a channel", async () => {
  await addChannel();
  await service.customerOver("simulator");
  await expect(service.setRoutes("call")).rejects.toThrow("channel");
  const rule = { plan: "main", rule: {}, routes: ["call"] };
  await service.peyk.operate("POST", "/plans", { name: "main" });
  await expect(service.peyk.operate("POST", "/plans/main/rules", rule)).rejects.toThrow();
  const tried = await service.peyk.operate("POST", "/routes/call/test", { to: recipient });
  expect([tried.ok, asked]).toMatchObject([true, [{ to: "989121234503", code: "123456" }]]);
  const isUsed = async () => {
    const { routes } = await service.peyk.operate("GET", "/status");
    return Array.isArray(routes) && routes.find(({ name }) => name === "call")?.used;
  };
  expect(await isUsed()).toBe(false);
  await steps(byCall);
  expect(await isUsed()).toBe(true);
  await expect(service.peyk.operate("DELETE", "/routes/call")).rejects.toThrow("route_in_use");
  await expect(service.peyk.operate("PUT", "/routes/call", { options: { ...file(), kind: "sms" } })).rejects.toThrow();
  await steps({ by: "sms", waitSeconds: 5 });
  await service.peyk.operate("DELETE", "/routes/call");
  await expect(steps(byCall)).rejects.toThrow("route_not_found");
});

test("files without a template, without the code, with a sender, or half a channel are refused by their key", async () => {
  const { request, ...rest } = file();
  const wrong: [object, string][] = [
    [rest, "request"],
    [{ ...rest, request: { ...request, body: { json: { to: "{{recipient}}" } } } }, "codeSpoken"],
    [{ ...rest, request: { ...request, body: { json: { from: "{{sender}}", code: "{{code}}" } } } }, "{{sender}}"],
    [{ ...file(), kind: "fax" }, "kind"],
    [{ ...file(), price: -1 }, "price"],
    [{ ...file(), kind: "sms" }, "{{code}}"],
    [{ preset: "kavenegar", token, kind: "channel" }, "preset"],
    [{ preset: "kavenegar", token, price: 5 }, "price"],
  ];
  for (const [options, words] of wrong) await expect(addChannel(options)).rejects.toThrow(words);
  for (const step of [
    { by: "channel", waitSeconds: 5 },
    { by: "sms", channel: "call", waitSeconds: 5 },
  ])
    await expect(steps(step)).rejects.toThrow("steps.channel");
  await expect(
    steps({ by: "sms", waitSeconds: 5 }, { by: "channel", channel: "simulator", waitSeconds: 5 }),
  ).rejects.toThrow("no channel");
  expect(await service.peyk.operate("GET", "/otp/steps")).toEqual({});
});
