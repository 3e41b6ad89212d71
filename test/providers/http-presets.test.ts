/**
 * The presets against imitations made from the carriers' public documents: their requests, answers, reports, callbacks and texts.
 * No carrier was asked.
 */
import { afterEach, describe, expect, test } from "bun:test";
import { createHash, createHmac } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv } from "ajv";
import { messageClasses } from "../../src/domain/message.ts";
import { silentLog } from "../../src/platform/log.ts";
import { CallbackReceiver } from "../../src/providers/http/callback-receiver.ts";
import { carrierCatalogue } from "../../src/providers/http/catalogue.ts";
import { HttpProvider } from "../../src/providers/http/http-provider.ts";
import { httpSecretKeys, parseHttpOptions } from "../../src/providers/http/options.ts";
import type { OverduePart, RouteStorage } from "../../src/providers/provider.ts";
import { runCli } from "../support/cli.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { fixedRandom, message, passTimeUntil, RecordedEvents, worded } from "./support.ts";

let closing: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closing) await close();
  closing = [];
});

/** The requests that the imitation got. */
interface Asked {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: Headers;
  form: URLSearchParams;
  json: unknown;
}

type Answer = (asked: Asked) => Response;

const cursors: RouteStorage = { cursor: () => null, setCursor: () => Promise.resolve() };
const secret = "0123456789abcdef";
const called = { callbackUrl: "https://sms.example.com/callbacks/carrier", callbackSecret: secret };

/** A route made by its preset, with an imitation of the carrier. */
function routeTo(file: object, answer: Answer) {
  const asked: Asked[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      const { pathname, searchParams } = new URL(request.url);
      const body = await request.text();
      const isJson = request.headers.get("Content-Type")?.startsWith("application/json") === true;
      const one: Asked = {
        method: request.method,
        path: pathname,
        query: searchParams,
        headers: request.headers,
        form: new URLSearchParams(isJson ? "" : body),
        json: isJson ? JSON.parse(body) : null,
      };
      asked.push(one);
      return answer(one);
    },
  });
  const whole = { url: `http://127.0.0.1:${server.port}`, responseTimeoutMs: 300_000, ...file };
  const parsed = parseHttpOptions(whole);
  if ("problems" in parsed) throw new Error(JSON.stringify(parsed.problems));
  const clock = new ManualClock();
  const events = new RecordedEvents();
  const deps = { clock, random: fixedRandom, log: silentLog, storage: cursors };
  const provider = new HttpProvider(parsed.options, events, deps);
  provider.start();
  closing.push(async () => {
    const stopped = provider.stop(0);
    await clock.advance(0);
    await stopped;
    void server.stop(true);
  });
  const receiver = new CallbackReceiver({
    clock,
    log: silentLog,
    events: () => ({ receipt: events.receipt.bind(events), inbound: events.inbound.bind(events) }),
  });
  receiver.apply([{ id: 1, name: "carrier", file: whole }]);

  return {
    provider,
    asked,
    events,
    clock,
    async send(...texts: string[]) {
      const outcomes = texts.map((text) => provider.submit(message(text)));
      await clock.advance(20);
      return (await Promise.all(outcomes)).map(worded);
    },
    /** Asks for the reports of these ids, and returns the state of each that arrived. */
    async reports(...ids: string[]) {
      const part = (providerId: string): OverduePart => ({ providerId, sender: "3000", recipient: "+989121234567" });
      const before = asked.length;
      provider.receiptQueries?.ask(ids.map(part));
      await passTimeUntil(clock, () => asked.length > before && provider.receiptQueries?.room() !== 0, 10_000, 10);
      await passTimeUntil(clock, () => false, ids.length * 500, 50).catch(() => {});
      return events.receipts.map(({ ids: [id], state, error }) => [id, state, error]);
    },
    async callback(
      kind: "receipts" | "inbound",
      body: string,
      contentType: string,
      headers: Record<string, string> = {},
    ) {
      const given = new Headers(headers);
      const take = receiver.find(`/callbacks/carrier/${secret}/${kind}`);
      return take?.({
        body,
        octets: new TextEncoder().encode(body),
        query: "",
        contentType,
        header: (name) => given.get(name),
        address: "203.0.113.1",
      });
    },
    /** The result of `peyk route test` about the credentials. */
    login: async () => (await provider.probe()).find(({ step }) => step === "login")?.ok,
  };
}

