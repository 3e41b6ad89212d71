/** Numbers as a language writes them: its digits, its separators, its percent sign. */
import type { Language } from "../language.ts";

const localeOf: Readonly<Record<Language, string>> = { en: "en-US", fa: "fa-IR" };

function formattersOf(language: Language) {
  const locale = localeOf[language];
  return {
    plain: new Intl.NumberFormat(locale, { useGrouping: false }),
    whole: new Intl.NumberFormat(locale, { maximumFractionDigits: 0 }),
    one: new Intl.NumberFormat(locale, { maximumFractionDigits: 1 }),
    percent: new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 1 }),
    list: new Intl.ListFormat(locale, { type: "conjunction" }),
  };
}

export const numbersOf: Readonly<Record<Language, ReturnType<typeof formattersOf>>> = {
  en: formattersOf("en"),
  fa: formattersOf("fa"),
};

/** An installation has one currency. */
export function moneyOf(language: Language, currency: string): Intl.NumberFormat {
  return new Intl.NumberFormat(localeOf[language], { style: "currency", currency, currencyDisplay: "code" });
}
