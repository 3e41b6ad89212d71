/** An HTTP route's file: requests filled for each message, answers evaluated, callbacks read, every mistake named. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { jsonValuesMax } from "../../src/domain/json-path.ts";
import { toldProblem } from "../../src/domain/operator-problem.ts";
import { outcomeOfAnswer } from "../../src/providers/http/answer.ts";
import { callFieldsMax, decodeInbound, decodeReceipts, isCallbackSecret } from "../../src/providers/http/callbacks.ts";
import { callbackUrls, type HttpOptions, parseHttpOptions } from "../../src/providers/http/options.ts";
import { fillRequest, valuesFor } from "../../src/providers/http/template.ts";
import type { Submission } from "../../src/providers/provider.ts";
import { routeKinds } from "../../src/providers/route-kinds.ts";
import { message } from "./support.ts";

const secret = "0123456789abcdef";

function optionsOf(file: object): HttpOptions {
  const result = parseHttpOptions(file);
  if ("problems" in result) throw new Error(JSON.stringify(result.problems));
  return result.options;
}

function problemsOf(file: unknown): Record<string, string> {
  const result = parseHttpOptions(file);
  return "problems" in result
    ? Object.fromEntries(result.problems.map(toldProblem).map(({ key, message: why }) => [key, why]))
    : {};
}

function filled(file: object, submission: Submission) {
  const options = optionsOf(file);
  const { username, password, token } = options;
  return fillRequest(
    options.request,
    valuesFor(submission, { username, password, token, ...callbackUrls(options) }, { now: 0, uuid: "u-u-i-d" }),
  );
}

const url = "https://sms.example/send";
const plain = { trackingCode: "code-1", hidesAnswer: false, now: Date.UTC(2026, 10, 20, 15, 36) };
const awkward = `سلام "a" & <b> + % = ; \\ \n {{text}} 🙂`;

describe("a request from a template", () => {
  test("carries any text in its query and its path", () => {
    const request = filled(
      { request: { url: `${url}/{{sender}}`, query: { t: "{{text}}", to: "{{recipient}}" } } },
      message(awkward, { sender: "a/b?c" }),
    );
    const sent = new URL(request.url);
    expect([request.method, sent.pathname]).toEqual(["GET", "/send/a%2Fb%3Fc"]);
    expect([sent.searchParams.get("t"), sent.searchParams.get("to")]).toEqual([awkward, "+989121234567"]);
  });

  test("carries any text in JSON, and numbers as numbers", () => {
    const json = {
      messages: [{ text: "{{text}}", parts: "{{partCount}}", note: "{{partCount}} parts", flag: true, nil: null }],
    };
    const request = filled({ request: { url, body: { json } } }, message(awkward));
    expect(JSON.parse(request.body ?? "")).toEqual({
      messages: [{ text: awkward, parts: 1, note: "1 parts", flag: true, nil: null }],
    });
    expect([request.method, request.headers["Content-Type"]]).toEqual(["POST", "application/json; charset=utf-8"]);
  });

  test("carries any text in a form, without empty fields", () => {
    const form = { text: "{{text}}", cb: "{{receiptUrl}}", n: 7 };
    const request = filled({ request: { url, body: { form } } }, message(awkward));
    expect(Object.fromEntries(new URLSearchParams(request.body ?? ""))).toEqual({ text: awkward, n: "7" });
  });

  test("carries any text in XML", () => {
    const request = filled(
      { request: { url, method: "PUT", body: { xml: '<m to="{{recipient}}">{{text}}</m>' } } },
      message(`<&">'`),
    );
    expect(request).toMatchObject({ method: "PUT", body: '<m to="+989121234567">&lt;&amp;&quot;&gt;&apos;</m>' });
  });

  test("has no free text in a header of a new route, and an older route's stays on its line", () => {
    const file = (value: string) => ({
      request: { url, headers: { "X-Note": value } },
      probe: { request: { url, headers: { "X-Note": value } } },
    });
    for (const name of ["text", " text ", "token}} {{text"]) {
      expect(routeKinds.http.check(file(`a {{${name}}}`)).map(({ key, code }) => `${key} ${code}`)).toEqual([
        "request.headers.X-Note header_text",
        "probe.request.headers.X-Note header_text",
      ]);
    }
    expect(routeKinds.http.check(file("{{token}} {{sender}} {{trackingCode}} {{encoding}}"))).toEqual([]);
    const { headers } = filled(file("a {{text}}"), message("one\r\nX-Other: 1\u2028\u0085two"));
    expect(headers["X-Note"]).toBe("a one X-Other: 1 two");
  });

  test("writes the recipient as its country does, and a unique id and the time", () => {
    const json = ["{{recipientNational}}", "{{uuid}}", "{{time}}", "{{unixTime}}"];
    const body = (recipient: string) => filled({ request: { url, body: { json } } }, message("x", { recipient })).body;
    expect(JSON.parse(body("+989121234567") ?? "")).toEqual(["09121234567", "u-u-i-d", "1970-01-01T00:00:00.000Z", 0]);
    expect(JSON.parse(body("+12025550123") ?? "")[0]).toBe("2025550123");
    expect(JSON.parse(body("+447911123456") ?? "")[0]).toBe("07911123456");
  });

  test("carries credentials and the callback address", () => {
    const file = {
      username: "u",
      password: "p:1",
      token: "tok",
      callbackUrl: "http://10.0.0.5/callbacks/x/",
      callbackSecret: secret,
      request: {
        url,
        query: { cb: "{{receiptUrl}}" },
        headers: { Authorization: "Basic {{basicAuth}}", "X-Token": "{{token}}" },
      },
    };
    const request = filled(file, message("x"));
    expect(new URL(request.url).searchParams.get("cb")).toBe(`http://10.0.0.5/callbacks/x/${secret}/receipts`);
    expect(request.headers).toEqual({ Authorization: `Basic ${btoa("u:p:1")}`, "X-Token": "tok" });
  });

  test("never loses or adds a character of the text, wherever it is placed", () => {
    const file = { request: { url, query: { t: "{{text}}" }, body: { json: { t: "{{text}}" } } } };
    fc.assert(
      fc.property(fc.string({ unit: "binary", minLength: 1 }), (text) => {
        const clean = text.toWellFormed();
        const request = filled(file, message(clean));
        expect(new URL(request.url).searchParams.get("t")).toBe(clean);
        expect(JSON.parse(request.body ?? "")).toEqual({ t: clean });
      }),
    );
  });
});

describe("an answer read by a template", () => {
  const rules = optionsOf({
    request: { url },
    answer: {
      accepted: { status: 200, json: { path: "result.code", equals: [0, "queued"] } },
      recipientInvalid: { json: { path: "result.code", equals: 12 } },
      rejected: { json: { path: "result.code", equals: 13 } },
      temporary: [{ status: "5xx" }, { body: "^busy" }],
      throttled: [{ status: [429, 420] }],
      id: { json: "result.ids.0" },
    },
  }).answer;
  const judged = (status: number, body: string, headers: Record<string, string> = {}) =>
    outcomeOfAnswer({ status, body, headers: new Headers(headers) }, rules, plain);

  test.each([
    [200, '{"result":{"code":0,"ids":[77]}}', { kind: "accepted", partIds: ["77"] }],
    [200, '{"result":{"code":"queued"}}', { kind: "accepted", partIds: [null] }],
    [200, '{"result":{"code":12}}', { kind: "rejected", error: "recipient_invalid" }],
    [200, '{"result":{"code":13}}', { kind: "rejected", error: "rejected_by_network" }],
    [200, '{"result":{"code":1}}', { kind: "unmatched", isSuccess: true }],
    [200, "no JSON", { kind: "unmatched", isSuccess: true }],
    [402, "no_credit", { kind: "unmatched", isSuccess: false }],
    [502, "<html>", { kind: "temporary" }],
    [200, "busy now", { kind: "temporary" }],
    [420, "", { kind: "throttled", retryAfterMs: 1000, pause: "route" }],
    [401, "", { kind: "unauthorised" }],
    [302, "", { kind: "unmatched", isSuccess: false }],
  ])("%d %p is judged by the file's rules", (status, body, outcome) => {
    expect(judged(status, body)).toMatchObject(outcome);
  });

  test("includes the carrier's own code if the file lists it", () => {
    expect(judged(200, '{"result":{"code":13}}')).toMatchObject({ reason: { carrierCode: "result.code 13" } });
    expect(judged(200, '{"result":{"code":1}}')).not.toHaveProperty("reason.carrierCode");
    expect(judged(502, "<html>")).not.toHaveProperty("reason.carrierCode");
  });

  test("that says too fast may set the wait, up to an hour", () => {
    expect(judged(429, "", { "Retry-After": "7" })).toMatchObject({ retryAfterMs: 7_000 });
    expect(judged(429, "", { "Retry-After": "999999" })).toMatchObject({ retryAfterMs: 3_600_000 });
    expect(judged(429, "", { "Retry-After": "-1" })).toMatchObject({ retryAfterMs: 1_000 });
    expect(judged(429, "", { "Retry-After": "Fri, 20 Nov 2026 15:37:00 GMT" })).toMatchObject({ retryAfterMs: 60_000 });
    expect(judged(503, "", { "Retry-After": "30" })).toMatchObject({ kind: "temporary", pauseRouteMs: 30_000 });
  });

  test.each([
    [{ body: "id=(\\w+)" }, "ok id=a7\n", {}, "a7"],
    [{ body: "id=(\\w+)" }, "ok", {}, null],
    [{ header: "X-Id" }, "", { "X-Id": "h1" }, "h1"],
    ["trackingCode", "", {}, "code-1"],
  ])("gives its id by %p", (id, body, headers, expected) => {
    const { answer } = optionsOf({ request: { url }, answer: { id } });
    const outcome = outcomeOfAnswer({ status: 201, body, headers: new Headers(headers) }, answer, plain);
    expect(outcome).toEqual({ kind: "accepted", partIds: [expected] });
  });

  test("without rules is judged by HTTP's status", () => {
    const { answer } = optionsOf({ request: { url } });
    const kinds = [204, 400, 402, 403, 404, 408, 429, 500, 503].map(
      (status) => outcomeOfAnswer({ status, body: "", headers: new Headers() }, answer, plain).kind,
    );
    expect(kinds).toEqual([
      "accepted",
      "rejected",
      "unmatched",
      "unauthorised",
      "rejected",
      "temporary",
      "throttled",
      "temporary",
      "temporary",
    ]);
  });
});

describe("a callback read by a template", () => {
  const json = (body: unknown) => ({
    query: "",
    contentType: "application/json; charset=utf-8",
    body: JSON.stringify(body),
  });
  const form = (body: string) => ({ query: "", contentType: "application/x-www-form-urlencoded", body });
  const query = (text: string) => ({ query: text, contentType: "", body: "" });
  const { receipts, inbound } = optionsOf({
    request: { url },
    receipts: {
      id: "id",
      state: "state",
      delivered: ["DELIVRD", 1],
      failed: { EXPIRED: "expired", "2": "undeliverable" },
      detail: "why",
    },
    inbound: { sender: "from", receiver: "to", text: "text", id: "mo" },
  });
  if (receipts === null || inbound === null) throw new Error("both were given");

  test.each([
    ["query", query("id=a%201&state=delivrd&why=fine")],
    ["form", form("id=a+1&state=1&why=fine")],
    ["JSON", json({ id: "a 1", state: 1, why: "fine" })],
  ])("with a receipt as %s is read", (_, request) => {
    const decoded = decodeReceipts(request, receipts, 99);
    expect(decoded).toMatchObject({ contents: [{ ids: ["a 1"], state: "delivered", at: 99 }] });
    expect(JSON.stringify(decoded)).toContain("fine");
  });

  test("says why a message failed, and leaves unknown states pending", () => {
    const states = ["EXPIRED", "2", "WHATEVER", ""].map((state) => decodeReceipts(json({ id: 7, state }), receipts, 0));
    expect(states).toMatchObject([
      { contents: [{ state: "failed", error: "expired" }] },
      { contents: [{ state: "failed", error: "undeliverable" }] },
      { contents: [{ state: "pending" }] },
      { contents: [{ state: "pending" }] },
    ]);
  });

  test.each([
    [query("state=1"), "no id"],
    [query("id=&state=1"), "no id"],
    [query("id=1"), "no state"],
    [{ query: "", contentType: "application/json", body: "{" }, "no JSON"],
    [json(null), "no id"],
    [json({ id: { $gt: "" }, state: 1 }), "no id"],
    [query(`id=${"x".repeat(201)}&state=1`), "no id"],
  ])("that cannot be read reports what is missing: %p", (request, words) => {
    expect(decodeReceipts(request, receipts, 0)).toEqual({ problem: expect.stringContaining(words) });
  });

  test("with a list is read whole or not at all", () => {
    const rules = { ...receipts, each: "reports" };
    const reports = [
      { id: 1, state: 1 },
      { id: 2, state: "EXPIRED" },
    ];
    expect(decodeReceipts(json({ reports }), rules, 0)).toMatchObject({ contents: [{ ids: ["1"] }, { ids: ["2"] }] });
    expect(decodeReceipts(json({ reports: [...reports, { id: 3 }] }), rules, 0)).toHaveProperty("problem");
    expect(decodeReceipts(json({}), rules, 0)).toHaveProperty("problem");
    expect(decodeReceipts(json(reports), { ...receipts, each: "" }, 0)).toHaveProperty("contents");
    const many = { reports: Array.from({ length: 1_001 }, () => reports[0]) };
    expect(decodeReceipts(json(many), rules, 0)).toHaveProperty("problem");
  });

  test("with a receipt has its recipient if the file says where that is", () => {
    const rules = { ...receipts, recipient: { from: "any", name: "to" } } as const;
    const read = (text: string) => decodeReceipts(query(text), rules, 0);
    expect(read("id=1&state=1&to=98912")).toMatchObject({ contents: [{ numbers: ["98912"] }] });
    expect(read("id=1&state=1")).toMatchObject({ contents: [{ numbers: [] }] });
  });

  test("with an inbound text is read, even an empty one", () => {
    const text = "سلام & خداحافظ";
    expect(decodeInbound(json({ from: "98912", to: 3000, text, mo: "m1" }), inbound, 5)).toEqual({
      contents: [{ sender: "98912", receiver: "3000", text, providerId: "m1", receivedAt: 5 }],
    });
    expect(decodeInbound(query("from=1&to=2&text="), inbound, 5)).toEqual({
      contents: [{ sender: "1", receiver: "2", text: "", receivedAt: 5 }],
    });
    expect(decodeInbound(query("from=1&text=x"), inbound, 5)).toEqual({ problem: expect.stringContaining("receiver") });
  });

  test("with a text in another charset is read from its octets", () => {
    const rules = { ...inbound, charset: { from: "any", name: "cs" } } as const;
    const read = (text: string) => decodeInbound(query(`from=1&to=2&${text}`), rules, 0);
    expect(read("text=%063%06D%06'%06E%00+%D8%3D%DEB&cs=UTF-16BE")).toMatchObject({ contents: [{ text: "سلام 🙂" }] });
    expect(read("text=caf%e9&cs=iso-8859-1")).toMatchObject({ contents: [{ text: "café" }] });
    expect(read("text=%D8%B3%zz%&cs=UTF-8")).toMatchObject({ contents: [{ text: "س%zz%" }] });
    expect(read("text=%063%06&cs=UTF-16BE")).toMatchObject({ contents: [{ text: "", binary: "063306" }] });
    expect(read("text=%00%ff&cs=8-BIT")).toMatchObject({ contents: [{ text: "", binary: "00ff" }] });
    expect(decodeInbound(form("from=1&to=2&text=%00A&cs=utf-16be"), rules, 0)).toMatchObject({
      contents: [{ text: "A" }],
    });
  });

  test("may have no more fields than a text or receipt needs", () => {
    const fields = (count: number) => `from=1&to=2&text=x${"&a=b".repeat(count - 3)}`;
    for (const content of [form, query]) {
      expect(decodeInbound(content(fields(callFieldsMax)), inbound, 0)).toMatchObject({ contents: [{ text: "x" }] });
      const problem = `there are more than ${callFieldsMax} fields in one request`;
      expect(decodeInbound(content(fields(callFieldsMax + 1)), inbound, 0)).toEqual({ problem });
    }
  });

  test("may hold no more JSON than a thousand receipts do", () => {
    const rules = { ...receipts, each: "reports" };
    const listed = (values: number) => json({ reports: [], more: Array.from({ length: values - 3 }, () => 0) });
    const nested = (depth: number) => {
      const body = `{"reports":[],"more":${"[".repeat(depth - 1)}${"]".repeat(depth - 1)}}`;
      return { ...json({}), body };
    };
    const problem = `there are more than ${jsonValuesMax} values in one request, or they are nested too deeply`;
    for (const call of [listed(jsonValuesMax), nested(64)])
      expect(decodeReceipts(call, rules, 0)).toEqual({ contents: [] });
    for (const call of [listed(jsonValuesMax + 1), nested(65)])
      expect(decodeReceipts(call, rules, 0)).toEqual({ problem });
  });

  test("with escapes of every kind is read as a browser writes them", () => {
    const rules = { ...inbound, charset: { from: "any", name: "cs" } } as const;
    const octets = fc.array(fc.constantFrom("%41", "%e9", "%", "%4", "%zz", "+", "a", "é", "%2B", "%C3%A9"), {
      maxLength: 20,
    });
    fc.assert(
      fc.property(octets, (pieces) => {
        const text = pieces.join("");
        const expected = new URLSearchParams(`text=${text}`).get("text") ?? "";
        const decoded = decodeInbound(query(`from=1&to=2&te%78t=${text}&cs=utf-8`), rules, 0);
        expect(decoded).toMatchObject({ contents: [{ text: expected }] });
        const latin = decodeInbound(query(`from=1&to=2&te%78t=${text}&cs=latin1`), rules, 0);
        expect(latin).toMatchObject({ contents: [{ text: latinText(pieces) }] });
      }),
    );
  });

  test("of any shape never throws", () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.constantFrom("application/json", "application/x-www-form-urlencoded", ""),
        (body, contentType) => {
          const decoded = decodeReceipts({ query: body, contentType, body }, receipts, 0);
          expect("contents" in decoded || "problem" in decoded).toBe(true);
        },
      ),
    );
  });

  test("shows its secret", () => {
    expect(isCallbackSecret(secret, secret)).toBe(true);
    for (const wrong of ["", "0123456789abcdeF", secret.slice(1), `${secret}x`])
      expect(isCallbackSecret(wrong, secret)).toBe(false);
    expect(isCallbackSecret("", "")).toBe(false);
  });
});

/** The text of such octets in windows-1252, which is what browsers mean by latin1. */
function latinText(pieces: readonly string[]): string {
  const octets = pieces
    .join("")
    .replaceAll("+", " ")
    .split(/(%[0-9a-fA-F]{2})/);
  const bytes = octets.map((one, index) => (index % 2 === 1 ? Buffer.from(one.slice(1), "hex") : Buffer.from(one)));
  return new TextDecoder("latin1").decode(Buffer.concat(bytes));
}