const form = "application/x-www-form-urlencoded";
const json = "application/json";
const accepted = (...ids: string[]) => ids.map((id) => ({ kind: "accepted" as const, partIds: [id] }));

describe("the preset for Kavenegar, against an imitation", () => {
  const ok = (entries: unknown) => Response.json({ return: { status: 200, message: "تایید شد" }, entries });
  const refused = (status: number) =>
    Response.json({ return: { status, message: "خطا" }, entries: null }, { status: status === 411 ? 411 : status });
  const file = { preset: "kavenegar", token: "KEY" };

  test("sends arrays, and reads an answer for each by position", async () => {
    const route = routeTo(file, ({ form: fields }) =>
      ok(
        JSON.parse(fields.get("message") ?? "[]").map((text: string, index: number) => ({
          messageid: 8_792_343 + index,
          message: text,
          status: text === "filtered" ? 14 : 1,
          statustext: "در صف ارسال",
        })),
      ),
    );
    const [first, second] = await route.send("سلام", "filtered");
    expect(first).toMatchObject({ kind: "accepted", partIds: ["8792343"] });
    expect(second).toMatchObject({ kind: "rejected", error: "rejected_by_network" });
    expect(route.asked[0]?.path).toBe("/v1/KEY/sms/sendarray.json");
    const fields = Object.fromEntries(route.asked[0]?.form ?? []);
    expect(fields).toEqual({
      sender: '["3000","3000"]',
      receptor: '["09121234567","09121234567"]',
      message: '["سلام","filtered"]',
    });
  });

  test.each([
    [403, "not_sent"],
    [409, "temporary"],
    [411, "rejected"],
    [412, "rejected"],
    [418, "temporary"],
    [451, "throttled"],
  ])("reads refusal %d: %s", async (status, kind) => {
    expect(await routeTo(file, () => refused(status)).send("x")).toMatchObject([{ kind }]);
  });

  test("polls receipts, texts and the account", async () => {
    const route = routeTo({ ...file, lines: ["30001234"] }, ({ path, form: fields }) => {
      if (path.endsWith("account/info.json")) return ok({ remaincredit: 1 });
      if (path.endsWith("receive.json")) {
        const isFirst = route.asked.filter((one) => one.path.endsWith("receive.json")).length === 1;
        const text = { messageid: 35, message: "لغو", sender: "09121234567", receptor: "30001234", date: 1 };
        return ok(fields.get("linenumber") === "30001234" && fields.get("isread") === "0" && isFirst ? [text] : []);
      }
      const ids = fields.get("messageid")?.split(",") ?? [];
      return ok(ids.map((id) => ({ messageid: Number(id), status: Number(id), statustext: "" })));
    });
    expect(await route.login()).toBe(true);
    expect(await route.reports("4", "10", "11", "14", "100")).toEqual([
      ["10", "delivered", undefined],
      ["11", "failed", "undeliverable"],
      ["14", "failed", "blocked"],
    ]);
    expect(route.events.parts).toMatchObject([
      { sender: "09121234567", receiver: "30001234", text: "لغو", providerId: "35" },
    ]);
  });

  test("receives callbacks, and then does not poll", async () => {
    const route = routeTo({ ...file, ...called }, () => ok([]));
    await route.callback("receipts", "messageid=7&status=10", form);
    await route.callback("inbound", "messageid=8&from=0912&to=3000&message=hi", form);
    expect(route.events.receipts).toMatchObject([{ ids: ["7"], state: "delivered" }]);
    expect(route.events.parts).toMatchObject([{ sender: "0912", receiver: "3000", text: "hi" }]);
    expect(route.provider.receiptQueries).toBeNull();
  });
});

