/** What the operator API refuses: every code has its words in both languages, and a form in Persian says nothing in English. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createLocale } from "../../src/console/locale.ts";
import { problemSentence, refusalSentence } from "../../src/console/page/refusal.ts";
import { sentenceOf } from "../../src/domain/coded.ts";
import { type ErrorDetail, englishDetails } from "../../src/domain/error-detail.ts";
import { OperatorError, type OperatorErrorCode, operatorErrors } from "../../src/domain/operator-error.ts";
import { englishProblems, type OperatorProblem, problemOf } from "../../src/domain/operator-problem.ts";
import { sendWindow } from "../../src/domain/send-window.ts";
import { persianErrors } from "../../src/words/fa/operator-error.ts";
import { type ConsoleProcess, type FormClient, signedInAs, startConsole } from "../support/console.ts";
import { replyOf } from "../support/reply.ts";
import { routeFileProblems } from "../support/route-file-problems.ts";

const now = Date.UTC(2026, 10, 21, 18, 5);
const english = createLocale({ language: "en", zone: "Asia/Tehran", now });
const persian = createLocale({ language: "fa", zone: "Asia/Tehran", now });

const any = { min: null, max: null };
const few = { min: 1, max: 120 };

const problems: readonly OperatorProblem[] = [
  ...[any, few, { min: 0, max: 2_000 }].map((range) => problemOf("note", "text", range)),
  problemOf("name", "line", few),
  ...[any, few, { min: 1, max: null }, { min: null, max: 5 }].map((range) => problemOf("rate", "whole_number", range)),
  problemOf("minutes", "number", few),
  ...[any, few, { min: 1, max: null }].map((range) => problemOf("routes", "list", range)),
  problemOf("class", "choice", { words: ["otp", "bulk"] }),
  problemOf("active", "yes_or_no", {}),
  problemOf("options", "json_object", {}),
  problemOf("sender", "sender", {}),
  problemOf("countries", "country", {}),
  problemOf("countries", "countries", {}),
  problemOf("name", "short_name", {}),
  problemOf("name", "system_id", {}),
  problemOf("password", "short_password", { min: 12 }),
  problemOf("binds", "not_for_kind", { kind: "kannel" }),
  problemOf("forward.inbound.url", "callback_destination", { reason: "The URL must use https." }),
  problemOf("url", "webhook_url", { reason: "not_https" }),
  problemOf("url", "webhook_url", { reason: "not_public" }),
  problemOf("template.caller", "signing_secret_again", { id: "cred_1" }),
  problemOf("callbackOrigins.0", "origin", { value: "ftp://x" }),
  problemOf("path", "own_path", { value: "/send" }),
  problemOf("name", "user_name", {}),
  problemOf("at", "time", {}),
  problemOf("to", "mobile_number", {}),
  problemOf("number", "address", {}),
  problemOf("timeZone", "time_zone", { value: "Mars" }),
  problemOf("quietHours", "quiet_window", { value: "late" }),
  problemOf("quietHours", "quiet_hours_full", {}),
  problemOf("body", "nothing_to_change", {}),
  problemOf("countries", "unknown_country", { value: "XX" }),
  problemOf("ranges", "unknown_range", { value: "x" }),
  problemOf("networks", "unknown_network", { value: "Nobody" }),
  problemOf("accounts", "unknown_account", { value: "acc_9" }),
  problemOf("ranges", "overlapping_ranges", { value: "+98912", other: "+9891" }),
  problemOf("targets", "same_targets", { first: 1, second: 2 }),
  problemOf("sendAt", "send_window", sendWindow),
  problemOf("sender", "inactive_sender", {}),
  ...(["group", "pattern"] as const).map((what) => problemOf(what, "not_usable", { what })),
  problemOf("recipients.0", "not_mobile", { value: "+98" }),
  problemOf("recipients.0", "country_not_allowed", { value: "+4915112345678" }),
  problemOf("host", "required", {}),
  problemOf("hst", "unknown_key", { meant: "host" }),
  problemOf("colour", "unknown_key", { meant: null }),
  problemOf("systemId", "key_text", {}),
  problemOf("systemId", "key_length", { min: 1, max: 64 }),
  problemOf("onUncertain", "key_choice", { words: ["resend", "fail"] }),
  problemOf("tls", "key_object", {}),
  problemOf("permanentErrors", "key_numbers", { countMax: 100, min: 0, max: 255 }),
  problemOf("systemId", "printable_ascii", {}),
  problemOf("host", "host_name", {}),
  problemOf("server", "host_port", {}),
  problemOf("from", "mail_address", {}),
  problemOf("prefix", "price_prefix", { value: "abc" }),
  problemOf("price", "price_amount", { value: "1.5", max: 1_000_000_000 }),
  problemOf("from", "price_date", { value: "soon" }),
  problemOf("from", "price_day_over", { value: "2020-01-01" }),
  problemOf("line 3", "price_repeated", { value: "98912", line: 2 }),
  problemOf("line 1", "price_head", {}),
  problemOf("line 1", "no_prices", {}),
  problemOf("line 2", "unreadable_csv", { reason: "Quote Not Closed" }),
  ...routeFileProblems,
  problemOf("reference", "latin_word", { max: 64 }),
  problemOf("templateId", "ascii_word", { max: 64 }),
  problemOf("text", "control_characters", {}),
  problemOf("body", "empty_file", {}),
  problemOf("month", "month", { value: "soon" }),
  problemOf("amount", "not_zero", {}),
  problemOf("expiresAt", "in_future", {}),
  problemOf("expiresAt", "token_days", { days: 90 }),
  problemOf("operations", "unknown_operation", { value: "GET /nothing" }),
  problemOf("allowFrom", "address_ranges", { wrong: ["home", "10.0.0.0/40"] }),
  problemOf("account", "customer_account", {}),
  problemOf("sender", "needs_account", {}),
  problemOf("recipient", "search_number", {}),
  problemOf("to", "digits", {}),
  problemOf("number", "number_not_mobile", { value: "12" }),
  problemOf("number", "line_number", { value: "1" }),
  problemOf("", "plan_rules", { max: 200 }),
  problemOf("ranges", "plan_ranges", { max: 500 }),
  problemOf("from", "no_sender_of_route", {}),
  problemOf("routes", "receive_only_route", { route: "operator-a" }),
  problemOf("routes", "channel_route", { route: "telegram" }),
  problemOf("steps", "no_channel", { route: "operator-a" }),
  problemOf("sender", "sender_too_long", { sender: "LONGSENDER", route: "operator-a", key: "alphanumericSenderMax" }),
  problemOf("routes", "routes_for_waiting", {}),
  ...[0, 3].map((more) => problemOf("bind", "senders_use_route", { senders: ["30001", "BANK"], more })),
  problemOf("alphanumericSenderMax", "senders_longer", { senders: ["LONGSENDER"] }),
  problemOf("text", "text_length", { min: 1, max: 2_000, length: 2_001 }),
  problemOf("text", "text_unclean", {}),
  problemOf("text", "variable_name", { name: "first name" }),
  problemOf("maxLengths", "variable_unknown", { name: "other" }),
  problemOf("maxLengths", "variable_length", { name: "code", max: 500 }),
  problemOf("", "quota_exceeded", { subject: "account", period: "day", partsMax: 1_000, left: 2, parts: 40 }),
  problemOf("", "quota_exceeded", { subject: "key", period: "month", partsMax: 1, left: 0, parts: 1 }),
  problemOf("", "balance_exhausted", {}),
  problemOf("", "account_suspended", {}),
  problemOf("", "idempotency_key_conflict", {}),
  problemOf("to", "not_allowed", {}),
  problemOf("callbackOrigins.0", "origin_refused", { value: "http://169.254.169.254" }),
  problemOf("rate", "above_limit", { max: 5 }),
  problemOf("permissions", "outside_permissions", { words: ["messages:send"] }),
  problemOf("allowFrom", "outside_ranges", { ranges: ["203.0.113.0/24"] }),
  problemOf("expiresAt", "after_limit", { at: "2026-12-24T00:00:00.000Z" }),
  problemOf("cursor", "cursor", {}),
  problemOf("columns", "csv_columns", { words: ["mobile", "fullName", "-"] }),
  problemOf("csv", "csv_too_large", { megabytes: 1 }),
  problemOf("global", "asks_otherwise", { key: "account" }),
  problemOf("sender", "no_default_sender", {}),
  ...[null, "subscription"].map((beside) =>
    problemOf("body", "either_key", { first: "event", second: "since", with: beside }),
  ),
  problemOf("idempotencyKey", "printable_ascii_length", { max: 100 }),
  problemOf("kind", "route_kind", { kind: "smpp" }),
  problemOf("line 1", "csv_header", { columns: ["network", "range"] }),
  problemOf("line 9", "too_many_ranges", { max: 7 }),
  problemOf("line 9", "too_many_networks", { max: 7 }),
  problemOf("line 2", "network_name", { max: 60 }),
  problemOf("line 2", "network_encoding", {}),
  problemOf("line 2", "range_of_other", { value: "+98912", other: "+9891", owner: "MCI" }),
  problemOf("words", "rule_word", { max: 60 }),
  problemOf("words", "rule_pattern", { value: "(a+)+$" }),
  problemOf("words", "rule_any_words", {}),
  problemOf("", "rule_does_nothing", {}),
  problemOf("forwardTo", "own_line", { value: "30001234" }),
  problemOf("mail", "mail_not_confirmed", { value: "sara@example.com" }),
  problemOf("line 3", "range_of_line", { value: "+98912", other: "+9891", line: 2 }),
];

/** Names and commands are between these marks. */
const isolated = /\u2068[^\u2069]*\u2069/g;
const isPersian = (text: string) =>
  /[\u0600-\u06ff]/.test(text) && /[.؟!]$/.test(text) && !/[A-Za-z0-9]/.test(text.replace(isolated, ""));

