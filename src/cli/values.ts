/** Parses option values: numbers, durations, lists. Each function throws UsageError for an invalid value. */
import { InvalidArgumentError } from "@commander-js/extra-typings";
import { UsageError } from "./errors.ts";

export function wholeNumber(option: string, text: string, min: number, max: number): number {
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  throw new UsageError(`${option} must be a whole number from ${min} to ${max}, not "${text}".`);
}

/** Positive or negative, but not 0: `-500`. */
export function signedNumber(option: string, text: string, max: number): number {
  const value = /^[+-]?\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (value !== 0 && Math.abs(value) <= max) return value;
  throw new UsageError(`${option} must be a whole number from -${max} to ${max} other than 0, not "${text}".`);
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

/** `a,b` or repeated options; may be empty. */
export function collectAny(text: string, before: readonly string[] = []): string[] {
  const entries = text.split(",").map((entry) => entry.trim());
  return [...before, ...entries.filter((entry) => entry !== "")];
}

/** The same with at least one entry: an empty shell variable must not lift a limit. */
export function collect(text: string, before: readonly string[] = []): string[] {
  const entries = collectAny(text);
  if (entries.length === 0) throw new InvalidArgumentError("It names nothing.");
  return [...before, ...entries];
}

/** Whether a list option consists of this one word, such as `all`. */
export const isOnly = (words: readonly string[], word: string) => words.length === 1 && words[0] === word;

/** Throws UsageError for a word that is not in `known`. */
export function oneWordOf<Word extends string>(option: string, known: readonly Word[], word: string): Word {
  const found = known.find((one) => one === word);
  if (found !== undefined) return found;
  throw new UsageError(`${option} must be one of ${known.join(", ")}, not "${word}".`);
}
