/** Alerts: every code has its words in both languages, and no English is left in Persian. */
import { describe, expect, test } from "bun:test";
import { conditionCodes, conditionFinding } from "../../src/conditions/conditions.ts";
import { createLocale } from "../../src/console/locale.ts";
import {
  alertSentence,
  alertTodo,
  noticeFailureSentence,
  noticeSentence,
} from "../../src/console/places/alerts/alert.ts";
import { sentenceOf } from "../../src/domain/coded.ts";
import { englishNoticeFailures, type NoticeFailure, type NoticeFailureCode } from "../../src/domain/notice-failure.ts";

const now = Date.UTC(2026, 10, 21, 18, 5);
const english = createLocale({ language: "en", zone: "Asia/Tehran", now });
const persian = createLocale({ language: "fa", zone: "Asia/Tehran", now });

const route = "operator-b";
const age = { ageMs: 40 * 3_600_000 };
const account = "acc_1";
const alerts = [
  conditionFinding("Damaged", { reason: "database disk image is malformed", copy: null }),
  conditionFinding("Damaged", { reason: "database disk image is malformed", copy: "/var/lib/peyk/backups/peyk-1.db" }),
  conditionFinding("Held", { since: now }),
  conditionFinding("ClockAhead", { aheadMs: 3 * 86_400_000 }),
  conditionFinding("BooksAhead", { aheadMs: 3 * 86_400_000 }),
  conditionFinding("ReceiptsUnmatched", { route, count: 3 }),
  conditionFinding("RouteDown", { route }),
  conditionFinding("Refusals", { route, share: 0.5 }),
  conditionFinding("Throttled", { route }),
  conditionFinding("ReceiptsMissing", { route }),
  conditionFinding("ReceiptsOrphaned", { route }),
  conditionFinding("OtpLate", { waitedMs: 16_000 }),
  conditionFinding("SingleLate", { waitedMs: 160_000 }),
  conditionFinding("BulkLate", { waitedMs: 9_000_000 }),
  conditionFinding("CannotStore", {}),
  conditionFinding("CommitsSlow", { takenMs: 300 }),
  conditionFinding("EventLoopSlow", { takenMs: 2_300 }),
  conditionFinding("WalGrows", { bytes: 6e8 }),
  conditionFinding("DiskFull", { bytes: 1024 ** 3 }),
  conditionFinding("CallbacksFail", { share: 0.83 }),
  conditionFinding("WebhookSwitchedOff", { count: 2 }),
  conditionFinding("DeliveriesNotTaken", { credential: "cred_1", name: "mybank", ageMs: 3 * 86_400_000 }),
  conditionFinding("PasswordsGuessed", { of: "cred_1 (clinic)", isNetwork: false, since: 0, guesses: 100, others: 3 }),
  conditionFinding("BackupOld", age),
  conditionFinding("BackupOld", { ageMs: null }),
  conditionFinding("FrequentBackupOld", age),
  conditionFinding("BackupNotElsewhere", age),
  conditionFinding("BackupTargetFails", { ...age, why: null }),
  conditionFinding("BackupTargetFails", { ageMs: null, why: "It is full." }),
  conditionFinding("CertificateEnds", { leftMs: 5 * 86_400_000 }),
  conditionFinding("CertificateEnds", { leftMs: -1 }),
  conditionFinding("ClusterLogSilent", { silentMs: 20_000 }),
  conditionFinding("NodeAway", { node: "b", unheardMs: 60_000 }),
  conditionFinding("NodeAway", { node: null, unheardMs: 60_000 }),
  conditionFinding("NodeBehind", { node: "b", behind: 900 }),
  conditionFinding("NodeCannotWrite", { node: "b" }),
  ...(["own", "leader", "unknown"] as const).map((wrong) => conditionFinding("NodesDiffer", { node: "b", wrong })),
  conditionFinding("EngineUnprotected", { lacks: "standby" }),
  conditionFinding("EngineUnprotected", { lacks: "sync" }),
  ...(["missing", "damaged", "unanswered", "budget", "unusable"] as const).map((problem) =>
    conditionFinding("PortedNumbersUnusable", { problem }),
  ),
  conditionFinding("QuotaNearlyUsed", { of: account, period: "day", partsUsed: 90, partsMax: 100 }),
  conditionFinding("QuotaNearlyUsed", { of: account, period: "month", partsUsed: 90, partsMax: 100 }),
  conditionFinding("BalanceLow", { account, name: "Shop", isEmpty: false }),
  conditionFinding("BalanceLow", { account, name: "Shop", isEmpty: true }),
  conditionFinding("DeliveryRateFell", { route, share: 0.4, shareBefore: 0.9 }),
  conditionFinding("TrafficJumped", { account, name: "Shop", messages: 9_000, highest: 20 }),
];

