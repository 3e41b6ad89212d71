/** The data of a chart, and the text for each of its moments. */
import type { Format } from "../format/format.ts";
import type { Locale } from "../locale.ts";
import type { ChartStep } from "./chart-scale.ts";

/** Message outcomes, from the bottom of a bar to its top. */
export const outcomes = ["delivered", "sent", "waiting", "cancelled", "failed"] as const;
export type Outcome = (typeof outcomes)[number];

export interface Series {
  outcome: Outcome;
  /** One value per moment; null where nothing is known. */
  values: readonly (number | null)[];
}

export interface ChartData {
  /** Epoch milliseconds, ascending. */
  times: readonly number[];
  series: readonly Series[];
  /** The resolution in which moments are named. */
  step: ChartStep;
  /** The previous period, moment by moment; `days`: its length, null where it has no name of its own. */
  before?: { values: readonly number[]; days: number | null };
}

/** A sentence says more than an empty chart. */
export function isDrawn({ series }: Pick<ChartData, "series">): boolean {
  return series.some(({ values }) => values.some((value) => value !== null && value !== 0));
}

export const totalsOf = (series: readonly Series[]): (number | null)[] =>
  (series[0]?.values ?? []).map((_, index) => {
    const known = series.flatMap(({ values }) => values[index] ?? []);
    return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0);
  });

/** Moments in a row of which all or none are known. */
interface Run {
  isKnown: boolean;
  first: number;
  last: number;
}

export function runsOf(totals: readonly (number | null)[]): Run[] {
  const runs: Run[] = [];
  for (const [index, total] of totals.entries()) {
    const isKnown = total !== null;
    const run = runs.at(-1);
    if (run?.isKnown === isKnown) run.last = index;
    else runs.push({ isKnown, first: index, last: index });
  }
  return runs;
}

export const beforeName = ({ days }: { days: number | null }, { words, format }: Locale): string =>
  days === null ? words.charts.periodBefore : words.charts.daysBefore(format.number(days));

function momentName(at: number, step: ChartStep, format: Format): string {
  if (step === "month") return format.month(at);
  return step === "day" ? `${format.weekday(at)} ${format.dayOfMonth(at)}` : format.dayAndClock(at);
}

/** The tooltip of a moment: its name, then a line for each outcome with count and share. */
export function momentText(chart: ChartData, index: number, locale: Locale): string {
  const { words, format } = locale;
  const { times, series, step, before } = chart;
  const at = times[index] ?? 0;
  const name = momentName(at, step, format);
  const all = totalsOf(series)[index] ?? null;
  if (all === null) return `${name}\n${words.charts.noData}`;
  const lines = series.flatMap(({ outcome, values }) => {
    const value = values[index] ?? 0;
    const share = all === 0 ? "" : format.percent(value / all);
    return value === 0 ? [] : [`${words.charts.series[outcome]}\t${format.number(value)}\t${share}`];
  });
  const earlier = before?.values[index];
  return [
    name,
    ...lines,
    `${words.charts.all}\t${format.number(all)}`,
    ...(before === undefined || earlier === undefined
      ? []
      : [`${beforeName(before, locale)}\t${format.number(earlier)}`]),
  ].join("\n");
}
