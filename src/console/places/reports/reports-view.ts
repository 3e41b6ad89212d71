/** Data for the reports: totals for a period, a chart, and a table by the chosen dimension. */

import { csvLine } from "../../../domain/csv.ts";
import { accountIdText } from "../../../domain/id-text.ts";
import { LocalCalendar } from "../../../domain/local-calendar.ts";
import { isCustomerRole, roleMay } from "../../../domain/roles.ts";
import type { FiguresAnswer, FiguresBy } from "../../../operator/figures.ts";
import { isoTime } from "../../../platform/clock.ts";
import { Slices } from "../../../platform/next-turn.ts";
import type { ChartData } from "../../components/chart-data.ts";
import type { FieldErrors, Option } from "../../components/forms.tsx";
import { ownCalendar } from "../../format/calendar.ts";
import { momentForField } from "../../format/input.ts";
import type { Locale } from "../../locale.ts";
import { accountOptions, namedAccount } from "../../page/accounts-and-senders.ts";
import type { ConsoleApi } from "../../page/console-api.ts";
import type { Viewer } from "../../page/viewer.ts";
import { epochOf } from "../messages/message-state.ts";
import { countedList, type Dimension, rowList } from "./counted-list.ts";

export const reportPresets = ["today", "yesterday", "week", "month", "lastMonth"] as const;
export type Preset = (typeof reportPresets)[number];

export interface Amounts {
  price: number;
  cost: number;
}

/** The form for a period of the reader's own, and an account. */
export interface ReportsForm {
  since: string;
  until: string;
  account: string;
  /** Accounts to choose from; null for a customer. */
  accounts: readonly Option[] | null;
  errors: FieldErrors;
}

const quarterMs = 900_000;
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** A longer period is charted by day. */
const hoursDrawnMax = 48;
/** An even longer one by month: with more bars, each would be thinner than the gap beside it. */
const daysDrawnMax = 62;
const weekDays = 7;
/** For a link with fixed times, in days; every day is charted, and with rows by hour, every hour is a row. */
const fixedDaysMax = 366;
const fixedDaysByHourMax = 31;

export interface ReportSources {
  api: ConsoleApi;
  locale: Locale;
  viewer: Pick<Viewer, "role" | "accountId">;
  query: URLSearchParams;
}

interface Span {
  from: number;
  to: number;
}

/** Customers know nothing of routes and other accounts. */
const customerDimensions: readonly Dimension[] = ["sender", "day", "hour", "month"];
const staffDimensions: readonly Dimension[] = ["account", "sender", "route", "network", "day", "hour", "month"];

class Question {
  readonly path: string;
  readonly preset: Preset | null;
  readonly by: Dimension;
  readonly span: Span;
  readonly dimensions: readonly Dimension[];
  readonly account: string | null;

  constructor({ query, viewer, locale }: Omit<ReportSources, "api">) {
    const isCustomer = isCustomerRole(viewer.role);
    this.path = isCustomer ? "/usage" : "/reports";
    this.dimensions = isCustomer ? customerDimensions : staffDimensions;
    const by = query.get("by");
    this.by = this.dimensions.find((one) => one === by) ?? (isCustomer ? "day" : "account");
    const daysMax = this.by === "hour" ? fixedDaysByHourMax : fixedDaysMax;
    const fixed = fixedSpan(query, locale.format.now, daysMax);
    const range = query.get("range");
    this.preset = fixed === null ? (reportPresets.find((one) => one === range) ?? "month") : null;
    this.span = fixed ?? spanOf(this.preset ?? "month", locale);
    this.account = isCustomer ? null : query.get("account");
  }

  /** The same page with one choice changed. */
  href(changed: { preset?: Preset; by?: Dimension; csv?: true }): string {
    const preset = changed.preset ?? this.preset;
    const query = new URLSearchParams(
      preset === null ? { from: isoTime(this.span.from), to: isoTime(this.span.to) } : { range: preset },
    );
    query.set("by", changed.by ?? this.by);
    if (this.account !== null) query.set("account", this.account);
    return `${this.path}${changed.csv === true ? ".csv" : ""}?${query}`;
  }

