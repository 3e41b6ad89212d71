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
  /** The last moment is the present one. */
  endsNow?: boolean;
  /** What the outcomes are called here, where not as usual. */
  names?: Partial<Readonly<Record<Outcome, string>>>;
  /** Why nothing is known between known moments. */
  gapWord?: string;
}

/** A chart has room for as many moments: fewer would be drawn as a few wide bars. */
export const roomMin: Readonly<Record<ChartStep, number>> = { minute: 10, quarter: 8, hour: 8, day: 7, month: 6 };

/** From the first moment of which something is known; what came before is not drawn. */
export function fromFirstData<Chart extends ChartData>(chart: Chart): Chart {
  const first = totalsOf(chart.series).findIndex((total) => total !== null);
  return first <= 0 ? chart : lastOf(chart, chart.times.length - first);
}

/** The last moments of a chart. */
export function lastOf<Chart extends ChartData>(chart: Chart, count: number): Chart {
  const { times, series, before } = chart;
  const cut = <Value>(values: readonly Value[]) => values.slice(Math.max(0, times.length - count), times.length);
  return {
    ...chart,
    times: cut(times),
    series: series.map((one) => ({ ...one, values: cut(one.values) })),
    ...(before !== undefined && { before: { ...before, values: cut(before.values) } }),
  };
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

/** What is unknown between what is known: before the first data nothing is missing. */
export const gapsOf = (totals: readonly (number | null)[]): Run[] =>
  runsOf(totals).filter(({ isKnown, first }) => !isKnown && first > 0);

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

/** Since when something is known. */
export function spanTold({ times, series, step }: ChartData, { words, format }: Locale): string | null {
  const at = times[totalsOf(series).findIndex((total) => total !== null)];
  if (at === undefined) return null;
  if (step === "month") return words.charts.since(format.month(at));
  return words.charts.since(step === "day" ? format.dayOfMonth(at) : format.clock(at));
}

function momentName(at: number, step: ChartStep, format: Format): string {
  if (step === "month") return format.month(at);
  return step === "day" ? `${format.weekday(at)} ${format.dayOfMonth(at)}` : format.dayAndClock(at);
}

/** The tooltip of a moment: its name, then a line for each outcome with count and share. */
export function momentText(chart: ChartData, index: number, locale: Locale): string {
  const { words, format } = locale;
  const { times, series, step, before, names } = chart;
  const at = times[index] ?? 0;
  const name = momentName(at, step, format);
  const all = totalsOf(series)[index] ?? null;
  if (all === null) return `${name}\n${words.charts.noData}`;
  const lines = series.flatMap(({ outcome, values }) => {
    const value = values[index] ?? 0;
    const share = all === 0 ? "" : format.percent(value / all);
    return value === 0
      ? []
      : [`${names?.[outcome] ?? words.charts.series[outcome]}\t${format.number(value)}\t${share}`];
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
