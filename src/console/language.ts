/** The languages of the console, and how each is written. */

import type { Language } from "../domain/console-look.ts";

export { type Language, languages } from "../domain/console-look.ts";

export type Direction = "ltr" | "rtl";

export const directionOf: Readonly<Record<Language, Direction>> = { en: "ltr", fa: "rtl" };

/** Each in its own language, for readers who do not understand the current one. */
export const languageNames: Readonly<Record<Language, string>> = { en: "English", fa: "فارسی" };

export function isLanguage(text: string): text is Language {
  return text === "en" || text === "fa";
}
