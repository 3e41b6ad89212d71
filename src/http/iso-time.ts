/** Parses timestamps from clients: ISO 8601 dates (calendar, week, ordinal) with a time and an offset or Z. */

/**
 * The extended form, with separators. Omitted units of the time are zero, and a fraction belongs to the last unit
 * given.
 */
const extended =
  /^(?<year>\d{4})-(?:(?<month>\d\d)-(?<day>\d\d)|(?<ordinal>\d{3})|[Ww](?<week>\d\d)-(?<weekday>[1-7]))[Tt](?<hour>\d\d)(?::(?<minute>\d\d)(?::(?<second>\d\d))?)?(?:[.,](?<fraction>\d{1,9}))?(?:[Zz]|(?<sign>[+-])(?<offsetHour>\d\d)(?::?(?<offsetMinute>\d\d))?)$/;
/** The basic form, without separators. */
const basic =
  /^(?<year>\d{4})(?:(?<month>\d\d)(?<day>\d\d)|(?<ordinal>\d{3})|[Ww](?<week>\d\d)(?<weekday>[1-7]))[Tt](?<hour>\d\d)(?:(?<minute>\d\d)(?<second>\d\d)?)?(?:[.,](?<fraction>\d{1,9}))?(?:[Zz]|(?<sign>[+-])(?<offsetHour>\d\d)(?::?(?<offsetMinute>\d\d))?)$/;

const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

type Groups = Readonly<Record<string, string | undefined>>;

/** Epoch milliseconds, or null for anything that does not exist, has no offset, or is not ISO 8601. */
export function parseIsoTime(text: string): number | null {
  const groups = (extended.exec(text) ?? basic.exec(text))?.groups;
  if (groups === undefined) return null;
  const [date, time, offset] = [dateMs(groups), timeMs(groups), offsetMs(groups)];
  if (date === null || time === null || offset === null) return null;
  const epochMs = date + time - offset;
  return groups.second === "60" && !isLeapSecond(epochMs) ? null : epochMs;
}

/** Midnight of the date, in epoch milliseconds. */
function dateMs({ year = "", month, day, ordinal, week, weekday }: Groups): number | null {
  if (ordinal !== undefined) return dayOfYear(Number(year), Number(ordinal));
  if (week !== undefined) return dayOfWeek(Number(year), Number(week), Number(weekday));
  const date = utcDate(Number(year), Number(month), Number(day));
  return date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day) ? date.getTime() : null;
}

/** Date.UTC maps the years 0 to 99 to 1900 to 1999. */
function utcDate(year: number, month: number, day: number): Date {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date;
}

function dayOfYear(year: number, ordinal: number): number | null {
  const date = utcDate(year, 1, ordinal);
  return ordinal > 0 && date.getUTCFullYear() === year ? date.getTime() : null;
}

/** ISO 8601: the first week of a year contains 4 January, and weeks begin on Monday. */
function dayOfWeek(year: number, week: number, weekday: number): number | null {
  const mondayOfFirst = (of: number) => {
    const fourth = utcDate(of, 1, 4);
    return fourth.getTime() - ((fourth.getUTCDay() + 6) % 7) * dayMs;
  };
  const monday = mondayOfFirst(year) + (week - 1) * 7 * dayMs;
  return week > 0 && monday < mondayOfFirst(year + 1) ? monday + (weekday - 1) * dayMs : null;
}

/** Since midnight. 24:00 is the end of the day; second 60 is the first moment of the next minute, as in POSIX. */
function timeMs({ hour, minute, second, fraction }: Groups): number | null {
  const [hours, minutes, seconds] = [Number(hour), Number(minute ?? 0), Number(second ?? 0)];
  if (hours > 24 || minutes > 59 || seconds > 60) return null;
  const lastUnitMs = second !== undefined ? secondMs : minute !== undefined ? minuteMs : hourMs;
  const time = hours * hourMs + minutes * minuteMs + seconds * secondMs;
  const whole = time + Math.floor(Number(`0.${fraction ?? 0}`) * lastUnitMs);
  return whole > dayMs && hours === 24 ? null : whole;
}

function offsetMs({ sign, offsetHour = "0", offsetMinute = "0" }: Groups): number | null {
  const [hours, minutes] = [Number(offsetHour), Number(offsetMinute)];
  if (hours > 23 || minutes > 59) return null;
  return (sign === "-" ? -1 : 1) * (hours * hourMs + minutes * minuteMs);
}

/** Leap seconds are inserted at the end of a month in UTC. */
function isLeapSecond(followingMs: number): boolean {
  const date = new Date(followingMs - (followingMs % secondMs));
  return followingMs % dayMs < secondMs && date.getUTCDate() === 1;
}
