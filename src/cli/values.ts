/** Parses option values: numbers, durations, dates, lists. Each throws UsageError for a value that it does not take. */
import { UsageError } from "./errors.ts";

export function wholeNumber(option: string, text: string, min: number, max: number): number {
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  throw new UsageError(`${option} must be a whole number from ${min} to ${max}, not "${text}".`);
}

const unitSeconds: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

/** `90s`, `15m`, `24h`, `7d`, or `0`. */
export function durationSeconds(option: string, text: string): number {
  const match = /^(\d{1,9})([smhd])$/.exec(text);
  const unit = match?.[2] === undefined ? undefined : unitSeconds[match[2]];
  if (match !== null && unit !== undefined) return Number(match[1]) * unit;
  if (text === "0") return 0;
  throw new UsageError(`${option} must be a duration such as 90s, 15m, 24h or 7d, not "${text}".`);
}

const dateOnly = /^\d{4}-\d{2}-\d{2}$/;
const withOffset = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/;

/** A date (its beginning in UTC) or a time with an offset, as the API takes it. */
export function timeText(option: string, text: string): string {
  const full = dateOnly.test(text) ? `${text}T00:00:00Z` : text;
  const at = withOffset.test(full) ? Date.parse(full) : Number.NaN;
  // Date.parse takes 30 February for 1 March.
  const sameDay = new Date(Date.parse(`${full.slice(0, 10)}T00:00:00Z`));
  const exists = !Number.isNaN(sameDay.getTime()) && sameDay.toISOString().startsWith(full.slice(0, 10));
  if (!Number.isNaN(at) && exists) return new Date(at).toISOString();
  throw new UsageError(
    `${option} must be a date (2027-01-31) or a time with an offset (2027-01-31T08:00:00Z), not "${text}".`,
  );
}

/** `a,b` and repeated options alike. */
export function collect(text: string, before: readonly string[] = []): string[] {
  const entries = text.split(",").map((entry) => entry.trim());
  return [...before, ...entries.filter((entry) => entry !== "")];
}
