/** The part of a list that a page shows: what was searched for, fifty at a time. */
import { type ListRange, type PartOfList, partOfList } from "../../domain/list-part.ts";
import type { ListPart } from "../components/collection.tsx";
import { cleanInput, parseWholeNumber } from "../format/input.ts";

const rowsShown = 50;

/** What the address of a list says: `?q=clinic&page=2`. */
export interface AskedPart {
  q: string;
  /** From 1. */
  page: number;
}

export const firstPart: AskedPart = { q: "", page: 1 };

export const askedPart = (query: URLSearchParams): AskedPart => ({
  q: cleanInput(query.get("q") ?? ""),
  page: parseWholeNumber(query.get("page") ?? "") ?? 1,
});

/** `textOf`: what the search looks at. A page behind the last is the last. */
export const listPart = <Row>(all: readonly Row[], asked: AskedPart, textOf: (row: Row) => string): ListPart<Row> =>
  shownPart(partOfList(all, rangeOf(asked), textOf), asked, (row) => row);

/** What the operator API is asked for. */
export const rangeOf = ({ q, page }: AskedPart): ListRange => ({
  query: q,
  limit: rowsShown,
  offset: (Math.max(1, page) - 1) * rowsShown,
});

/** A part of a list, as its page shows it. */
export const shownPart = <Row, Item>(
  { rows, offset, found, total }: PartOfList<Row>,
  { q }: AskedPart,
  itemOf: (row: Row) => Item,
): ListPart<Item> => ({
  rows: rows.map(itemOf),
  q,
  page: offset / rowsShown + 1,
  pages: Math.max(1, Math.ceil(found / rowsShown)),
  from: offset,
  found,
  all: total,
});

/** The same part of the list, as its page shows it. */
export const shownAs = <Row, Item>(part: ListPart<Row>, itemOf: (row: Row) => Item): ListPart<Item> => ({
  ...part,
  rows: part.rows.map(itemOf),
});
