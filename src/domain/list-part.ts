/** A part of a list: what a search found, some rows at a time. */
import { comparableText } from "./clean-input.ts";

export interface ListRange {
  /** Looked for in each row's text, in any letter case; empty for everything. */
  query: string;
  /** From 1. */
  limit: number;
  /** How many stand before the first. */
  offset: number;
}

export interface PartOfList<Row> {
  rows: readonly Row[];
  /** How many stand before the first of the rows. */
  offset: number;
  /** How many the search found, and how many there are. */
  found: number;
  total: number;
}

/** Where the part begins: an offset behind the last row that was found gives the last part. */
export function partBegin(found: number, { limit, offset }: Pick<ListRange, "limit" | "offset">): number {
  const last = Math.max(0, Math.ceil(found / limit) - 1) * limit;
  return Math.min(offset, last);
}

/** `textOf`: what the search looks at. */
export function partOfList<Row>(
  all: readonly Row[],
  { query, limit, offset }: ListRange,
  textOf: (row: Row) => string,
): PartOfList<Row> {
  const sought = comparableText(query);
  const found = sought === "" ? all : all.filter((row) => comparableText(textOf(row)).includes(sought));
  return partOfFound(found, all.length, { limit, offset });
}

/** Of what a search has found already, among `total`. */
export function partOfFound<Row>(
  found: readonly Row[],
  total: number,
  { limit, offset }: Pick<ListRange, "limit" | "offset">,
): PartOfList<Row> {
  const from = partBegin(found.length, { limit, offset });
  return { rows: found.slice(from, from + limit), offset: from, found: found.length, total };
}