  /** What is asked for of figures and charges alike: days are named as the reader writes them, months as the service. */
  asked({ format, language }: Locale, by: FiguresBy, { from, to } = this.span) {
    const calendar = by === "month" ? format.calendar : ownCalendar[language];
    const account = this.account === null ? {} : { account: this.account };
    return { from: isoTime(from), to: isoTime(to), timeZone: format.zone, calendar, ...account };
  }

  figures(api: ConsoleApi, locale: Locale, by: FiguresBy, span = this.span) {
    return api("GET /figures", { ...this.asked(locale, by, span), by });
  }
}

/** `from` and `to` of a link with fixed times: at most until now, and if the period is too long, its last days. */
function fixedSpan(query: URLSearchParams, now: number, daysMax: number): Span | null {
  const to = Math.min(Date.parse(query.get("to") ?? ""), now);
  const from = Math.max(Date.parse(query.get("from") ?? ""), to - daysMax * dayMs, 0);
  return from < to ? { from, to } : null;
}

/** Days of the reader's zone, and months of the service's calendar: the same whatever the language. */
const calendarFor = ({ format }: Locale) => new LocalCalendar(format.zone, format.calendar);

/** The current month. */
export const monthOf = (locale: Locale) => calendarFor(locale).month(locale.format.now);

function spanOf(preset: Preset, locale: Locale): Span {
  const { format } = locale;
  const calendar = calendarFor(locale);
  const today = calendar.day(format.now);
  const month = calendar.month(format.now);
  switch (preset) {
    case "today":
      return { from: today.startsAt, to: today.endsAt };
    case "yesterday":
      return { from: calendar.day(today.startsAt - 1).startsAt, to: today.startsAt };
    case "week":
      return { from: calendar.day(today.startsAt - (weekDays - 1) * dayMs + hourMs).startsAt, to: today.endsAt };
    case "month":
      return { from: month.startsAt, to: month.endsAt };
    case "lastMonth":
      return { from: calendar.month(month.startsAt - 1).startsAt, to: month.startsAt };
  }
}

export type ReportsView = Awaited<ReturnType<typeof reportsView>>;

export async function reportsView(sources: ReportSources) {
  const { api, locale } = sources;
  const question = new Question(sources);
  const { span, preset, by } = question;
  const before = { from: 2 * span.from - Math.min(span.to, locale.format.now), to: span.from };
  const knownFrom = await firstMoment(sources, question.account);
  // Nothing was sent before: one day alone is drawn by hours.
  const drawn = { ...span, from: Math.max(span.from, calendarFor(locale).day(knownFrom).startsAt) };
  const step = stepOf({ from: drawn.from, to: Math.min(span.to, locale.format.now) });
  const accounts = isCustomerRole(sources.viewer.role) ? null : await accountOptions(api);
  const [total, earlier, points, earlierPoints, rows, charged, chargedInAll] = await Promise.all([
    question.figures(api, locale, "all"),
    question.figures(api, locale, "all", before),
    question.figures(api, locale, step),
    question.figures(api, locale, step, before),
    question.figures(api, locale, by),
    chargesOf(sources, question, by),
    chargesOf(sources, question, "all"),
  ]);
  const compared = drawn.from > span.from ? null : { rows: earlierPoints, from: before.from, days: null };
  const whole = { ...span, account: question.account === "" ? null : question.account };
  return {
    preset,
    /** The messages of the whole report. */
    list: countedList(whole),
    presets: reportPresets.map((one) => ({ name: one, href: question.href({ preset: one }) })),
    by,
    dimensions: question.dimensions.map((one) => ({ name: one, href: question.href({ by: one }) })),
    from: span.from,
    to: Math.min(span.to, locale.format.now) - 1,
    /** Undefined where nothing was sent. */
    total: total[0],
    /** Of all messages together. */
    money: chargedInAll?.of.get(""),
    messagesBefore: earlier[0]?.messages ?? 0,
    chart: await figuresChart(points, step, { ...drawn, knownFrom }, locale, compared),
    rows: sorted(rows, by).map((row) => ({
      ...row,
      /** As the reader writes it; empty if unknown. */
      subject: subjectOf(row, by, locale),
      /** The messages that it counts; null where the list has no such filter. */
      list: rowList(whole, row, by, locale),
      /** In the currency's smallest unit; undefined where nothing was charged or cost anything. */
      money: charged?.of.get(chargedAs(row, by)),
    })),
    /** Of the amounts; null for a reader who does not see them, or where none stand beside these rows. */
    currency: charged?.currency ?? null,
    form: formNow(question, locale, accounts),
    csv: question.href({ csv: true }),
  };
}

