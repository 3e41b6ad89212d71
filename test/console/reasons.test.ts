/** Why a message waits or failed: every reason is explained in both languages, in the reader's time zone, without English in Persian. */
import { describe, expect, test } from "bun:test";
import { createLocale } from "../../src/console/locale.ts";
import { reasonText } from "../../src/console/page/message-reason.ts";
import { englishConnectionFaults, isConnectionFault } from "../../src/domain/connection-fault.ts";
import type { Reason } from "../../src/domain/reason.ts";
import { reasonSamples } from "../support/reason-samples.ts";

const now = Date.UTC(2026, 10, 21, 18, 5);
const [english, persian] = (["en", "fa"] as const).map((language) =>
  createLocale({ language, zone: "Asia/Tehran", now }),
);
if (english === undefined || persian === undefined) throw new Error("no locale");

/** Names and carriers' own words are between these marks. */
const isolated = /\u2068[^\u2069]*\u2069/g;
const reasons: Reason[] = Object.values(reasonSamples).map(([reason]) => reason);

describe("a reason", () => {
  test("is a distinct sentence in both languages", () => {
    for (const reason of reasons) {
      for (const locale of [english, persian]) {
        const text = reasonText({ kind: "told", reason }, locale);
        expect({ code: reason.code, text, ends: /[.!?؟]$/.test(text) }).toEqual({
          code: reason.code,
          text,
          ends: true,
        });
      }
    }
  });

  test("is written in Persian letters and digits, except for names", () => {
    const foreign = reasons.filter((reason) => {
      const text = reasonText({ kind: "told", reason }, persian).replace(isolated, "");
      return /[A-Za-z0-9]/.test(text) || !/[\u0600-\u06ff]/.test(reasonText({ kind: "told", reason }, persian));
    });
    // These only have the words of a carrier or of the system.
    const asWritten = ["plain", "text_unreadable", "connection_failed", "http_request_failed"];
    expect(foreign.map(({ code }) => code).filter((code) => !asWritten.includes(code))).toEqual([]);
  });

  test("exists for every fault of a connection", () => {
    for (const fault of Object.keys(englishConnectionFaults).filter(isConnectionFault)) {
      const reason = { code: "not_connected", fault, host: "smsc.example", port: 2775, words: "connect" } as const;
      const text = reasonText({ kind: "told", reason }, persian).replace(isolated, "");
      expect({ fault, text, isPersian: /^[\u0600-\u06ff]/.test(text.trim()) && !/[A-Za-z0-9]/.test(text) }).toEqual({
        fault,
        text,
        isPersian: true,
      });
    }
  });

  test("shows times in the reader's zone and calendar", () => {
    const at = Date.UTC(2026, 10, 22, 4, 30);
    const reason: Reason = { code: "waits_next_attempt", at };
    expect(reasonText({ kind: "told", reason }, english)).toBe("Its next attempt is due at 22 Nov, 08:00.");
    expect(reasonText({ kind: "told", reason }, persian)).toBe("تلاش بعدی ۱ آذر، ۰۸:۰۰ است.");
  });
});
