/** Numbers as a language writes them: its digits, its separators, its percent sign. */
import type { Language } from "../domain/console-look.ts";

const localeOf: Readonly<Record<Language, string>> = { en: "en-US", fa: "fa-IR" };

const englishList = new Intl.ListFormat(localeOf.en, { type: "conjunction" });

/**
 * Persian has no comma before its "and", although `Intl` writes one. The mark keeps Latin names in the order of the
 * line.
 */
function persianList(words: readonly string[]): string {
  const last = words.slice(-1);
  return [words.slice(0, -1).join("،\u200f "), ...last].filter((text) => text !== "").join(" و ");
}

const listWriters: Readonly<Record<Language, (words: readonly string[]) => string>> = {
  en: (words) => englishList.format(words),
  fa: persianList,
};

/** What rounds to nothing has no sign: "-0" is no amount. */
const signed = { signDisplay: "negative" } as const;

function formattersOf(language: Language) {
  const locale = localeOf[language];
  return {
    plain: new Intl.NumberFormat(locale, { ...signed, useGrouping: false }),
    whole: new Intl.NumberFormat(locale, { ...signed, maximumFractionDigits: 0 }),
    one: new Intl.NumberFormat(locale, { ...signed, maximumFractionDigits: 1 }),
    percent: new Intl.NumberFormat(locale, {
      ...signed,
      style: "percent",
      minimumFractionDigits: 1,
      maximumFractionDigits: 1,
    }),
    short: new Intl.NumberFormat(locale, { ...signed, notation: "compact", maximumFractionDigits: 1 }),
    list: listWriters[language],
  };
}

export const numbersOf: Readonly<Record<Language, ReturnType<typeof formattersOf>>> = {
  en: formattersOf("en"),
  fa: formattersOf("fa"),
};

/** An installation has one currency. */
export function moneyOf(language: Language, currency: string): Intl.NumberFormat {
  return new Intl.NumberFormat(localeOf[language], { ...signed, style: "currency", currency, currencyDisplay: "code" });
}
