/** Days and months as people of a time zone count them: where each begins and ends, daylight saving included. */

/** As Intl names them. */
export const calendars = ["gregory", "persian"] as const;
export type Calendar = (typeof calendars)[number];

/** In epoch milliseconds, `endsAt` not included. */
export interface LocalPeriod {
  /** As the calendar counts: `2026-11-21`, `1405-08`. */
  name: string;
  startsAt: number;
  endsAt: number;
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
/** The longest day has 25 hours. */
const dayMsMax = 26 * hourMs;
/** No month of either calendar is shorter. */
const monthDaysMin = 28;
/** The first month of the Persian year 1 began in March 622. */
const persianYearsBehind = 621;
/** Years below it are of the Persian calendar. */
const gregorianYearMin = 1700;

const includes = ({ startsAt, endsAt }: LocalPeriod, at: number) => at >= startsAt && at < endsAt;

/** The last day and month are kept: they are asked for at every message. */
export class LocalCalendar {
  readonly #format: Intl.DateTimeFormat;
  #day: LocalPeriod = { name: "", startsAt: 0, endsAt: 0 };
  #month: LocalPeriod = { name: "", startsAt: 0, endsAt: 0 };

  /** `timeZone`: a name of the IANA database. */
  constructor(timeZone: string, calendar: Calendar = "gregory") {
    const digits = { year: "numeric", month: "2-digit", day: "2-digit" } as const;
    this.#format = new Intl.DateTimeFormat("en", { timeZone, calendar, numberingSystem: "latn", ...digits });
  }

  /** The day in which `at` (epoch milliseconds) lies. */
  day(at: number): LocalPeriod {
    if (!includes(this.#day, at)) this.#day = this.#dayOf(at);
    return this.#day;
  }

  month(at: number): LocalPeriod {
    if (!includes(this.#month, at)) this.#month = this.#monthOf(at);
    return this.#month;
  }

  #dayOf(at: number): LocalPeriod {
    const name = this.#nameOf(at);
    const isSame = (minute: number) => this.#nameOf(minute * minuteMs) === name;
    const minute = Math.floor(at / minuteMs);
    const reach = dayMsMax / minuteMs;
    const first = firstWhere(minute - reach, minute, isSame);
    const next = firstWhere(minute, minute + reach, (later) => !isSame(later));
    return { name, startsAt: first * minuteMs, endsAt: next * minuteMs };
  }

  #monthOf(at: number): LocalPeriod {
    const { name, startsAt } = this.#dayOf(at);
    const days = Number(name.slice(-2)) - 1;
    // Noon is never moved to another day by daylight saving.
    const first = this.#dayOf(startsAt - days * dayMs + 12 * hourMs);
    const monthName = first.name.slice(0, -3);
    let next = this.#dayOf(first.startsAt + monthDaysMin * dayMs + 12 * hourMs);
    while (next.name.startsWith(monthName)) next = this.#dayOf(next.endsAt);
    return { name: monthName, startsAt: first.startsAt, endsAt: next.startsAt };
  }

  #nameOf(at: number): string {
    const parts = this.#format.formatToParts(at);
    const value = (type: string) => parts.find((part) => part.type === type)?.value ?? "";
    return `${value("year")}-${value("month")}-${value("day")}`;
  }
}

/** The lowest whole number above `low` for which `holds` does, as it does for every one from there to `high`. */
function firstWhere(low: number, high: number, holds: (value: number) => boolean): number {
  let [below, found] = [low, high];
  while (found - below > 1) {
    const middle = Math.floor((below + found) / 2);
    if (holds(middle)) found = middle;
    else below = middle;
  }
  return found;
}

/** By whose years a day or month is named. */
export const calendarOf = (name: string): Calendar =>
  Number(name.slice(0, 4)) < gregorianYearMin ? "persian" : "gregory";

/** The month of a name such as `2026-11` or `1405-08`, by its year of the Gregorian or the Persian calendar; null where there is none. */
export function monthNamed(name: string, timeZone: string): LocalPeriod | null {
  const [, year = "", month = ""] = /^(\d{4})-(\d{2})$/.exec(name) ?? [];
  const calendar = calendarOf(name);
  // The fifteenth, or about the fifteenth: a Persian year begins at the end of March.
  const inside =
    calendar === "persian"
      ? Date.UTC(Number(year) + persianYearsBehind, Number(month) + 2, 5)
      : Date.UTC(Number(year), Number(month) - 1, 15);
  if (year === "" || Number.isNaN(inside)) return null;
  const found = new LocalCalendar(timeZone, calendar).month(inside);
  return found.name === name ? found : null;
}

/** A date such as `2026-11-21` or `1405-08-30`, by its year of the Gregorian or the Persian calendar; null where there is no such day. */
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

/** The day of such a date. */
export function dayNamed(name: string, timeZone: string): LocalPeriod | null {
  const begin = dateNamed(name)?.toZonedDateTime(timeZone);
  return begin === undefined ? null : new LocalCalendar(timeZone, calendarOf(name)).day(begin.epochMilliseconds);
}
