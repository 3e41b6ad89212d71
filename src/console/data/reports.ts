/** What the reports show: totals of a time of the reader's calendar, a chart, and a table by what was chosen. */

import { csvLine } from "../../domain/csv.ts";
import { type Calendar, LocalCalendar } from "../../domain/local-calendar.ts";
import type { FiguresAnswer, FiguresBy } from "../../operator/figures.ts";
import { isoTime } from "../../platform/clock.ts";
import { Slices } from "../../platform/next-turn.ts";
import type { ChartData } from "../components/chart.tsx";
import type { Locale } from "../locale.ts";
import { type Dimension, type Preset, type ReportRow, type ReportsView, reportPresets } from "../pages/reports.tsx";
import type { ConsoleApi } from "./console-api.ts";
import type { Viewer } from "./viewer.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** A longer time is drawn by days. */
const hoursDrawnMax = 48;
const weekDays = 7;
/** Of a link with fixed times, in days; each of them is drawn, and each hour is a row where hours were chosen. */
const fixedDaysMax = 366;
const fixedDaysByHourMax = 31;

export interface ReportSources {
  api: ConsoleApi;
  locale: Locale;
  viewer: Pick<Viewer, "role">;
  query: URLSearchParams;
}

interface Span {
  from: number;
  to: number;
}

/** A customer knows nothing of routes and other accounts. */
const customerDimensions: readonly Dimension[] = ["sender", "day", "hour", "month"];
const staffDimensions: readonly Dimension[] = ["account", "sender", "route", "network", "day", "hour", "month"];

class Question {
  readonly path: string;
  readonly preset: Preset | null;
  readonly by: Dimension;
  readonly span: Span;
  readonly dimensions: readonly Dimension[];
  readonly #account: string | null;

  constructor({ query, viewer, locale }: Omit<ReportSources, "api">) {
    const isCustomer = viewer.role === "customer";
    this.path = isCustomer ? "/usage" : "/reports";
    this.dimensions = isCustomer ? customerDimensions : staffDimensions;
    const by = query.get("by");
    this.by = this.dimensions.find((one) => one === by) ?? (isCustomer ? "day" : "account");
    const daysMax = this.by === "hour" ? fixedDaysByHourMax : fixedDaysMax;
    const fixed = fixedSpan(query, locale.format.now, daysMax);
    const range = query.get("range");
    this.preset = fixed === null ? (reportPresets.find((one) => one === range) ?? "month") : null;
    this.span = fixed ?? spanOf(this.preset ?? "month", locale);
    this.#account = isCustomer ? null : query.get("account");
  }

