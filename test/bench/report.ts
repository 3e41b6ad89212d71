/** The report: each row's figure, its control from the same run, and the bar that it must reach. */

export interface Measure {
  /** What the row measures, and its control. */
  what: string;
  measured: string;
  control?: string;
  /** Measured over control, or the inverse where less is better. */
  ratio?: number;
  /** Of the ratio, with 95 % confidence. */
  interval?: Interval;
  bar?: string;
  /** Whether the bar was reached; omitted if there is none. */
  met?: boolean;
}

export type Interval = readonly [low: number, high: number];

function ratioOf({ ratio, interval }: Measure): string {
  const range = interval === undefined ? "" : ` (${interval.map((end) => end.toFixed(2)).join("–")})`;
  return ratio === undefined ? "" : `${ratio.toFixed(2)}${range}`;
}

const columns = ["what", "measured", "control", "ratio", "bar", ""] as const;

export function printReport(measures: readonly Measure[]): void {
  const rows = measures.map((measure) => [
    measure.what,
    measure.measured,
    measure.control ?? "",
    ratioOf(measure),
    measure.bar ?? "",
    measure.met === undefined ? "" : measure.met ? "met" : "MISSED",
  ]);
  const widths = columns.map((name, index) => Math.max(name.length, ...rows.map((row) => row[index]?.length ?? 0)));
  for (const row of [[...columns], ...rows]) {
    console.log(
      row
        .map((cell, index) => cell.padEnd(widths[index] ?? 0))
        .join("  ")
        .trimEnd(),
    );
  }
}

/** `12,345/s` */
export const perSecond = (rate: number): string => `${Math.round(rate).toLocaleString("en")}/s`;

export const microseconds = (us: number): string => `${us.toFixed(1)} µs`;

export const milliseconds = (ms: number): string => `${ms.toFixed(ms < 10 ? 1 : 0)} ms`;

export const megabytes = (mb: number): string => `${mb.toFixed(0)} MB`;

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

const resamples = 5_000;

/** The 95 % interval of the median of `values`, by bootstrap. */
export function medianInterval(values: readonly number[]): Interval {
  const resample = () => values.map(() => values[Math.floor(Math.random() * values.length)] ?? Number.NaN);
  const medians = Array.from({ length: resamples }, () => median(resample()));
  return [percentile(medians, 0.025), percentile(medians, 0.975)];
}

/** The value below which `share` of them are. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(Math.floor(sorted.length * share), sorted.length - 1)] ?? Number.NaN;
}