/** When the account was created, or the oldest of all: nothing was sent before. */
async function firstMoment({ api, viewer }: ReportSources, chosen: string | null): Promise<number> {
  const id = viewer.accountId === null ? chosen : accountIdText(viewer.accountId);
  const known = id === null ? (await api("GET /accounts", { limit: 1 })).rows[0] : await namedAccount(api, id);
  return known === undefined ? 0 : epochOf(known.createdAt);
}

interface Charged {
  currency: string;
  of: ReadonlyMap<string | null, Amounts>;
}

/** Null for readers who do not see prices, by hour, and where nothing was charged or cost anything. */
async function chargesOf(
  { api, locale, viewer }: ReportSources,
  question: Question,
  by: Dimension | "all",
): Promise<Charged | null> {
  if (by === "hour" || !roleMay(viewer.role, "prices.read")) return null;
  const { currency, rows } = await api("GET /charges", { ...question.asked(locale, by), by });
  return rows.length === 0 ? null : { currency, of: new Map(rows.map((row) => [row.of, row])) };
}

/** As the charges name the row. */
const chargedAs = ({ id, name }: FiguresAnswer, by: Dimension): string | null => (by === "account" ? id : name);

/** The form's fields, with the period that is shown. */
const formNow = (
  { span, account }: Question,
  { language, format }: Locale,
  accounts: ReportsForm["accounts"],
): ReportsForm => ({
  since: momentForField(span.from, language, format.zone),
  until: momentForField(Math.min(span.to, format.now), language, format.zone),
  account: account ?? "",
  accounts,
  errors: {},
});

/** The same rows, with numbers in machine-readable form. */
export async function reportsCsv(sources: ReportSources): Promise<{ fileName: string; content: string }> {
  const question = new Question(sources);
  const { by } = question;
  const rows = await question.figures(sources.api, sources.locale, by);
  const charged = await chargesOf(sources, question, by);
  const money = charged === null ? [] : ["charged", "cost"];
  const head = [by, "messages", "parts", "delivered", "failed", "deliveryMedianMs", "deliveryP95Ms", ...money];
  const amountsOf = (row: FiguresAnswer) => {
    const { price = 0, cost = 0 } = charged?.of.get(chargedAs(row, by)) ?? {};
    return charged === null ? [] : [price, cost];
  };
  const lines = sorted(rows, by).map((row) => lineOf(row, amountsOf(row)));
  return { fileName: `report-by-${by}.csv`, content: [head, ...lines].map(csvLine).join("") };
}

function lineOf(row: FiguresAnswer, amounts: readonly number[]) {
  const { name, messages, parts, statuses, deliveryMedianMs, deliveryP95Ms } = row;
  return [
    name,
    messages,
    parts,
    statuses.delivered ?? 0,
    statuses.failed ?? 0,
    deliveryMedianMs,
    deliveryP95Ms,
    ...amounts,
  ];
}

const isPeriod = (by: Dimension): boolean => by === "hour" || by === "day" || by === "month";

/** Times in order, everything else by descending count. */
function sorted(rows: readonly FiguresAnswer[], by: Dimension): FiguresAnswer[] {
  return isPeriod(by) ? [...rows] : rows.toSorted((a, b) => b.messages - a.messages);
}

function subjectOf({ name, at }: FiguresAnswer, by: Dimension, { format }: Locale): string {
  if (!isPeriod(by)) return name ?? "";
  const time = Date.parse(at);
  if (by === "month") return format.month(time);
  return by === "day" ? format.date(time) : format.dayAndClock(time - (time % hourMs));
}

const usageDays = 30;

interface UsageOf {
  account?: string;
  /** The earliest time at which there may be messages, in epoch milliseconds. */
  knownFrom?: number;
}

