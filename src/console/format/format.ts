/**
 * How the console writes values: counts, moments, durations, money. One instance per language, zone and present moment.
 */

import type { Calendar } from "../../domain/local-calendar.ts";
import { moneyOf, numbersOf } from "../../words/numbers.ts";
import type { Language } from "../language.ts";
import { type MomentParts, partsOf, utcText } from "./calendar.ts";

/** A number with its formatted text: the number selects the plural, the text is displayed. */
/** Epoch milliseconds, or as the operator API writes it: `2026-11-20T15:36:00.000Z`. */
export type GivenTime = number | string;

const epochOf = (at: GivenTime): number => (typeof at === "number" ? at : Date.parse(at));

export interface Count {
  value: number;
  text: string;
}

/** The names of units, from the language's words. */
export interface UnitWords {
  milliseconds(amount: Count): string;
  seconds(amount: Count): string;
  minutes(amount: Count): string;
  hours(amount: Count): string;
  days(amount: Count): string;
  /** Of a length that is written in two units. */
  short: Readonly<Record<"seconds" | "minutes" | "hours" | "days", (text: string) => string>> & {
    both(larger: string, smaller: string): string;
  };
  bytes(amount: Count, scale: ByteScale): string;
  rials(amount: Count): string;
  /** The name of an ISO 4217 code. */
  currency(code: string): string;
}

export const byteScales = ["B", "kB", "MB", "GB", "TB"] as const;
export type ByteScale = (typeof byteScales)[number];

export interface FormatSettings {
  language: Language;
  /** An IANA name, such as `Asia/Tehran`. */
  zone: string;
  /** Of the months that pages speak of; days are written in the language's own. */
  calendar: Calendar;
  /** Epoch milliseconds: what "today" means. */
  now: number;
  units: UnitWords;
}

const secondMs = 1000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

export class Format {
  readonly language: Language;
  readonly zone: string;
  readonly calendar: Calendar;
  readonly now: number;
  readonly #units: UnitWords;
  readonly #numbers: (typeof numbersOf)[Language];

  constructor({ language, zone, calendar, now, units }: FormatSettings) {
    this.language = language;
    this.zone = zone;
    this.calendar = calendar;
    this.now = now;
    this.#units = units;
    this.#numbers = numbersOf[language];
  }

  /** `18,400`, `۱۸٬۴۰۰`. */
  number(value: number): string {
    return this.#numbers.whole.format(value);
  }

  count(value: number): Count {
    return { value, text: this.number(value) };
  }

  /** At most one decimal: `2.4`, `۲٫۴`. */
  decimal(value: number): string {
    return this.#numbers.one.format(value);
  }

  /** For a chart's vertical axis: `12K`, `۱۲ هزار`. */
  short(value: number): string {
    return this.#numbers.short.format(value);
  }

  /** Without separators, for numbers that are names: a year, a code, a port. */
  plain(value: number): string {
    return this.#numbers.plain.format(value);
  }

  /** `0.985` is `98.5%`. One decimal. Never 100.0% for less than all, never 0.0% for more than nothing. */
  percent(ratio: number): string {
    const shown = ratio > 0 && ratio < 0.001 ? 0.001 : ratio < 1 && ratio > 0.999 ? 0.999 : ratio;
    return this.#numbers.percent.format(shown);
  }

  /** Whole rials, with the unit. */
  money(rials: number): string {
    return this.#units.rials(this.count(rials));
  }

  /** By its ISO 4217 code. */
  currencyName(code: string): string {
    return this.#units.currency(code);
  }

  /** `amount`: in the currency's smallest unit, by its ISO 4217 code. */
  amount(amount: number, currency: string): string {
    if (currency === "IRR") return this.money(amount);
    const money = moneyOf(this.language, currency);
    return money.format(amount / 10 ** (money.resolvedOptions().maximumFractionDigits ?? 0));
  }

  /** Of a tile: rials stand small beside the number. */
  figure(amount: number, currency: string): { value: string; unit?: string } {
    if (currency !== "IRR") return { value: this.amount(amount, currency) };
    return { value: this.number(amount), unit: this.currencyName(currency) };
  }

  list(words: readonly string[]): string {
    return this.#numbers.list(words);
  }

