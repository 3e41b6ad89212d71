/** The part of a list that a page shows: what was searched for, fifty at a time. */
import type { ListPart } from "../components/collection.tsx";
import { cleanInput, parseWholeNumber } from "../format/input.ts";

const rowsShown = 50;

/** What the address of a list says: `?q=clinic&page=2`. */
export interface AskedPart {
  q: string;
  /** From 1. */
  page: number;
}

export const askedPart = (query: URLSearchParams): AskedPart => ({
  q: cleanInput(query.get("q") ?? ""),
  page: parseWholeNumber(query.get("page") ?? "") ?? 1,
});

/** `textOf`: what the search looks at. A page behind the last is the last. */
export function listPart<Row>(
  all: readonly Row[],
  { q, page }: AskedPart,
  textOf: (row: Row) => string,
): ListPart<Row> {
  const sought = q.toLowerCase();
  const found = sought === "" ? all : all.filter((row) => cleanInput(textOf(row)).toLowerCase().includes(sought));
  const pages = Math.max(1, Math.ceil(found.length / rowsShown));
  const shown = Math.min(Math.max(1, page), pages);
  const from = (shown - 1) * rowsShown;
  return {
    rows: found.slice(from, from + rowsShown),
    q,
    page: shown,
    pages,
    from,
    found: found.length,
    all: all.length,
  };
}

/** The same part of the list, as its page shows it. */
export const shownAs = <Row, Item>(part: ListPart<Row>, itemOf: (row: Row) => Item): ListPart<Item> => ({
  ...part,
  rows: part.rows.map(itemOf),
});
