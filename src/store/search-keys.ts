/**
 * Keys of the search index: numbers by their last digits, references by a hash. Whoever finds an entry reads the
 * message to verify it.
 */
import type { searchPage } from "./schema.ts";

export type SearchKind = (typeof searchPage.$inferSelect)["kind"];

/** Ids per run, chosen so that key and message fit into one exact number. */
export const runIds = 32_768;

/** Digits of a number in its key, last digit first: a search by last digits is then a range. */
const keyDigits = 11;

const reversed = (value: number, digits: number): number =>
  digits === 1 ? value : (value % 10) * 10 ** (digits - 1) + reversed(Math.floor(value / 10), digits - 1);
const reversedThree = Array.from({ length: 1_000 }, (_, value) => reversed(value, 3));
const reversedTwo = Array.from({ length: 100 }, (_, value) => reversed(value, 2));

/** `lastDigits`: the last eleven of the number. By table 0.03 µs, digit by digit 0.9. */
export function recipientKey(lastDigits: number): number {
  const low = lastDigits % 1_000_000;
  const high = Math.floor(lastDigits / 1_000_000);
  const three = (value: number) => reversedThree[value] ?? 0;
  return (
    three(low % 1_000) * 100_000_000 +
    three(Math.floor(low / 1_000)) * 100_000 +
    three(high % 1_000) * 100 +
    (reversedTwo[Math.floor(high / 1_000)] ?? 0)
  );
}

/** 38 bits of xxHash64: the algorithm is fixed, because keys are stored on disk. */
export function referenceKey(reference: string): number {
  return Number(Bun.hash.xxHash64(reference) >> 26n);
}

/** Keys from `low` up to but not including `high`. */
export interface KeyRange {
  kind: SearchKind;
  low: number;
  high: number;
}

/** The range of all numbers ending in these digits; only the last eleven are used. */
export function recipientRange(digits: string): KeyRange {
  const last = digits.slice(-keyDigits);
  const span = 10 ** (keyDigits - last.length);
  const low = Number([...last].reverse().join("")) * span;
  return { kind: "recipient", low, high: low + span };
}

export function referenceRange(reference: string): KeyRange {
  const key = referenceKey(reference);
  return { kind: "reference", low: key, high: key + 1 };
}