  #parts(at: GivenTime): MomentParts {
    return partsOf(epochOf(at), this.language, this.zone);
  }

  /** `21:35` */
  clock(at: GivenTime): string {
    const { hour, minute } = this.#parts(at);
    return `${hour}:${minute}`;
  }

  /** `21:35:07` */
  clockSeconds(at: GivenTime): string {
    const { hour, minute, second } = this.#parts(at);
    return `${hour}:${minute}:${second}`;
  }

  /** `21:35:07.4`, `۲۱:۳۵:۰۷٫۴` */
  clockTenths(at: GivenTime): string {
    const tenth = Math.floor((epochOf(at) % secondMs) / 100);
    return `${this.clockSeconds(at)}${this.language === "fa" ? "٫" : "."}${this.number(tenth)}`;
  }

  /** `22 Nov`, `۱ آذر`; with the year unless it is the current one. */
  day(at: GivenTime): string {
    const { day, month, year } = this.#parts(at);
    return year === this.#parts(this.now).year ? `${day} ${month}` : `${day} ${month} ${year}`;
  }

  /** `22 Nov`, `۱ آذر` */
  dayOfMonth(at: number): string {
    const { day, month } = this.#parts(at);
    return `${day} ${month}`;
  }

  /** `22`, `۱` */
  dayNumber(at: number): string {
    return this.#parts(at).day;
  }

  /** `22 Nov 2026`, `۱ آذر ۱۴۰۵` */
  date(at: GivenTime): string {
    const { day, month, year } = this.#parts(at);
    return `${day} ${month} ${year}`;
  }

  weekday(at: GivenTime): string {
    return this.#parts(at).weekday;
  }

  /** `Nov 2026`, `نوامبر ۲۰۲۶`; or `Azar 1405`, `آذر ۱۴۰۵` */
  month(at: GivenTime): string {
    const { month, year } = partsOf(epochOf(at), this.language, this.zone, this.calendar);
    return `${month} ${year}`;
  }

  /** By the calendar that days are written in. */
  areOfOneMonth(one: number, other: number): boolean {
    const [first, second] = [this.#parts(one), this.#parts(other)];
    return first.month === second.month && first.year === second.year;
  }

  isToday(at: GivenTime): boolean {
    return this.date(at) === this.date(this.now);
  }

  /** The time for moments of today, with the date for all others. */
  moment(at: GivenTime): string {
    return this.isToday(at) ? this.clockSeconds(at) : this.dayAndClock(at);
  }

  /** Like `moment`, to the minute: since when something has lasted. */
  minute(at: GivenTime): string {
    return this.isToday(at) ? this.clock(at) : this.dayAndClock(at);
  }

  /** `22 Nov, 08:00`, `۱ آذر، ۰۸:۰۰` */
  dayAndClock(at: GivenTime): string {
    return `${this.day(at)}${this.language === "fa" ? "،" : ","} ${this.clock(at)}`;
  }

  /** For a `title`: the moment as logs write it. */
  utc(at: GivenTime): string {
    return utcText(epochOf(at));
  }

  /** `850 ms`, `2.4 s`, `3 minutes`, `5 hours`, `12 days`: the largest unit that is precise enough. */
  duration(ms: number): string {
    const amount = (value: number): Count => ({ value, text: this.number(value) });
    if (ms < secondMs) return this.#units.milliseconds(amount(Math.round(ms)));
    if (ms < 2 * minuteMs) return this.#units.seconds({ value: ms / secondMs, text: this.#seconds(ms) });
    if (ms < 2 * hourMs) return this.#units.minutes(amount(Math.round(ms / minuteMs)));
    if (ms < 2 * dayMs) return this.#units.hours(amount(Math.round(ms / hourMs)));
    return this.#units.days(amount(Math.round(ms / dayMs)));
  }

  /** `38 ms`, `49.2 s`, `3 min 20 s`, `9 h 2 min`: to the tenth of a second, or in two units. */
  span(ms: number): string {
    const { milliseconds, seconds, short } = this.#units;
    const rounded = Math.round(ms);
    if (rounded < 100) return milliseconds(this.count(rounded));
    if (ms < 100 * secondMs) return seconds({ value: ms / secondMs, text: this.decimal(ms / secondMs) });
    const [unit, part] =
      ms < hourMs
        ? (["minutes", "seconds"] as const)
        : ms < 2 * dayMs
          ? (["hours", "minutes"] as const)
          : (["days", "hours"] as const);
    const sizes = { seconds: secondMs, minutes: minuteMs, hours: hourMs, days: dayMs };
    const parts = Math.round(ms / sizes[part]);
    const perUnit = sizes[unit] / sizes[part];
    const larger = short[unit](this.number(Math.floor(parts / perUnit)));
    const rest = parts % perUnit;
    return rest === 0 ? larger : short.both(larger, short[part](this.number(rest)));
  }

  #seconds(ms: number): string {
    return ms < 10 * secondMs ? this.decimal(ms / secondMs) : this.number(Math.round(ms / secondMs));
  }

  bytes(size: number): string {
    let amount = size;
    let scale = 0;
    while (amount >= 1000 && scale < byteScales.length - 1) {
      amount /= 1000;
      scale += 1;
    }
    const text = amount < 10 && scale > 0 ? this.decimal(amount) : this.number(amount);
    return this.#units.bytes({ value: amount, text }, byteScales[scale] ?? "B");
  }
}