describe("the preset for SMS.ir, against an imitation", () => {
  const file = { preset: "smsir", token: "KEY", pollInbound: true };
  const answer = (status: number, data: unknown, http = 200) =>
    Response.json({ status, message: "", data }, { status: http });

  test("sends arrays and reads an id for each", async () => {
    const route = routeTo({ ...file, pollInbound: false }, () =>
      answer(1, { packId: "2b9", messageIds: [89545112, 89545113], cost: 1 }),
    );
    expect(await route.send("a", "b")).toEqual(accepted("89545112", "89545113"));
    const { path, headers, json: sent } = route.asked[0] ?? {};
    expect([path, headers?.get("X-API-KEY")]).toEqual(["/v1/send/likeToLike", "KEY"]);
    expect(sent).toEqual({
      lineNumber: "3000",
      messageTexts: ["a", "b"],
      mobiles: ["09121234567", "09121234567"],
      sendDateTime: null,
    });
  });

  test("sends the others again after one bad text refused the whole request", async () => {
    let id = 0;
    const route = routeTo({ ...file, pollInbound: false }, ({ json: sent }) => {
      const { messageTexts: texts }: { messageTexts: string[] } = JSON.parse(JSON.stringify(sent));
      if (texts.includes("bad")) return answer(117, null, 400);
      return answer(1, { messageIds: texts.map(() => ++id) });
    });
    expect((await route.send("a", "bad", "c")).map(({ kind }) => kind)).toEqual(["accepted", "rejected", "accepted"]);
  });

  test.each([
    [10, 401, "not_sent"],
    [20, 429, "throttled"],
    [0, 500, "temporary"],
    [101, 400, "rejected"],
    [104, 400, "rejected"],
    [102, 400, "temporary"],
  ])("reads refusal %d: %s %s", async (status, http, kind) => {
    const route = routeTo({ ...file, pollInbound: false }, () => answer(status, null, http));
    expect(await route.send("x")).toMatchObject([{ kind }]);
  });

  test("polls each receipt, texts and the credit", async () => {
    const states: Record<string, number | null> = { "1": 1, "2": 2, "3": 5, "4": 7, "5": null };
    let given = false;
    const route = routeTo(file, ({ path }) => {
      if (path === "/v1/credit") return answer(1, 165.3);
      if (path !== "/v1/receive/latest") {
        const id = path.split("/").at(-1) ?? "";
        return answer(1, { messageId: Number(id), deliveryState: states[id] });
      }
      const text = { receiveReturnId: 9, messageText: "hi", number: 30004505000017, mobile: 9121234567 };
      const data = given ? [] : [text];
      given = true;
      return answer(1, data);
    });
    expect(await route.login()).toBe(true);
    expect(await route.reports("1", "2", "3", "4", "5")).toEqual([
      ["1", "delivered", undefined],
      ["2", "failed", "undeliverable"],
      ["4", "failed", "blocked"],
    ]);
    expect(route.events.parts).toMatchObject([{ sender: "9121234567", receiver: "30004505000017", text: "hi" }]);
  });
});

