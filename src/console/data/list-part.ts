/** The part of a list that a page shows: what was searched for, fifty at a time, or the beginning of all. */
import { type ListRange, type PartOfList, partOfList } from "../../domain/list-part.ts";
import type { ListPart } from "../components/collection.tsx";
import { cleanInput, parseWholeNumber } from "../format/input.ts";

const rowsShown = 50;

/** What the address of a list says: `?q=clinic&page=2`. */
export interface AskedPart {
  q: string;
  /** From 1. */
  page: number;
  /** How many a page shows; fifty where it is left out. */
  rows?: number;
}

/** For a page of more than the list: a page of all its own leads to the others. */
export const listBeginning: AskedPart = { q: "", page: 1, rows: 5 };

export const askedPart = (query: URLSearchParams): AskedPart => ({
  q: cleanInput(query.get("q") ?? ""),
  page: parseWholeNumber(query.get("page") ?? "") ?? 1,
});

/** `textOf`: what the search looks at. A page behind the last is the last. */
export const listPart = <Row>(all: readonly Row[], asked: AskedPart, textOf: (row: Row) => string): ListPart<Row> =>
  shownPart(partOfList(all, rangeOf(asked), textOf), asked, (row) => row);

/** What the operator API is asked for. */
export const rangeOf = ({ q, page, rows = rowsShown }: AskedPart): ListRange => ({
  query: q,
  limit: rows,
  offset: (Math.max(1, page) - 1) * rows,
});

/** A part of a list, as its page shows it. */
export const shownPart = <Row, Item>(
  { rows, offset, found, total }: PartOfList<Row>,
  { q, rows: shown = rowsShown }: AskedPart,
  itemOf: (row: Row) => Item,
): ListPart<Item> => ({
  rows: rows.map(itemOf),
  q,
  page: offset / shown + 1,
  pages: Math.max(1, Math.ceil(found / shown)),
  from: offset,
  found,
  all: total,
});

/** The same part of the list, as its page shows it. */
export const shownAs = <Row, Item>(part: ListPart<Row>, itemOf: (row: Row) => Item): ListPart<Item> => ({
  ...part,
  rows: part.rows.map(itemOf),
});
