/** Changes as sentences. */
import { expect, test } from "bun:test";
import { renderPartial } from "../../src/console/html.tsx";
import type { Language } from "../../src/console/language.ts";
import { createLocale } from "../../src/console/locale.ts";
import { ChangeSentence } from "../../src/console/places/audit/change-sentence.tsx";
import type { AuditAnswer } from "../../src/operator/audit.ts";

const plainEntry: AuditAnswer = {
  at: "2026-11-20T12:00:00.000Z",
  actor: "leila",
  origin: "console",
  action: "key.update",
  target: "key_7",
  before: null,
  after: null,
  outcome: "done",
  error: null,
};

function told(entry: Partial<AuditAnswer>, language: Language = "en"): string {
  const locale = createLocale({ language, zone: "UTC", now: 0 });
  const html = renderPartial(locale, <ChangeSentence entry={{ ...plainEntry, ...entry }} />);
  return html
    .replace(/<[^>]+>/g, "")
    .replace(/[\u2066-\u2069]/g, "")
    .replace(/\s+/g, " ")
    .trim();
}

const price = (before: number | null, after: number) => ({
  action: "price.set",
  target: "retail",
  before: { price: before },
  after: { price: after, prefix: "98912" },
});

test("a price tells whether it was raised, lowered or set for the first time", () => {
  expect(told(price(1200, 1500))).toBe("leila raised the price of 98912 from 1,200 to 1,500");
  expect(told(price(1500, 900))).toBe("leila lowered the price of 98912 from 1,500 to 900");
  expect(told(price(null, 900))).toBe("leila set the price of 98912 to 900");
  expect(told(price(1200, 1500), "fa")).toBe("leila قیمت 98912 را از ۱٬۲۰۰ به ۱٬۵۰۰ بالا برد");
});

test("a top-up tells its amount and note, and a changed setting its name as in the form", () => {
  const topUp = { action: "account.topup", target: "acc_1", after: { amount: 40_000_000, note: "receipt 8821" } };
  expect(told(topUp)).toBe("leila topped up 40,000,000, note “receipt 8821”");
  const rate = { before: { rate: null }, after: { rate: 600 } };
  expect(told(rate)).toBe("leila changed the key key_7: Requests a minute from none to 600");
});

test("a refused change says so, and one without words of its own keeps its name", () => {
  expect(told({ outcome: "refused", error: "invalid" })).toBe("Refused: leila changed the key key_7");
  expect(told({ action: "clock.confirm", target: "clock" })).toBe("leila clock.confirm clock");
});