describe("the preset for Twilio, against an imitation", () => {
  const file = { preset: "twilio", username: "AC1", password: "auth-token" };
  const error = (code: number, status = 400) => Response.json({ code, message: "no", status }, { status });

  test("sends a form with basic authentication, and says where to report", async () => {
    const route = routeTo({ ...file, ...called }, () =>
      Response.json({ sid: "SM1", status: "queued" }, { status: 201 }),
    );
    expect(await route.send("hi")).toEqual(accepted("SM1"));
    const { path, headers, form: fields } = route.asked[0] ?? {};
    expect([path, headers?.get("Authorization")]).toEqual([
      "/2010-04-01/Accounts/AC1/Messages.json",
      `Basic ${btoa("AC1:auth-token")}`,
    ]);
    const statusCallback = `https://sms.example.com/callbacks/carrier/${secret}/receipts`;
    expect(Object.fromEntries(fields ?? [])).toEqual({
      From: "3000",
      To: "+989121234567",
      Body: "hi",
      StatusCallback: statusCallback,
    });
  });

  test.each([
    [20003, 401, "not_sent", undefined],
    [20429, 429, "throttled", undefined],
    [21211, 400, "rejected", "recipient_invalid"],
    [21610, 400, "rejected", "rejected_by_network"],
    [99999, 400, "temporary", "rejected_by_network"],
    [20500, 500, "temporary", undefined],
  ])("reads refusal %d", async (code, status, kind, why) => {
    const [outcome] = await routeTo(file, () => error(code, status)).send("x");
    expect(outcome).toMatchObject({ kind, ...(why !== undefined && { error: why }) });
  });

  test("accepts callbacks only with its signature", async () => {
    const route = routeTo({ ...file, ...called }, () => new Response());
    const fields = { MessageSid: "SM1", MessageStatus: "undelivered", ErrorCode: "30003", To: "+989121234567" };
    const body = new URLSearchParams(fields).toString();
    const url = `https://sms.example.com/callbacks/carrier/${secret}/receipts`;
    const sorted = Object.entries(fields)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .flat()
      .join("");
    const signature = createHmac("sha1", "auth-token")
      .update(url + sorted)
      .digest("base64");
    expect(await route.callback("receipts", body, form)).toMatchObject({ status: 403 });
    expect(await route.callback("receipts", body, form, { "X-Twilio-Signature": signature })).toMatchObject({
      status: 200,
    });
    expect(route.events.receipts).toMatchObject([
      { ids: ["SM1"], state: "failed", error: "undeliverable", remark: "30003" },
    ]);
  });

  test("polls each message if it has no address to be called at", async () => {
    const route = routeTo(file, ({ path }) =>
      path.endsWith("AC1.json")
        ? Response.json({ sid: "AC1", status: "active" })
        : Response.json({ sid: path.slice(-8, -5), status: path.includes("SM1") ? "delivered" : "sent" }),
    );
    expect(await route.login()).toBe(true);
    expect(await route.reports("SM1", "SM2")).toEqual([["SM1", "delivered", undefined]]);
  });
});

describe("the preset for Infobip, against an imitation", () => {
  const file = { preset: "infobip", token: "KEY" };
  const sentIn = (asked: Asked | undefined) => JSON.parse(JSON.stringify(asked?.json ?? { messages: [] })).messages;

  test("sends many messages with their tracking codes, and reads the answers in any order", async () => {
    const route = routeTo({ ...file, ...called }, (asked) => {
      const messages = sentIn(asked).map(
        ({
          destinations: [one],
          content,
        }: {
          destinations: { messageId: string; to: string }[];
          content: { text: string };
        }) => ({
          messageId: one?.messageId,
          destination: one?.to,
          status:
            content.text === "bad"
              ? { groupId: 5, groupName: "REJECTED", name: "REJECTED_DESTINATION" }
              : { groupId: 1, groupName: "PENDING" },
        }),
      );
      return Response.json({ bulkId: "b", messages: messages.toReversed() });
    });
    const [good, bad] = await route.send("hi", "bad");
    expect(good).toMatchObject({ kind: "accepted", partIds: [expect.stringContaining("code-")] });
    expect(bad).toMatchObject({ kind: "rejected", error: "recipient_invalid" });
    expect(route.asked[0]?.headers.get("Authorization")).toBe("App KEY");
    expect(sentIn(route.asked[0])[0]).toMatchObject({
      sender: "3000",
      destinations: [{ to: "989121234567" }],
      content: { text: "hi" },
      webhooks: { delivery: { url: `https://sms.example.com/callbacks/carrier/${secret}/receipts` } },
    });
  });

  test.each([
    [401, "not_sent"],
    [400, "rejected"],
    [429, "throttled"],
    [503, "temporary"],
  ])("reads refusal %d: %s", async (status, kind) => {
    const refusal = () => Response.json({ errorCode: `E${status}`, description: "no" }, { status });
    expect(await routeTo(file, refusal).send("x")).toMatchObject([{ kind }]);
  });

  test("receives lists of reports and texts", async () => {
    const route = routeTo({ ...file, ...called }, () => new Response());
    const report = (messageId: string, groupName: string) => ({
      messageId,
      to: "989121234567",
      status: { groupName },
      error: { name: "NO_ERROR" },
    });
    const results = [report("c1", "DELIVERED"), report("c2", "EXPIRED"), report("c3", "PENDING")];
    expect(await route.callback("receipts", JSON.stringify({ results }), json)).toMatchObject({ status: 200 });
    expect(route.events.receipts.map(({ state, error: why }) => [state, why])).toEqual([
      ["delivered", undefined],
      ["failed", "expired"],
      ["pending", undefined],
    ]);
    const text = { messageId: "m", from: "385916242493", to: "385921004026", text: "QUIZ Paris", smsCount: 1 };
    await route.callback("inbound", JSON.stringify({ results: [text], messageCount: 1, pendingMessageCount: 0 }), json);
    expect(route.events.parts).toMatchObject([
      { sender: "385916242493", receiver: "385921004026", text: "QUIZ Paris" },
    ]);
  });

  test("polls each message if it has no address to be called at", async () => {
    const route = routeTo(file, ({ path, query }) => {
      if (path === "/account/1/balance") return Response.json({ balance: 47.8, currency: "EUR" });
      const messageId = query.get("messageId");
      return Response.json({
        results: messageId === "c1" ? [{ messageId, to: "98912", status: { groupName: "DELIVERED" } }] : [],
      });
    });
    expect(await route.login()).toBe(true);
    expect(await route.reports("c1", "c2")).toEqual([["c1", "delivered", undefined]]);
  });
});

