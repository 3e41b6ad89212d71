/** Dates and times in a language's calendar and a user's zone: Gregorian for English, Solar Hijri for Persian. */

import { type Calendar, calendarOf, calendars, LocalCalendar, monthNamed } from "../../domain/local-calendar.ts";
import type { Language } from "../language.ts";
import { languages } from "../language.ts";

const partNames = ["weekday", "year", "month", "day", "hour", "minute", "second"] as const;

/** The fields of a moment, each written in the language's digits. */
export type MomentParts = Readonly<Record<(typeof partNames)[number], string>>;

const localeOf: Readonly<Record<Language, string>> = { en: "en-US", fa: "fa-IR" };
/** In which days are written. */
export const ownCalendar: Readonly<Record<Language, Calendar>> = { en: "gregory", fa: "persian" };
const zonesKeptMax = 64;
const formatters = new Map<string, Intl.DateTimeFormat>();

/** Cached per language, calendar and zone: 4.5 µs per moment instead of 69. */
function formatterOf(language: Language, zone: string, calendar: Calendar): Intl.DateTimeFormat {
  const key = `${language} ${calendar} ${zone}`;
  const kept = formatters.get(key);
  if (kept !== undefined) return kept;
  if (formatters.size >= zonesKeptMax) formatters.clear();
  const made = new Intl.DateTimeFormat(`${localeOf[language]}-u-ca-${calendar}`, {
    timeZone: zone,
    weekday: "long",
    year: "numeric",
    month: language === "fa" ? "long" : "short",
    day: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    hourCycle: "h23",
  });
  formatters.set(key, made);
  return made;
}

/** Assembled field by field: Bun orders a full Persian date wrongly. */
export function partsOf(at: number, language: Language, zone: string, calendar = ownCalendar[language]): MomentParts {
  const parts: Record<string, string> = {};
  for (const { type, value } of formatterOf(language, zone, calendar).formatToParts(at)) parts[type] = value;
  const { weekday = "", year = "", month = "", day = "", hour = "", minute = "", second = "" } = parts;
  return { weekday, year, month, day, hour, minute, second };
}

/** The title of a month such as `1405-08`, in its own calendar and the reader's language: `Aban 1405`, `آبان ۱۴۰۵`. */
export function monthTitle(name: string, language: Language, zone: string): string {
  const at = monthNamed(name, zone)?.startsAt;
  if (at === undefined) return name;
  const locale = `${localeOf[language]}-u-ca-${calendarOf(name)}`;
  const parts = new Intl.DateTimeFormat(locale, { timeZone: zone, month: "long", year: "numeric" }).formatToParts(at);
  const part = (wanted: string) => parts.find(({ type }) => type === wanted)?.value ?? "";
  return `${part("month")} ${part("year")}`;
}

/** When the day of `at` began in a zone, including days of 23 or 25 hours. */
export function dayStart(at: number, zone: string): number {
  return Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone).startOfDay().epochMilliseconds;
}

/** `2026-11-22 08:00:05 UTC`, the same in every language: the form used by logs and carriers. */
export function utcText(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19).replace("T", " ")} UTC`;
}

/** Uses each formatter once, one per turn of the event loop. `zone`: an IANA name; `now` in epoch milliseconds. */
export async function prepareDates(zone: string, now: number, nextTurn: () => Promise<void>): Promise<void> {
  const firstUses = [
    ...languages.map((language) => () => partsOf(now, language, zone)),
    () => dayStart(now, zone),
    ...calendars.map((calendar) => () => new LocalCalendar(zone, calendar).month(now)),
  ];
  for (const firstUse of firstUses) {
    firstUse();
    await nextTurn();
  }
}
