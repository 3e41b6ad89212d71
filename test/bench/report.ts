/** A row of the report: what was measured, beside its control in the same run, and the bar it is held to. */

export interface Measure {
  /** The row's subject, and what it stands beside. */
  what: string;
  measured: string;
  control?: string;
  /** Measured over control, or the other way round where less is better. */
  ratio?: number;
  bar?: string;
  /** Whether the bar was reached; left out where there is none. */
  met?: boolean;
}

const columns = ["what", "measured", "control", "ratio", "bar", ""] as const;

export function printReport(measures: readonly Measure[]): void {
  const rows = measures.map((measure) => [
    measure.what,
    measure.measured,
    measure.control ?? "",
    measure.ratio?.toFixed(2) ?? "",
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

export const milliseconds = (ms: number): string => `${ms.toFixed(ms < 10 ? 1 : 0)} ms`;

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** The value below which `share` of them lie. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(Math.floor(sorted.length * share), sorted.length - 1)] ?? Number.NaN;
}