describe("the preset for SMSGate, against an imitation", () => {
  const file = { preset: "smsgate", username: "PHONE", password: "pass", callbackKey: "signing key", ...called };
  /** Accepts each id once, as the app does. */
  const phone = () => {
    const taken = new Set<unknown>();
    return ({ path, json: sent }: Asked) => {
      if (path === "/webhooks") return Response.json([]);
      const id = typeof sent === "object" && sent !== null ? Reflect.get(sent, "id") : null;
      if (taken.has(id)) return Response.json({ message: "already exists" }, { status: 409 });
      taken.add(id);
      return Response.json({ id, state: "Pending", recipients: [] }, { status: 202 });
    };
  };
  const event = (name: string, id: string, payload: object) =>
    JSON.stringify({ deviceId: "d", event: name, id, webhookId: "w", payload: { messageId: "c1", ...payload } });
  const signed = (body: string, key = "signing key") => ({
    "X-Timestamp": "1700000000",
    "X-Signature": createHmac("sha256", key).update(`${body}1700000000`).digest("hex"),
  });

  test("uses our id, one for each part, and reads a repeat as accepted", async () => {
    const route = routeTo(file, phone());
    const long = message("م".repeat(200));
    const first = await Promise.all([route.provider.submit(long), route.clock.advance(20)]);
    const again = await Promise.all([route.provider.submit(long), route.clock.advance(20)]);
    const { trackingCode: code } = long;
    expect([first[0], again[0]]).toEqual([
      { kind: "accepted", partIds: [code, code, code] },
      { kind: "accepted", partIds: [code, code, code] },
    ]);
    expect(await route.send("short")).toEqual(accepted(expect.stringContaining("code-")));
    expect(route.asked[0]).toMatchObject({
      path: "/messages",
      json: {
        id: code,
        textMessage: { text: long.text },
        phoneNumbers: ["+989121234567"],
        withDeliveryReport: true,
        validUntil: "2026-01-07T12:00:00.000Z",
      },
    });
    expect(route.asked[0]?.headers.get("Authorization")).toBe(`Basic ${btoa("PHONE:pass")}`);
    expect(await route.login()).toBe(true);
  });

  test.each([
    [401, "not_sent"],
    [400, "rejected"],
    [429, "throttled"],
    [503, "temporary"],
  ])("reads refusal %d: %s", async (status, kind) => {
    expect(await routeTo(file, () => Response.json({ message: "no" }, { status })).send("x")).toMatchObject([{ kind }]);
  });

  test("receives a report on each part as its own event, only with its signature", async () => {
    const route = routeTo(file, phone());
    const sent = event("sms:sent", "e1", { partsCount: 2, phoneNumber: "+989121234567" });
    expect(await route.callback("receipts", sent, json)).toMatchObject({ status: 403 });
    expect(await route.callback("receipts", sent, json, signed(sent, "wrong"))).toMatchObject({ status: 403 });
    const delivered = event("sms:delivered", "e2", {});
    const failed = event("sms:failed", "e3", { reason: "RESULT_ERROR_NO_SERVICE" });
    for (const body of [sent, delivered, failed])
      expect(await route.callback("receipts", body, json, signed(body))).toMatchObject({ status: 200 });
    expect(route.events.receipts).toMatchObject([
      { ids: ["c1"], state: "pending", eventId: "e1", partCount: 2 },
      { ids: ["c1"], state: "delivered", eventId: "e2" },
      { ids: ["c1"], state: "failed", eventId: "e3", error: "rejected_by_network", remark: "RESULT_ERROR_NO_SERVICE" },
    ]);
    const ping = JSON.stringify({ event: "system:ping", id: "e4", payload: {} });
    expect(await route.callback("receipts", ping, json, signed(ping))).toMatchObject({ status: 400 });
    const anonymous = JSON.stringify({ event: "sms:delivered", payload: { messageId: "c1" } });
    expect(await route.callback("receipts", anonymous, json, signed(anonymous))).toMatchObject({ status: 400 });
  });

  test("receives texts, to its own number or the one in the file", async () => {
    const text = event("sms:received", "e5", { phoneNumber: "+98912", recipient: "+98920", message: "سلام" });
    const own = routeTo(file, phone());
    expect(await own.callback("inbound", text, json, signed(text))).toMatchObject({ status: 200 });
    expect(own.events.parts).toMatchObject([{ sender: "+98912", receiver: "+98920", text: "سلام", providerId: "e5" }]);
    const named = routeTo({ ...file, number: "+98930" }, phone());
    const silent = event("sms:received", "e6", { phoneNumber: "+98912", recipient: null, message: "x" });
    await named.callback("inbound", silent, json, signed(silent));
    expect(named.events.parts).toMatchObject([{ receiver: "+98930" }]);
    expect(await own.callback("inbound", silent, json, signed(silent))).toMatchObject({ status: 400 });
  });
});

