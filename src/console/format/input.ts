/**
 * Parses what people type: digits of either language, Arabic letters in place of Persian ones, dates in the language's
 * calendar.
 */
import { cleanInput } from "../../domain/clean-input.ts";
import { calendarOf } from "../../domain/local-calendar.ts";
import type { Language } from "../language.ts";

export { cleanInput };

/** Longer input is neither a number nor a moment, even with a mark around each digit. */
const typedLengthMax = 100;

/** A whole number, with separators of either language; null if it is not one. */
export function parseWholeNumber(text: string): number | null {
  if (text.length > typedLengthMax) return null;
  const digits = cleanInput(text).replace(/[,٬،\s]/g, "");
  return /^[0-9]{1,15}$/.test(digits) ? Number(digits) : null;
}

/** The same, or a decimal fraction: `0.5`. */
export function parseNumber(text: string): number | null {
  const fraction = text.length > typedLengthMax ? "" : cleanInput(text).replace("٫", ".");
  return /^[0-9]{1,15}\.[0-9]{1,15}$/.test(fraction) ? Number(fraction) : parseWholeNumber(text);
}

/** Text that is not a number becomes one that the operator API refuses, naming the accepted range. */
export const typedNumber = (text: string): number => parseWholeNumber(text) ?? -1;
/** The same for a control that may be empty. */
export const typedNumberOr = <None>(none: None, text: string): number | None =>
  text === "" ? none : typedNumber(text);

const separators = { word: /[\s,،;]+/, name: /[,،;\n]+/, line: /\n/ } as const;

/** The entries of a typed list: words, names that may contain spaces, or lines. */
export const listEntries = (text: string, entry: keyof typeof separators = "word"): string[] =>
  text.split(separators[entry]).flatMap((one) => one.trim() || []);

const shownCalendars: Readonly<Record<Language, string>> = { en: "iso8601", fa: "persian" };
const dateShape = /^([0-9]{4})[/.-]([0-9]{1,2})[/.-]([0-9]{1,2})(?:[ T,،]+([0-9]{1,2}):([0-9]{2}))?$/;

const daysAway: Readonly<Record<string, number>> = {
  today: 0,
  yesterday: -1,
  tomorrow: 1,
  امروز: 0,
  دیروز: -1,
  فردا: 1,
};
/** `yesterday 17:50`, `17:50`, `دیروز`. */
const relativeShape = /^(?:(\p{L}+)(?:[ ,،]+(?=[0-9])|$))?(?:([0-9]{1,2}):([0-9]{2}))?$/u;

/** What a typed moment is read by. */
interface ReadersTime {
  zone: string;
  now: number;
}

/** As the command line takes them, in both languages. @throws RangeError for a time that no day has */
function relativeMoment(text: string, { zone, now }: ReadersTime): number | null {
  const [, word = "today", hour = "0", minute = "0"] = relativeShape.exec(text.toLowerCase()) ?? [];
  const days = daysAway[word];
  if (!relativeShape.test(text.toLowerCase()) || text === "" || days === undefined) return null;
  const plainTime = Temporal.PlainTime.from({ hour: Number(hour), minute: Number(minute) }, { overflow: "reject" });
  const today = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(zone).toPlainDate();
  return today.add({ days }).toZonedDateTime({ timeZone: zone, plainTime }).epochMilliseconds;
}

/**
 * Epoch milliseconds of `2026-11-21 20:30`, `1405/08/30 20:30` or `yesterday 20:30`; in either language the year determines the calendar.
 * Without a time, the start of the day. Null for a day that does not exist, such as the 30th of Esfand in a common
 * year.
 */
export function parseMoment(text: string, time: ReadersTime): number | null {
  if (text.length > typedLengthMax) return null;
  const clean = cleanInput(text);
  const found = dateShape.exec(clean);
  try {
    return found === null ? relativeMoment(clean, time) : absoluteMoment(found, time.zone);
  } catch (reason) {
    if (reason instanceof RangeError) return null;
    throw reason;
  }
}

function absoluteMoment(found: RegExpExecArray, zone: string): number {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0] = found.slice(1).map((piece) => Number(piece ?? 0));
  return Temporal.PlainDateTime.from(
    { calendar: calendarOf(found[1] ?? "") === "persian" ? "persian" : "iso8601", year, month, day, hour, minute },
    { overflow: "reject" },
  ).toZonedDateTime(zone).epochMilliseconds;
}

/** The format that `parseMoment` reads, for a field's value. */
export function momentForField(at: number, language: Language, zone: string): string {
  const { year, month, day, hour, minute } = Temporal.Instant.fromEpochMilliseconds(at)
    .toZonedDateTimeISO(zone)
    .withCalendar(shownCalendars[language]);
  const two = (part: number): string => String(part).padStart(2, "0");
  const mark = language === "fa" ? "/" : "-";
  return `${year}${mark}${two(month)}${mark}${two(day)} ${two(hour)}:${two(minute)}`;
}

/** The choice of a number instead of one of a tag's words. */
export const otherTag = "tlv";

/** Text that is no number becomes one that the operator API refuses. */
export function typedTag(text: string): number {
  const tag = cleanInput(text);
  return /^(?:0x[0-9a-f]{1,4}|[0-9]{1,5})$/i.test(tag) ? Number(tag) : -1;
}