/** The last days, for one account or for everything the reader may see. */
export async function usageChart(
  api: ConsoleApi,
  locale: Locale,
  { account, knownFrom = 0 }: UsageOf = {},
): Promise<ChartData> {
  const { now, zone } = locale.format;
  const calendar = calendarFor(locale);
  const firstOf = (ago: number) => calendar.day(now - (ago - 1) * dayMs).startsAt;
  const asked = (by: "quarter" | "hour" | "day", from: number, to: number) =>
    api("GET /figures", {
      from: isoTime(from),
      to: isoTime(to),
      by,
      timeZone: zone,
      ...(account !== undefined && { account }),
    });
  const today = calendar.day(now);
  // One day alone is drawn by hours, its first two hours by quarters.
  if (knownFrom >= today.startsAt) {
    const step = now - knownFrom < 2 * hourMs ? "quarter" : "hour";
    const span = { from: today.startsAt, to: today.endsAt, knownFrom };
    return figuresChart(await asked(step, span.from, span.to), step, span, locale, null);
  }
  const span = { from: firstOf(usageDays), to: today.endsAt, knownFrom };
  const from = firstOf(2 * usageDays);
  const [rows, earlier] = await Promise.all([asked("day", span.from, span.to), asked("day", from, span.from)]);
  const before = { rows: earlier, from, days: usageDays };
  return figuresChart(rows, "day", span, locale, earlier.length === 0 ? null : before);
}

/** Every hour, day or month of the period until now, including those without messages. */
export async function figuresChart(
  rows: readonly FiguresAnswer[],
  step: ChartStep,
  span: Span & { knownFrom?: number },
  locale: Locale,
  before: PeriodBefore | null,
): Promise<ChartData> {
  const end = Math.min(span.to, locale.format.now);
  const calendar = calendarFor(locale);
  const nextOf = {
    quarter: (at: number) => at + quarterMs,
    hour: (at: number) => at + hourMs,
    day: (at: number) => calendar.day(at).endsAt,
  };
  const next = step === "month" ? (at: number) => calendar.month(at).endsAt : nextOf[step];
  const times: number[] = [];
  const slices = new Slices();
  for (let at = span.from; at < end; at = next(at)) {
    times.push(at);
    await slices.pause();
  }
  const rowAt = new Map(rows.map((row) => [times.findLastIndex((at) => at <= Date.parse(row.at)), row]));
  const valuesOf = (count: (row: FiguresAnswer) => number) =>
    times.map((_, index): number | null => {
      const row = rowAt.get(index);
      if (row !== undefined) return count(row);
      return (times[index + 1] ?? end) <= (span.knownFrom ?? 0) ? null : 0;
    });
  const of = (...named: readonly (keyof FiguresAnswer["statuses"])[]) =>
    valuesOf(({ statuses }) => named.reduce((sum, name) => sum + (statuses[name] ?? 0), 0));
  const shown: Omit<ChartData, "before"> = {
    times,
    step,
    series: [
      { outcome: "delivered", values: of("delivered") },
      { outcome: "sent", values: of("sent") },
      { outcome: "waiting", values: of("queued", "processing") },
      { outcome: "cancelled", values: of("cancelled") },
      { outcome: "failed", values: of("failed") },
    ],
  };
  if (before === null) return shown;
  const values = times.map(() => 0);
  const first = before.from;
  for (const row of before.rows) {
    const index = Math.round((Date.parse(row.at) - first - stepMs[step] / 2) / stepMs[step]);
    if (index >= 0 && index < values.length) values[index] = (values[index] ?? 0) + row.messages;
  }
  return { ...shown, before: { values, days: before.days } };
}

type ChartStep = "quarter" | "hour" | "day" | "month";
const stepMs: Readonly<Record<ChartStep, number>> = {
  quarter: quarterMs,
  hour: hourMs,
  day: dayMs,
  month: 30.44 * dayMs,
};

function stepOf({ from, to }: Span): "hour" | "day" | "month" {
  if (to - from <= hoursDrawnMax * hourMs) return "hour";
  return to - from <= daysDrawnMax * dayMs ? "day" : "month";
}

/** The rows of the previous period, from its beginning. */
interface PeriodBefore {
  rows: readonly FiguresAnswer[];
  from: number;
  /** Null if it has no name of its own. */
  days: number | null;
}
