/** Alerts: every code has its words in both languages, and no English is left in Persian. */
import { describe, expect, test } from "bun:test";
import { metricConditions } from "../../src/alerts/metric-conditions.ts";
import { createLocale } from "../../src/console/locale.ts";
import { alertSentence, alertTodo, noticeSentence } from "../../src/console/pages/alert.ts";
import { alertOf, englishAlerts } from "../../src/domain/alert-text.ts";

const now = Date.UTC(2026, 10, 21, 18, 5);
const english = createLocale({ language: "en", zone: "Asia/Tehran", now });
const persian = createLocale({ language: "fa", zone: "Asia/Tehran", now });

const route = "operator-b";
const age = { ageMs: 40 * 3_600_000 };
const account = "acc_1";
const alerts = [
  alertOf("RouteDown", route, { route }),
  alertOf("Refusals", route, { route, share: 0.5 }),
  alertOf("Throttled", route, { route }),
  alertOf("ReceiptsMissing", route, { route }),
  alertOf("ReceiptsOrphaned", route, { route }),
  alertOf("OtpLate", "", { waitedMs: 16_000 }),
  alertOf("SingleLate", "", { waitedMs: 160_000 }),
  alertOf("BulkLate", "", { waitedMs: 9_000_000 }),
  alertOf("CannotStore", "", {}),
  alertOf("CommitsSlow", "", { takenMs: 300 }),
  alertOf("EventLoopSlow", "", { takenMs: 2_300 }),
  alertOf("WalGrows", "", { bytes: 6e8 }),
  alertOf("DiskFull", "", { bytes: 1024 ** 3 }),
  alertOf("CallbacksFail", "", { share: 0.83 }),
  alertOf("WebhookSwitchedOff", "", { count: 2 }),
  alertOf("BackupOld", "", age),
  alertOf("BackupOld", "", { ageMs: null }),
  alertOf("FrequentBackupOld", "", age),
  alertOf("BackupNotElsewhere", "", age),
  alertOf("CertificateEnds", "", { leftMs: 5 * 86_400_000 }),
  alertOf("CertificateEnds", "", { leftMs: -1 }),
  alertOf("QuotaNearlyUsed", "acc_1 day", { of: account, period: "day", partsUsed: 90, partsMax: 100 }),
  alertOf("QuotaNearlyUsed", "acc_1 month", { of: account, period: "month", partsUsed: 90, partsMax: 100 }),
  alertOf("BalanceLow", account, { account, name: "Shop", isEmpty: false }),
  alertOf("BalanceLow", account, { account, name: "Shop", isEmpty: true }),
  alertOf("DeliveryRateFell", route, { route, share: 0.4, shareBefore: 0.9 }),
  alertOf("TrafficJumped", account, { account, name: "Shop", messages: 9_000, highest: 20 }),
];

/** Names and commands stand between these marks. */
const isolated = /\u2068[^\u2069]*\u2069/g;
const isForeign = (text: string) => /[A-Za-z0-9]|undefined|NaN/.test(text.replace(isolated, ""));
const rest = { condition: "", severity: "page", state: "firing", since: "" } as const;

describe("an alert", () => {
  test("has a sample here for every code, and a code for every condition", () => {
    const codes = Object.keys(englishAlerts);
    expect(new Set(alerts.map(({ code }) => code as string))).toEqual(new Set(codes));
    expect(metricConditions.map(({ name }) => name).filter((name) => !codes.includes(name))).toEqual([]);
  });

  test("says in English what the command line says", () => {
    for (const alert of alerts) expect(alertSentence(alert, english)).toBe(alert.words);
  });

  test("is told in Persian letters and digits, and so is what to do, apart from names and commands", () => {
    const sentences = alerts.map((alert) => alertSentence(alert, persian));
    expect(sentences.filter((text) => isForeign(text) || !/[\u0600-\u06ff]/.test(text))).toEqual([]);
    const todos = alerts.map((alert) => alertTodo({ ...rest, ...alert, todo: "peyk status" }, persian));
    expect(todos.filter(isForeign)).toEqual([]);
  });

  test("leads a notice with how many more there are, and whether it is over", () => {
    const [down] = alerts;
    if (down === undefined) throw new Error("no sample");
    const notice = { at: "", channel: "mail", attempts: 1, nextAt: null, failure: null, title: "" } as const;
    const over = noticeSentence({ ...notice, leads: down, isOver: true, more: 2 }, persian);
    expect(over).toBe(`پایان یافت: ${alertSentence(down, persian)} (و ۲ مورد دیگر)`);
    expect(isForeign(noticeSentence({ ...notice, leads: null, isOver: false, more: 0 }, persian))).toBe(false);
  });

  test("that an older version stored is said in English", () => {
    expect(alertSentence({ words: "Route a is down" }, persian)).toBe("\u2068Route a is down\u2069");
  });
});