/** Names and commands are between these marks. */
const isolated = /\u2068[^\u2069]*\u2069/g;
const isForeign = (text: string) => /[A-Za-z0-9]|undefined|NaN/.test(text.replace(isolated, ""));

const noticeFailures: { readonly [Code in NoticeFailureCode]: readonly [NoticeFailure<Code>, string, string] } = {
  channel_off: [{ code: "channel_off", values: {} }, "the channel is off", "این راه دیگر در تنظیمات نیست"],
  no_route: [
    { code: "no_route", values: {} },
    "there is no route without an alert to send it by",
    "مسیری بی‌هشدار نیست که آن را بفرستد",
  ],
  not_taken: [
    {
      code: "not_taken",
      values: {
        refusals: [
          { route: "a", reason: null },
          { route: "b", reason: { code: "smsc_unbound" } },
        ],
      },
    },
    "a: the route is disabled; b: the SMSC unbound",
    "a: مسیر خاموش است؛ b: مرکز پیام اتصال را پایان داد",
  ],
  not_called: [
    { code: "not_called", values: { failure: "status", status: 500, detail: "" } },
    "status 500",
    "پاسخ ۵۰۰ داد",
  ],
  secret_file_unusable: [
    { code: "secret_file_unusable", values: { words: "/etc/peyk/alert.secret is empty" } },
    "/etc/peyk/alert.secret is empty",
    "فایل رمز به کار نمی‌آید: /etc/peyk/alert.secret is empty",
  ],
  as_told: [
    { code: "as_told", values: { words: "454 Relay access denied" } },
    "454 Relay access denied",
    "454 Relay access denied",
  ],
};

describe("an alert", () => {
  test("has a sample in this test for every code", () => {
    expect(new Set(alerts.map(({ code }) => code))).toEqual(new Set(conditionCodes));
  });

  test("reads in English as on the command line", () => {
    for (const alert of alerts) expect(alertSentence(alert, english)).toBe(alert.words);
  });

  test("is written in Persian letters and digits, advice included, except for names and commands", () => {
    const sentences = alerts.map((alert) => alertSentence(alert, persian));
    expect(sentences.filter((text) => isForeign(text) || !/[\u0600-\u06ff]/.test(text))).toEqual([]);
    const todos = alerts.map((alert) => alertTodo(alert, persian));
    expect(todos.filter(isForeign)).toEqual([]);
  });

  test("leads a notice that says how many more alerts there are, and whether it is over", () => {
    const [down] = alerts;
    if (down === undefined) throw new Error("no sample");
    const notice = {
      at: "",
      channel: "mail",
      attempts: 1,
      nextAt: null,
      failure: null,
      failureReason: null,
      title: "",
    } as const;
    const over = noticeSentence({ ...notice, leads: down, isOver: true, more: 2 }, persian);
    expect(over).toBe(`پایان یافت: ${alertSentence(down, persian)} (و ۲ مورد دیگر)`);
    expect(isForeign(noticeSentence({ ...notice, leads: null, isOver: false, more: 0 }, persian))).toBe(false);
  });

  test("that could not be delivered shows the reason in both languages, with others' words unchanged", () => {
    const told = Object.values(noticeFailures).map(([failure, words, persianWords]) => {
      expect(sentenceOf(failure, englishNoticeFailures)).toBe(words);
      const sentence = noticeFailureSentence(failure, persian);
      expect(sentence.replace(/[\u2066-\u2069]/g, "")).toBe(persianWords);
      return sentence;
    });
    expect(told.filter(isForeign)).toEqual([]);
  });

  test("stored by an older version is shown in English", () => {
    expect(alertSentence({ words: "Route a is down" }, persian)).toBe("\u2068Route a is down\u2069");
  });
});
