/** Reads the time stamps of clients: ISO 8601 calendar dates with a time and an offset or Z. */

/** The extended form with its separators, or the basic one without any; seconds and their fraction may be left out. */
const extended =
  /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(?:[Zz]|([+-])(\d{2})(?::?(\d{2}))?)$/;
const basic =
  /^(\d{4})(\d{2})(\d{2})[Tt](\d{2})(\d{2})(?:(\d{2})(?:[.,](\d{1,9}))?)?(?:[Zz]|([+-])(\d{2})(?::?(\d{2}))?)$/;

const minuteMs = 60_000;

/** Epoch milliseconds, or null for anything that is no real date, has no offset, or is not ISO 8601. */
export function parseIsoTime(text: string): number | null {
  const match = extended.exec(text) ?? basic.exec(text);
  if (match === null) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1, 7)
    .map((digits) => Number(digits ?? 0));
  const offsetHours = Number(match[9] ?? 0);
  const offsetMinutes = Number(match[10] ?? 0);
  if (hour > 23 || minute > 59 || second > 59 || offsetHours > 23 || offsetMinutes > 59) return null;
  const date = new Date(0);
  // Date.UTC reads the years 0 to 99 as 1900 to 1999.
  date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return null;
  const fractionMs = Math.floor(Number(`0.${match[7] ?? 0}`) * 1000);
  const offsetMs = (match[8] === "-" ? -1 : 1) * (offsetHours * 60 + offsetMinutes) * minuteMs;
  return date.setUTCHours(hour, minute, second, fractionMs) - offsetMs;
}
