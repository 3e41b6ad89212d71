/** Parses times given as options: as the command line prints them, as the API writes them, and local ones. */
import { dateNamed } from "../domain/local-calendar.ts";
import { UsageError } from "./errors.ts";

/** For help texts. */
export const timeHelp =
  'date such as 2027-01-31 or 1405-11-11 (its beginning in UTC), a time as printed, or a local one such as 16:46 or "yesterday 16:46"';

/** `2026-11-20T15:36:00.000Z`, `2026-11-20 15:36:00Z`, `2026-11-20 15:36+03:30`; `2026-11-20 15:36` is local time. */
const dateAndTime = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(Z|[+-]\d{2}:\d{2})?)?$/;
/** `16:46`, `today`, `yesterday 16:46:30`. */
const localTime = /^(?:(today|yesterday|tomorrow)(?: (?=\d)|$))?(?:(\d{2}):(\d{2})(?::(\d{2}))?)?$/;

const dayOffsets: Readonly<Record<string, number>> = { yesterday: -1, today: 0, tomorrow: 1 };

/** The time in ISO 8601 with Z. A date means its start in UTC; a time without an offset is in the local time zone. */
export function timeText(option: string, text: string, now = new Date()): string {
  const at = absoluteTime(text) ?? relativeTime(text, now);
  if (at !== null) return at.toISOString();
  throw new UsageError(
    `${option} must be a date (2027-01-31, 1405-11-11), a time (2027-01-31T08:00:00Z, "2027-01-31 08:00:00Z") ` +
      `or a local time (16:46, yesterday, "2027-01-31 16:46"), not "${text}".`,
  );
}

function absoluteTime(text: string): Date | null {
  const [, written = "", hour = "00", minute = "00", second = "00", fraction = "0", offset] =
    dateAndTime.exec(text) ?? [];
  // Date.parse accepts 30 February as 1 March.
  const date = dateNamed(written)?.withCalendar("iso8601").toString();
  if (date === undefined) return null;
  // A `T` marks the API's format, which requires an offset.
  if (text.includes("T") && offset === undefined) return null;
  const zone = offset ?? (text === written ? "Z" : "");
  return validOrNull(new Date(`${date}T${hour}:${minute}:${second}.${fraction}${zone}`));
}

function relativeTime(text: string, now: Date): Date | null {
  const match = text === "" ? null : localTime.exec(text);
  if (match === null) return null;
  const [, day = "today", hour = "0", minute = "0", second = "0"] = match;
  const [hours, minutes, seconds] = [Number(hour), Number(minute), Number(second)];
  if (hours > 23 || minutes > 59 || seconds > 59) return null;
  const date = now.getDate() + (dayOffsets[day] ?? 0);
  return new Date(now.getFullYear(), now.getMonth(), date, hours, minutes, seconds);
}

const validOrNull = (date: Date) => (Number.isNaN(date.getTime()) ? null : date);