  /** The same page with something else chosen. */
  href(changed: { preset?: Preset; by?: Dimension; csv?: true }): string {
    const preset = changed.preset ?? this.preset;
    const query = new URLSearchParams(
      preset === null ? { from: isoTime(this.span.from), to: isoTime(this.span.to) } : { range: preset },
    );
    query.set("by", changed.by ?? this.by);
    if (this.#account !== null) query.set("account", this.#account);
    return `${this.path}${changed.csv === true ? ".csv" : ""}?${query}`;
  }

  figures(api: ConsoleApi, { format, language }: Locale, by: FiguresBy, { from, to } = this.span) {
    const calendar: Calendar = language === "fa" ? "persian" : "gregory";
    const account = this.#account === null ? {} : { account: this.#account };
    const query = { from: isoTime(from), to: isoTime(to), by, timeZone: format.zone, calendar, ...account };
    return api("GET /figures", query);
  }
}

/** `from` and `to` of a link with fixed times: up to now, and of a longer time its last days. */
function fixedSpan(query: URLSearchParams, now: number, daysMax: number): Span | null {
  const to = Math.min(Date.parse(query.get("to") ?? ""), now);
  const from = Math.max(Date.parse(query.get("from") ?? ""), to - daysMax * dayMs, 0);
  return from < to ? { from, to } : null;
}

/** The reader's: days and months of zone and language. */
export const readersCalendar = ({ format, language }: Locale) =>
  new LocalCalendar(format.zone, language === "fa" ? "persian" : "gregory");

/** The present month of the reader's calendar. */
export const monthOf = (locale: Locale) => readersCalendar(locale).month(locale.format.now);

function spanOf(preset: Preset, locale: Locale): Span {
  const { format } = locale;
  const calendar = readersCalendar(locale);
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

export async function reportsView(sources: ReportSources): Promise<ReportsView> {
  const { api, locale } = sources;
  const question = new Question(sources);
  const { span, preset, by } = question;
  const before = { from: 2 * span.from - Math.min(span.to, locale.format.now), to: span.from };
  const step = span.to - span.from <= hoursDrawnMax * hourMs ? "hour" : "day";
  const [total, earlier, points, rows] = await Promise.all([
    question.figures(api, locale, "all"),
    question.figures(api, locale, "all", before),
    question.figures(api, locale, step),
    question.figures(api, locale, by),
  ]);
  return {
    preset,
    presets: reportPresets.map((one) => ({ preset: one, href: question.href({ preset: one }) })),
    by,
    dimensions: question.dimensions.map((one) => ({ dimension: one, href: question.href({ by: one }) })),
    from: span.from,
    to: Math.min(span.to, locale.format.now) - 1,
    total: rowOf(total[0], ""),
    messagesBefore: earlier[0]?.messages ?? 0,
    chart: await figuresChart(points, step, span, locale),
    rows: sorted(rows, by).map((row) => rowOf(row, rowName(row, by, locale))),
    csv: question.href({ csv: true }),
  };
}

/** Of the same rows, in numbers as machines read them. */
export async function reportsCsv(sources: ReportSources): Promise<{ fileName: string; content: string }> {
  const question = new Question(sources);
  const { by } = question;
  const rows = await question.figures(sources.api, sources.locale, by);
  const head = [by, "messages", "parts", "delivered", "failed", "deliveryMedianMs", "deliveryP95Ms"];
  const lines = sorted(rows, by).map(({ name, messages, parts, statuses, deliveryMedianMs, deliveryP95Ms }) => [
    name,
    messages,
    parts,
    statuses.delivered ?? 0,
    statuses.failed ?? 0,
    deliveryMedianMs,
    deliveryP95Ms,
  ]);
  return { fileName: `report-by-${by}.csv`, content: [head, ...lines].map(csvLine).join("") };
}

const isPeriod = (by: Dimension): boolean => by === "hour" || by === "day" || by === "month";

/** Times in their order, everything else the most first. */
function sorted(rows: readonly FiguresAnswer[], by: Dimension): FiguresAnswer[] {
  return isPeriod(by) ? [...rows] : rows.toSorted((a, b) => b.messages - a.messages);
}

function rowName({ name, at }: FiguresAnswer, by: Dimension, { format }: Locale): string {
  if (!isPeriod(by)) return name ?? "";
  const time = Date.parse(at);
  if (by === "month") return format.month(time);
  return by === "day" ? format.date(time) : format.dayAndClock(time - (time % hourMs));
}

function rowOf(row: FiguresAnswer | undefined, name: string): ReportRow {
  const { delivered = 0, failed = 0 } = row?.statuses ?? {};
  const final = delivered + failed;
  return {
    name,
    messages: row?.messages ?? 0,
    parts: row?.parts ?? 0,
    deliveredRatio: final === 0 ? null : delivered / final,
    failed,
    medianMs: row?.deliveryMedianMs ?? null,
    p95Ms: row?.deliveryP95Ms ?? null,
  };
}

const usageDays = 30;

/** The last days, of one account or of all that the reader may see. */
export async function usageChart(
  api: ConsoleApi,
  locale: Locale,
  account: { account?: string } = {},
): Promise<ChartData> {
  const { now, zone } = locale.format;
  const calendar = readersCalendar(locale);
  const span = { from: calendar.day(now - (usageDays - 1) * dayMs).startsAt, to: calendar.day(now).endsAt };
  const query = { from: isoTime(span.from), to: isoTime(span.to), by: "day", timeZone: zone, ...account } as const;
  return figuresChart(await api("GET /figures", query), "day", span, locale);
}

/** Every day or hour of the span up to now, those without messages too. */
async function figuresChart(
  rows: readonly FiguresAnswer[],
  step: "hour" | "day",
  span: Span,
  locale: Locale,
): Promise<ChartData> {
  const { format, words } = locale;
  const end = Math.min(span.to, format.now);
  const calendar = new LocalCalendar(format.zone);
  const times: number[] = [];
  const slices = new Slices();
  for (let at = span.from; at < end; at = step === "day" ? calendar.day(at).endsAt : at + hourMs) {
    times.push(at);
    await slices.pause();
  }
  const rowAt = new Map(rows.map((row) => [times.findLastIndex((at) => at <= Date.parse(row.at)), row]));
  const valuesOf = (count: (row: FiguresAnswer) => number) =>
    times.map((_, index) => {
      const row = rowAt.get(index);
      return row === undefined ? 0 : count(row);
    });
  const names = words.now.series;
  return {
    times,
    step: step === "day" ? "day" : "minute",
    series: [
      { name: names.delivered, values: valuesOf(({ statuses }) => statuses.delivered ?? 0), line: "solid", colour: 1 },
      { name: names.sent, values: valuesOf(({ statuses }) => statuses.sent ?? 0), line: "dashed", colour: 3 },
      { name: names.failed, values: valuesOf(({ statuses }) => statuses.failed ?? 0), line: "dotted", colour: 2 },
    ],
  };
}
