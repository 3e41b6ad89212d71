/** What the doctor and routing plans find: every code has its words in both languages, and no English is left in Persian. */
import { describe, expect, test } from "bun:test";
import { createLocale } from "../../src/console/locale.ts";
import { planProblemSentence } from "../../src/console/places/plans/plan-problem.ts";
import { findingText } from "../../src/console/places/system/system.tsx";
import { englishPlanProblems, type PlanProblem } from "../../src/domain/plan-problem.ts";
import { englishFindings } from "../../src/domain/service-finding.ts";
import { findingOf, type ServiceFinding } from "../../src/operator/service-finding.ts";

const now = Date.UTC(2026, 10, 21, 18, 5);
const english = createLocale({ language: "en", zone: "Asia/Tehran", now });
const persian = createLocale({ language: "fa", zone: "Asia/Tehran", now });

const certificate = { names: "DNS:sms.example.com", endsAt: now };
const disk = { freeBytes: 3 * 1024 ** 3, totalBytes: 20 * 1024 ** 3 };
const age = { minutes: 5, elsewhereMinutes: 20 };

const findings: readonly ServiceFinding[] = [
  findingOf("disk_free", disk),
  findingOf("disk_low", disk),
  findingOf("disk_full", disk),
  findingOf("wal_small", { bytes: 4_096 }),
  findingOf("wal_held", { bytes: 1024 ** 3 }),
  findingOf("tls_off", {}),
  findingOf("certificate_good", certificate),
  findingOf("certificate_ends", { ...certificate, days: 3 }),
  findingOf("certificate_expired", certificate),
  findingOf("certificate_not_yet", { ...certificate, beginsAt: now }),
  findingOf("certificate_unusable", { words: "The file of tls.key_file cannot be read." }),
  findingOf("fraud_limited", { countries: ["IR", "AE"], isGuarded: true }),
  findingOf("fraud_limited", { countries: [], isGuarded: false }),
  findingOf("fraud_open", {}),
  findingOf("drop_in_plain", { address: "0.0.0.0:13013" }),
  findingOf("alerts_told", { channels: ["webhook", "mail", "sms"] }),
  findingOf("alerts_untold", {}),
  findingOf("nightly_off", {}),
  findingOf("nightly_none", { file: "/var/lib/peyk/first.db" }),
  findingOf("nightly_fresh", { copies: 7, hours: 3 }),
  findingOf("nightly_old", { copies: 7, hours: 70 }),
  findingOf("frequent_off", {}),
  findingOf("frequent_none", {}),
  findingOf("frequent_fresh", age),
  findingOf("frequent_old", { ...age, elsewhereMinutes: null }),
  findingOf("frequent_not_shipped", { ...age, words: "rsync ended with 12" }),
];

const problems: readonly PlanProblem[] = [
  { rule: 1, code: "no_number_fits", values: {} },
  { rule: 2, code: "shadowed", values: { by: [1] } },
  { rule: 12, code: "shadowed", values: { by: [1, 11] } },
  { rule: 1, code: "accounts_do_not_use_plan", values: { accounts: ["Shop", "Bank"] } },
  { rule: 1, code: "routes_disabled", values: { targets: [["operator-a", "operator-b"]] } },
  { rule: 1, code: "target_routes_disabled", values: { targets: [["operator-a"], ["operator-b"]] } },
  { rule: null, code: "sender_has_no_routes", values: { senders: ["30001"] } },
];

/** Names and commands are between these marks. */
const isolated = /\u2068[^\u2069]*\u2069/g;
const names = /TLS/g;
const isPersian = (text: string) =>
  /[\u0600-\u06ff]/.test(text) && !/[A-Za-z0-9]|undefined|NaN/.test(text.replace(isolated, "").replace(names, ""));

describe("a finding of the doctor", () => {
  test("has a sample in this test for every code", () => {
    expect(new Set(findings.map(({ code }) => code as string))).toEqual(new Set(Object.keys(englishFindings)));
  });

  test("reads in English as on the command line", () => {
    for (const finding of findings) {
      expect(findingText(finding, english)).toEqual({ says: finding.says, do: finding.do });
    }
  });

  test("is written in Persian letters and digits, except for names and commands", () => {
    const foreign = findings.filter((finding) => {
      const { says, do: todo } = findingText(finding, persian);
      // A command alone needs no words.
      const isCommand = todo !== null && todo.replace(isolated, "") === "";
      return !isPersian(says) || !(todo === null || isCommand || isPersian(todo));
    });
    expect(foreign.map(({ code }) => code)).toEqual([]);
  });
});

describe("a problem of a plan", () => {
  test("has a sample in this test for every code, and its own words in both languages", () => {
    expect(new Set(problems.map(({ code }) => code as string))).toEqual(new Set(Object.keys(englishPlanProblems)));
    for (const problem of problems) {
      expect(planProblemSentence(problem, english)).toMatch(/^[A-Z].*[.)]$/);
      expect({ problem, isPersian: isPersian(planProblemSentence(problem, persian)) }).toEqual({
        problem,
        isPersian: true,
      });
    }
  });
});