describe("an HTTP route's file", () => {
  test("has all its problems named at once, by key", () => {
    const problems = problemsOf({
      window: 101,
      callbackUrl: "http://x/?q",
      callbackSecret: "short",
      answer: { accepted: [{ status: 99 }, { body: "(" }, {}], id: { json: "a", header: "b" }, ok: 1 },
      request: {
        url: "ftp://x",
        query: { t: "{{txt}}" },
        headers: { "X Y": "1" },
        body: { json: {}, form: {} },
        verb: "GET",
      },
      receipts: { id: "id", failed: { a: "nonsense" } },
      inbound: { sender: { query: "a", form: "b" }, receiver: 7 },
      timeout: 1,
    });
    expect(Object.keys(problems).sort()).toEqual(
      [
        "answer.accepted[0].status",
        "answer.accepted[1].body",
        "answer.accepted[2]",
        "answer.id",
        "answer.ok",
        "callbackSecret",
        "callbackUrl",
        "inbound.receiver",
        "inbound.sender",
        "inbound.text",
        "receipts.delivered",
        "receipts.failed.a",
        "receipts.state",
        "request.body",
        "request.headers.X Y",
        "request.query.t",
        "request.url",
        "request.verb",
        "timeout",
        "window",
      ].sort(),
    );
    expect(problems["request.query.t"]).toContain("did you mean {{text}}?");
  });

  test("names an invalid answer to a callback", () => {
    const rules = { id: "id", state: "s", delivered: 1, failed: 2 };
    const problemsWith = (answer: unknown) =>
      Object.keys(problemsOf({ request: { url }, receipts: { ...rules, answer } }));
    expect(problemsWith({ status: 200, type: "text/xml", body: "<ok/>" })).toEqual([]);
    expect(problemsWith({ status: 204 })).toEqual([]);
    expect(problemsWith({ status: 404 })).toEqual(["receipts.answer.status"]);
    expect(problemsWith({ status: 204, body: "x" })).toEqual(["receipts.answer.body"]);
    expect(problemsWith({ type: "text/plain\r\nX: 1", text: "x" })).toEqual([
      "receipts.answer.type",
      "receipts.answer.text",
    ]);
  });

  test("requires a request, and a secret for its callbacks", () => {
    expect(Object.keys(problemsOf({}))).toEqual(["request"]);
    const receipts = { id: "id", state: "s", delivered: 1, failed: 2 };
    expect(Object.keys(problemsOf({ request: { url }, receipts, callbackUrl: "http://x" }))).toEqual([
      "callbackSecretFile",
    ]);
  });

  test.each(["http://user:pw@host/", "http://{{sender}}.example/", "http://h/#f", "/send", "http://"])(
    "refuses a URL like %s",
    (wrong) => {
      expect(Object.keys(problemsOf({ request: { url: wrong } }))).toEqual(["request.url"]);
    },
  );

  test("with the preset kannel requires its address and login, and nothing of a template", () => {
    expect(Object.keys(problemsOf({ preset: "kannel" })).sort()).toEqual(["passwordFile", "url", "username"]);
    expect(Object.keys(problemsOf({ preset: "canal", request: { url } }))).toContain("preset");
    const file = { preset: "kannel", url: "http://127.0.0.1:13013/cgi-bin/sendsms", username: "u", password: "p" };
    expect(problemsOf({ ...file, request: { url } })).toHaveProperty("request");
    expect(problemsOf(file)).toEqual({});
  });
});