describe("the preset for Telegram Gateway, against an imitation", () => {
  const file = { preset: "telegram", token: "TOKEN" };
  /** Knows one token, takes codes of 4 to 8 digits, and has one number that is not on Telegram. */
  const gateway = ({ path, headers, json: body }: Asked) => {
    const error = (name: string) => Response.json({ ok: false, error: name });
    const asked = new Map(Object.entries(body ?? {}));
    if (headers.get("Authorization") !== "Bearer TOKEN") return error("ACCESS_TOKEN_INVALID");
    const request = { request_id: "r-1", phone_number: asked.get("phone_number"), request_cost: 0.01 };
    if (path === "/checkVerificationStatus") {
      if (asked.get("request_id") !== "r-1") return error("REQUEST_ID_INVALID");
      return Response.json({ ok: true, result: { ...request, delivery_status: { status: "read", updated_at: 1 } } });
    }
    if (path !== "/sendVerificationMessage") return error("UNKNOWN_METHOD");
    if (!/^\d{4,8}$/.test(asked.get("code"))) return error("CODE_INVALID");
    if (asked.get("phone_number") === "+989120000000") return error("PHONE_NUMBER_NOT_FOUND");
    return Response.json({ ok: true, result: { ...request, delivery_status: { status: "sent", updated_at: 1 } } });
  };
  const otp = (code: string, recipient = "+989121234567") => ({
    ...message(`Your code: ${code}`),
    ...{ code, recipient, class: messageClasses.otp },
  });
  const signed = (body: string, token = "TOKEN") => ({
    "X-Request-Timestamp": "1700000000",
    "X-Request-Signature": createHmac("sha256", createHash("sha256").update(token).digest())
      .update(`1700000000\n${body}`)
      .digest("hex"),
  });

  test("sends the code, leading zeros and all, and reads its refusals", async () => {
    const route = routeTo({ ...file, ...called, senderUsername: "clinic" }, gateway);
    expect(worded(await route.provider.submit(otp("012345")))).toMatchObject({ kind: "accepted", partIds: ["r-1"] });
    expect(route.asked[0]).toMatchObject({
      method: "POST",
      json: {
        ...{ phone_number: "+989121234567", code: "012345", sender_username: "clinic" },
        callback_url: `https://sms.example.com/callbacks/carrier/${secret}/receipts`,
      },
    });
    expect(JSON.stringify(route.asked[0]?.json)).not.toContain("Your code");
    expect(await route.provider.submit(otp("1234567890"))).toMatchObject({ kind: "rejected" });
    const unknown = await route.provider.submit(otp("1234", "+989120000000"));
    expect(unknown).toMatchObject({ kind: "rejected", error: "recipient_invalid" });
    expect(await route.login()).toBe(true);
    const stranger = routeTo({ ...file, token: "OTHER" }, gateway);
    expect(await stranger.provider.submit(otp("1234"))).toMatchObject({ kind: "not_sent" });
    expect(await stranger.login()).toBe(false);
    const busy = routeTo(file, () => Response.json({ ok: false, error: "FLOOD_WAIT_3" }));
    expect(await busy.provider.submit(otp("1234"))).toMatchObject({ kind: "throttled" });
  });

  test("takes reports that Telegram signed, and asks where it is not called", async () => {
    const route = routeTo({ ...file, ...called }, gateway);
    const report = (status: string) =>
      JSON.stringify({ request_id: "r-1", phone_number: "+98912", delivery_status: { status, updated_at: 1 } });
    for (const status of ["sent", "delivered", "read", "expired", "revoked"]) {
      const body = report(status);
      expect(await route.callback("receipts", body, json, signed(body))).toMatchObject({ status: 200 });
    }
    const states = route.events.receipts.map(({ state, error }) => error ?? state);
    expect(states).toEqual(["pending", "delivered", "delivered", "expired", "undeliverable"]);
    const body = report("delivered");
    for (const headers of [{}, signed(body, "OTHER"), signed(report("read"))])
      expect(await route.callback("receipts", body, json, headers)).toMatchObject({ status: 403 });
    expect(await routeTo(file, gateway).reports("r-1")).toEqual([["r-1", "delivered", undefined]]);
  });
});

