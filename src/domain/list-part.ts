/** One page of a list: rows found by a search, a limited number at a time. */
import { comparableText } from "./clean-input.ts";

export interface ListRange {
  /** Searched for in each row's text, ignoring case; empty to match all. */
  query: string;
  /** At least 1. */
  limit: number;
  /** Rows to skip before the first. */
  offset: number;
}

export interface PartOfList<Row> {
  rows: readonly Row[];
  /** Rows before the first one returned. */
  offset: number;
  /** How many rows the search found, and how many there are in total. */
  found: number;
  total: number;
}

/** Start of the page: an offset past the last row found gives the last page. */
export function partBegin(found: number, { limit, offset }: Pick<ListRange, "limit" | "offset">): number {
  const last = Math.max(0, Math.ceil(found / limit) - 1) * limit;
  return Math.min(offset, last);
}

/** `textOf`: the text to search. */
export function partOfList<Row>(
  all: readonly Row[],
  { query, limit, offset }: ListRange,
  textOf: (row: Row) => string,
): PartOfList<Row> {
  const sought = comparableText(query);
  const found = sought === "" ? all : all.filter((row) => comparableText(textOf(row)).includes(sought));
  return partOfFound(found, all.length, { limit, offset });
}

/** One page of rows already found, out of `total`. */
export function partOfFound<Row>(
  found: readonly Row[],
  total: number,
  { limit, offset }: Pick<ListRange, "limit" | "offset">,
): PartOfList<Row> {
  const from = partBegin(found.length, { limit, offset });
  return { rows: found.slice(from, from + limit), offset: from, found: found.length, total };
}
