/** Days and months in a time zone: where each begins and ends, including daylight saving. */

/** By their names in Intl. */
export const calendars = ["gregory", "persian"] as const;
export type Calendar = (typeof calendars)[number];

/** In epoch milliseconds; `endsAt` is exclusive. */
export interface LocalPeriod {
  /** In the calendar's notation: `2026-11-21`, `1405-08`. */
  name: string;
  startsAt: number;
  endsAt: number;
}

/** Lower years belong to the Persian calendar. */
const gregorianYearMin = 1700;

const includes = ({ startsAt, endsAt }: LocalPeriod, at: number) => at >= startsAt && at < endsAt;

/** Caches the last day and month, because they are needed for every message. */
export class LocalCalendar {
  readonly #timeZone: string;
  readonly #calendar: Calendar;
  #day: LocalPeriod = { name: "", startsAt: 0, endsAt: 0 };
  #month: LocalPeriod = { name: "", startsAt: 0, endsAt: 0 };

  /** `timeZone`: an IANA time zone name. */
  constructor(timeZone: string, calendar: Calendar = "gregory") {
    this.#timeZone = timeZone;
    this.#calendar = calendar;
  }

  /** The day that contains `at` (epoch milliseconds). */
  day(at: number): LocalPeriod {
    if (!includes(this.#day, at)) {
      const moment = this.#momentOf(at);
      this.#day = periodOf(dayName(moment), moment, moment.add({ days: 1 }));
    }
    return this.#day;
  }

  month(at: number): LocalPeriod {
    if (!includes(this.#month, at)) {
      const first = this.#momentOf(at).with({ day: 1 });
      this.#month = periodOf(dayName(first).slice(0, -3), first, first.add({ months: 1 }));
    }
    return this.#month;
  }

  #momentOf(at: number): Temporal.ZonedDateTime {
    const instant = Temporal.Instant.fromEpochMilliseconds(at);
    return instant.toZonedDateTimeISO(this.#timeZone).withCalendar(this.#calendar);
  }
}

/** From the start of one day to the start of another; daylight saving may move either away from midnight. */
const periodOf = (name: string, from: Temporal.ZonedDateTime, to: Temporal.ZonedDateTime): LocalPeriod => ({
  name,
  startsAt: from.startOfDay().epochMilliseconds,
  endsAt: to.startOfDay().epochMilliseconds,
});

const dayName = ({ year, month, day }: Temporal.ZonedDateTime): string =>
  `${year}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`;

/** The calendar that the year of a day or month belongs to. */
export const calendarOf = (name: string): Calendar =>
  Number(name.slice(0, 4)) < gregorianYearMin ? "persian" : "gregory";

/**
 * The month with a name such as `2026-11` or `1405-08`, Gregorian or Persian depending on the year; null if there is
 * none.
 */
export function monthNamed(name: string, timeZone: string): LocalPeriod | null {
  const begin = dateNamed(`${name}-01`)?.toZonedDateTime(timeZone);
  if (begin === undefined) return null;
  const found = new LocalCalendar(timeZone, calendarOf(name)).month(begin.epochMilliseconds);
  return found.name === name ? found : null;
}

/**
 * A date such as `2026-11-21` or `1405-08-30`, Gregorian or Persian depending on the year; null if there is no such
 * day.
 */
export function dateNamed(name: string): Temporal.PlainDate | null {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(name) ?? [];
  if (year === undefined) return null;
  const calendar = calendarOf(name) === "persian" ? "persian" : "iso8601";
  try {
    const fields = { calendar, year: Number(year), month: Number(month), day: Number(day) };
    return Temporal.PlainDate.from(fields, { overflow: "reject" });
  } catch (reason) {
    if (reason instanceof RangeError) return null;
    throw reason;
  }
}

/** The day with such a date. */
export function dayNamed(name: string, timeZone: string): LocalPeriod | null {
  const begin = dateNamed(name)?.toZonedDateTime(timeZone);
  return begin === undefined ? null : new LocalCalendar(timeZone, calendarOf(name)).day(begin.epochMilliseconds);
}