describe("a problem of a field", () => {
  test("has a sample in this test for every code", () => {
    expect(new Set(problems.map(({ code }) => String(code)))).toEqual(new Set(Object.keys(englishProblems)));
  });

  test("is a sentence in both languages", () => {
    for (const problem of problems) {
      expect(problemSentence(problem, english)).toMatch(/^[A-Z"“+{/\d].*[.?]$/);
      const told = problemSentence(problem, persian);
      expect({ told, isPersian: isPersian(told) }).toEqual({ told, isPersian: true });
    }
  });
});

const codes = Object.keys(operatorErrors).filter((code): code is OperatorErrorCode => code in operatorErrors);

test("a refusal has a sentence for every code, in both languages", () => {
  expect(Object.keys(persianErrors).sort()).toEqual(codes.toSorted());
  for (const code of codes) {
    const error = new OperatorError(code);
    expect(refusalSentence(error, english)).toBe(operatorErrors[code].meaning);
    const told = refusalSentence(error, persian);
    const words = told.replace(isolated, "");
    expect({ code, words, isPersian: /[\u0600-\u06ff]/.test(words) && !/[A-Za-z0-9]/.test(words) }).toEqual({
      code,
      words,
      isPersian: true,
    });
  }
});

const details: readonly ErrorDetail[] = [
  { code: "no_id", values: { subject: "account", text: "x" } },
  { code: "no_name", values: { subject: "line", name: "98912" } },
  { code: "no_rule", values: { plan: "main", number: 3, rules: 2 } },
  ...[null, "sandbox"].map((name) => ({ code: "no_simulator", values: { name } }) as const),
  { code: "code_of_several", values: { subject: "pattern", code: "ready" } },
  { code: "line_of", values: { number: "98912", account: "acc_1" } },
  { code: "group_empty", values: { code: "spring" } },
  ...[0, 2].map((more) => ({ code: "senders_use_plan", values: { senders: ["30001", "BANK"], more } }) as const),
  { code: "senders_use_route", values: { senders: ["30001"], more: 1 } },
  ...[0, 2].map((more) => ({ code: "removed_senders_wait", values: { senders: ["30001"], more } }) as const),
  { code: "plans_use_route", values: { plans: ["main", "other"] } },
  { code: "steps_use_route", values: {} },
  { code: "route_disabled", values: {} },
  { code: "simulator_traced", values: {} },
  { code: "other_route_kind", values: { kind: "fax" } },
  { code: "certificate", values: { reason: "The file is empty." } },
  { code: "body_not_json", values: {} },
  { code: "form_unreadable", values: { reason: "Error: no boundary" } },
  { code: "cancel_unfinished", values: { cancelled: 3 } },
  { code: "otp_again", values: {} },
  { code: "content_removed", values: {} },
  { code: "account_suspended", values: {} },
  { code: "country_not_allowed", values: {} },
  { code: "sender_inactive", values: { sender: "30001" } },
  { code: "resent_as", values: { trackingCode: "abc" } },
  { code: "public_refusal", values: { message: "The account is suspended." } },
];

test("a refusal's details are a sentence in both languages", () => {
  expect(new Set(details.map(({ code }) => String(code)))).toEqual(new Set(Object.keys(englishDetails)));
  for (const detail of details) {
    expect(refusalSentence(new OperatorError("invalid", detail), english)).toBe(sentenceOf(detail, englishDetails));
    const told = refusalSentence(new OperatorError("invalid", detail), persian);
    expect({ told, isPersian: isPersian(told) }).toEqual({ told, isPersian: true });
  }
});

describe("refusals in the console", () => {
  let server: ConsoleProcess;
  let operator: FormClient;

  beforeAll(async () => {
    server = await startConsole();
    await server.api("POST /accounts", { name: "Shop" });
    operator = await signedInAs(server, "operator");
    await operator.post("/preferences", { language: "fa" });
  });
  afterAll(() => server.stop());

  /** The errors shown at the fields. */
  async function errorsOf(path: string, fields: Record<string, string>): Promise<string[]> {
    const answer = await operator.post(path, fields);
    expect(answer.status).toBe(422);
    const found = (await answer.text()).matchAll(/<p class="field-error"[^>]*>(.*?)<\/p>/gs);
    return [...found].map(([, words = ""]) => words.replace(/<[^>]*>/g, "").replaceAll("&quot;", '"'));
  }

  test("explain a form's mistakes in the reader's language, with the limits of the schema", async () => {
    expect(await errorsOf("/accounts/new", { name: "" })).toEqual(["متنی یک‌خطی بنویسید، از ۱ تا ۱۲۰ نویسه."]);
    expect(await errorsOf("/accounts/acc_1/senders", { sender: "12" })).toEqual([
      "۵ تا ۲۰ حرف لاتین، رقم و نشانه بنویسید، بی‌فاصله در آغاز و پایان.",
    ]);
    const settings = { name: "Shop", timeZone: "Mars", countries: "", quietHours: "", suppression: "bulk" };
    expect(await errorsOf("/accounts/acc_1/settings", settings)).toEqual([
      "\u2068Mars\u2069 منطقهٔ زمانی نیست؛ نمونه: \u2068Asia/Tehran\u2069.",
    ]);
    expect(await errorsOf("/plans/-new", { name: "a b" })).toEqual([persianProblemOf("short_name")]);
  });

  test("explain a route file in Persian, each key by its name", async () => {
    const smpp = { carrier: "smpp", rest: "{}", name: "operator-a", port: "0", systemId: "peyk", password: "secret" };
    expect(await errorsOf("/routes/-new", { ...smpp, host: "a b" })).toEqual([
      "نام میزبان یا نشانی \u2068IP\u2069 بنویسید.",
      "عددی صحیح بنویسید از ۱ تا ۶۵٬۵۳۵.",
    ]);
    await server.api("POST /routes", { name: "simulated", kind: "simulator", options: {} });
    expect(await errorsOf("/routes/simulated/edit", { file: '{"resend": 3, "resends": "x"}' })).toEqual([
      [
        "\u2068resends\u2069: عددی صحیح بنویسید از ۰ تا ۱۰۰.",
        "\u2068resend\u2069: کلید شناخته‌شده‌ای نیست؛ منظورتان \u2068resends\u2069 بود؟",
      ].join(" · "),
    ]);
  });

  test("explain a carrier template in Persian, each key by its name", async () => {
    const template = {
      request: { url: "http://sms.example/send?to={{recipent}}" },
      receipts: { id: "id", state: "state", delivered: "1", failed: "2" },
      callbackUrl: "ftp://sms.example",
    };
    const files = [template, { preset: "infobip", token: "secret" }];
    const told: string[][] = [];
    for (const file of files) {
      const form = { kind: "http", name: "carrier", file: JSON.stringify(file) };
      told.push(await errorsOf("/routes/-new", form));
    }
    expect(told).toEqual([
      [
        "\u2068request.url\u2069: \u2068{{recipent}}\u2069 این‌جا جای‌نگهدار نیست؛ منظورتان \u2068{{recipient}}\u2069 بود؟" +
          " · \u2068callbackUrl\u2069: نشانی \u2068http\u2069 یا \u2068https\u2069 بنویسید، بی پرس‌وجو، \u2068#\u2069 و نام کاربر.",
      ],
      ["\u2068url\u2069: لازم است: نشانی پایهٔ حساب شما."],
    ]);
  });

  test("explain a price file in Persian, each line by its number", async () => {
    const form = new FormData();
    form.set("name", "retail");
    form.set("file", new File(["prefix,price\n98912,many\n98913,100\n98913,200\n"], "prices.csv"));
    const answer = await operator.postForm("/prices", form);
    expect(answer.status).toBe(422);
    const [, words = ""] = /<p class="field-error"[^>]*>(.*?)<\/p>/s.exec(await answer.text()) ?? [];
    expect(words.replace(/<[^>]*>/g, "")).toBe(
      "سطر ۲: \u2068many\u2069 قیمت نیست: عددی صحیح بنویسید از ۰ تا ۱٬۰۰۰٬۰۰۰٬۰۰۰." +
        " · سطر ۴: \u206898913\u2069 در سطر ۳ از همان روز قیمت دارد.",
    );
  });

  test("let a price file continue without the wrong lines of its preview, which are kept as CSV in Persian", async () => {
    const csv = "prefix,price\n*,900\n98912,many\n98913,100\n98913,200\n";
    const form = new FormData();
    form.set("name", "rest");
    form.set("file", new File([csv], "prices.csv"));
    const html = await (await operator.postForm("/prices", form)).text();
    expect(html).toContain("وارد کردن بدون ۲ سطر نادرست");
    const restAt = (page: string) => /action="(\/prices\/-import\/[-0-9a-f]+)"/.exec(page)?.[1] ?? "";
    const path = restAt(html);
    const fewer = await operator.post(path, { name: "rest", leaveOut: "1" });
    expect(fewer.status).toBe(422);
    const kept = restAt(await fewer.text());
    expect((await operator.post(path, { name: "rest", leaveOut: "2" })).status).toBe(422);
    const done = await operator.post(kept, { name: "rest", leaveOut: "2" });
    expect([done.status, done.headers.get("Location")]).toEqual([303, "/prices/rest"]);
    const after = await (await operator.get("/prices/rest")).text();
    expect(after).toContain("۲ سطر نادرست کنار گذاشته شد");
    expect(after).toContain(`href="${kept}/wrong"`);
    const wrong = await (await operator.get(`${kept}/wrong`)).text();
    expect(wrong.split("\r\n")).toEqual([
      "line,value,reason",
      expect.stringMatching(/^3,"98912,many",.*قیمت نیست/),
      expect.stringMatching(/^5,"98913,200",.*در سطر ۴ از همان روز قیمت دارد/),
      "",
    ]);
    const { data } = await replyOf(server.api("GET /prices/:list", { list: "rest" }));
    expect(data?.lines.map(({ prefix, price }) => [prefix, price])).toEqual([
      ["*", 900],
      ["98913", 100],
    ]);
  });

  test.each(["number,cost\n98,1\n", "prefix,price\n"])(
    "offer no partial import of a file that is wrong as a whole: %j",
    async (csv) => {
      const form = new FormData();
      form.set("name", "whole");
      form.set("file", new File([csv], "prices.csv"));
      const answer = await operator.postForm("/prices", form);
      expect([answer.status, (await answer.text()).includes('name="leaveOut"')]).toEqual([422, false]);
    },
  );

  test("explain in Persian why the account may not send", async () => {
    const { data: shop } = await replyOf(server.api("POST /accounts", { name: "Small" }));
    const account = shop?.id ?? "";
    await server.api("POST /accounts/:id/senders", { id: account, sender: "300077" });
    await server.api("PUT /quotas/:of", { of: account, day: 1 });
    const text = "x".repeat(400);
    const sent = { from: `${account}/300077`, recipients: "09121234567", text, when: "", reference: "", key: "k-1" };
    expect(await errorsOf("/send", sent)).toEqual([
      "سقف این حساب در روز ۱ بخش است؛ ۱ بخش مانده و این ارسال ۳ بخش دارد.",
    ]);
    await server.api("POST /accounts/:id/suspend", { id: account });
    expect(await errorsOf("/send", sent)).toEqual(["حساب معلق است."]);
  });

  const persianProblemOf = (code: "short_name") => problemSentence(problemOf("name", code, {}), persian);

  test("have their code and values beside the sentence in the operator API", async () => {
    const { error } = await replyOf(server.api("POST /accounts", { name: "" }));
    expect(error?.value).toMatchObject({
      code: "invalid",
      problems: [
        { key: "name", message: "must be one line of 1 to 120 characters", code: "line", values: { min: 1, max: 120 } },
      ],
    });
  });
});

test("a list that needs at least one entry says so in Persian", () => {
  const problem = problemOf("permissions", "list", { min: 1, max: null });
  expect(problemSentence(problem, persian)).toBe("دست‌کم ۱ مورد لازم است.");
});