describe("the preset for Twilio's calls, against an imitation", () => {
  const file = { preset: "twilio-call", username: "AC1", password: "auth", callerNumber: "+15005550006" };
  const otp = { ...message("Your code: 012345"), code: "012345", class: messageClasses.otp };

  test("calls, and reads the code digit by digit", async () => {
    const words = "<Ali & co> say {{codeSpoken}}";
    const route = routeTo({ ...file, ...called, words, language: "en-GB" }, () =>
      Response.json({ sid: "CA1", status: "queued" }, { status: 201 }),
    );
    expect(worded(await route.provider.submit(otp))).toMatchObject({ kind: "accepted", partIds: ["CA1"] });
    const [call] = route.asked;
    expect(call?.path).toBe("/2010-04-01/Accounts/AC1/Calls.json");
    expect(call?.headers.get("Authorization")).toBe(`Basic ${btoa("AC1:auth")}`);
    expect(Object.fromEntries(call?.form ?? [])).toEqual({
      ...{ From: "+15005550006", To: "+989121234567", Timeout: "30" },
      Twiml: '<Response><Say language="en-GB" loop="2">&lt;Ali &amp; co> say 0, 1, 2, 3, 4, 5</Say></Response>',
      StatusCallback: `https://sms.example.com/callbacks/carrier/${secret}/receipts`,
    });
  });

  test.each([
    [400, 21211, "rejected"],
    [400, 21216, "rejected"],
    [401, 20003, "not_sent"],
    [429, 20429, "throttled"],
    [503, 0, "temporary"],
  ])("reads refusal %d %d: %s", async (status, code, kind) => {
    const route = routeTo(file, () => Response.json({ code, message: "no", status }, { status }));
    expect(await route.provider.submit(otp)).toMatchObject({ kind });
  });

  test("takes signed reports of calls, and asks where it is not called", async () => {
    const route = routeTo({ ...file, ...called }, () => new Response());
    const report = (status: string) =>
      new URLSearchParams({ CallSid: "CA1", CallStatus: status, To: "+989121234567" }).toString();
    const url = `https://sms.example.com/callbacks/carrier/${secret}/receipts`;
    const signed = (body: string) => {
      const fields = [...new URLSearchParams(body)].map(([name, value]) => name + value).sort();
      return {
        "X-Twilio-Signature": createHmac("sha1", "auth")
          .update(url + fields.join(""))
          .digest("base64"),
      };
    };
    for (const status of ["ringing", "completed", "busy", "no-answer", "failed"]) {
      const body = report(status);
      expect(await route.callback("receipts", body, form, signed(body))).toMatchObject({ status: 200 });
    }
    const states = route.events.receipts.map(({ state, error }) => error ?? state);
    expect(states).toEqual(["pending", "delivered", "undeliverable", "undeliverable", "rejected_by_network"]);
    expect(await route.callback("receipts", report("completed"), form, signed(report("busy")))).toMatchObject({
      status: 403,
    });
    const asking = routeTo(file, ({ path }) =>
      path.endsWith("/Calls/CA1.json")
        ? Response.json({ sid: "CA1", status: "no-answer" })
        : Response.json({ status: "active" }),
    );
    expect(await asking.reports("CA1")).toEqual([["CA1", "failed", "undeliverable"]]);
    expect(await asking.login()).toBe(true);
  });

  test("needs the number that calls, and words that hold the code", () => {
    for (const wrong of [
      { callerNumber: undefined },
      { words: "Hello" },
      { language: 'x" y' },
      { words: "{{sender}}" },
    ])
      expect(parseHttpOptions({ ...file, ...wrong })).toHaveProperty("problems");
  });
});

describe("the catalogue of presets", () => {
  const ajv = new Ajv({ strict: false });
  const docs = join(import.meta.dir, "..", "..", "docs", "carriers");

  test.each(carrierCatalogue().map((entry) => [entry.name, entry] as const))(
    "has a valid file for %s",
    (_, { file, schema, needs }) => {
      expect(ajv.compile(schema)(file)).toBe(true);
      const secrets = httpSecretKeys.filter((key) => `${key}File` in file);
      const whole = Object.entries(file).filter(([key]) => !key.endsWith("File"));
      const opened = { ...Object.fromEntries(whole), ...Object.fromEntries(secrets.map((key) => [key, secret])) };
      expect(parseHttpOptions(opened)).toHaveProperty("options");
      for (const key of Object.keys(needs)) expect([key, `${key}File`].some((name) => name in file)).toBe(true);
      const missing = parseHttpOptions({
        ...opened,
        ...Object.fromEntries(Object.keys(needs).map((key) => [key, undefined])),
      });
      if (Object.keys(needs).length > 0) expect(missing).toHaveProperty("problems");
    },
  );

  test("has a documentation page for each, with its file", () => {
    const pages = new Map(
      readdirSync(docs).map((page) => [page.replace(/\.md$/, ""), readFileSync(join(docs, page), "utf8")]),
    );
    for (const { name, file } of carrierCatalogue()) {
      const [, shown = "{}"] = /```json\n([\s\S]*?)```/.exec(pages.get(name) ?? "") ?? [];
      expect({ name, file: JSON.parse(shown) }).toEqual({ name, file: JSON.parse(JSON.stringify(file)) });
    }
    expect([...pages.keys()].sort()).toEqual(
      carrierCatalogue()
        .map(({ name }) => name)
        .sort(),
    );
  });

  test("is shown by peyk route preset", async () => {
    expect((await runCli(["route", "preset", "list"])).out).toContain("kavenegar");
    const shown = await runCli(["route", "preset", "show", "twilio"]);
    expect(shown.out).toContain("the Auth Token");
    expect(JSON.parse((await runCli(["route", "preset", "show", "infobip", "--file"])).out)).toMatchObject({
      preset: "infobip",
    });
    expect(await runCli(["route", "preset", "show", "nobody"])).toMatchObject({
      code: 1,
      err: expect.stringContaining("kannel, kavenegar"),
    });
  });
});
