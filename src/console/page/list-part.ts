/** The part of a list on a page: the matches of a search fifty at a time, or the beginning of the list. */
import { type ListRange, type PartOfList, partOfList } from "../../domain/list-part.ts";
import type { ListPart } from "../components/collection.tsx";
import { cleanInput, parseWholeNumber } from "../format/input.ts";

const rowsShown = 50;
/** With a sparkline in each row, fifty in Persian weigh more than a page may. */
export const sparklinesShown = 40;

/** A list's parameters in the address: `?q=clinic&page=2`. */
export interface AskedPart {
  q: string;
  /** From 1. */
  page: number;
  /** Rows per page; fifty by default. */
  rows?: number;
}

/** For a page with other content besides the list: it links to a page that has the whole list. */
export const listBeginning: AskedPart = { q: "", page: 1, rows: 5 };

export const askedPart = (query: URLSearchParams): AskedPart => ({
  q: cleanInput(query.get("q") ?? ""),
  page: parseWholeNumber(query.get("page") ?? "") ?? 1,
});

/** `textOf`: the text to search. A page beyond the last becomes the last. */
export const listPart = <Row>(all: readonly Row[], asked: AskedPart, textOf: (row: Row) => string): ListPart<Row> =>
  shownPart(partOfList(all, rangeOf(asked), textOf), asked);

/** The part of a list that the address asks for, read from the operator API. */
export async function askedList<Row>(
  query: URLSearchParams,
  read: (range: ListRange) => Promise<PartOfList<Row>>,
): Promise<ListPart<Row>> {
  const asked = askedPart(query);
  return shownPart(await read(rangeOf(asked)), asked);
}

/** The query for the operator API. */
export const rangeOf = ({ q, page, rows = rowsShown }: AskedPart): ListRange => ({
  query: q,
  limit: rows,
  offset: (Math.max(1, page) - 1) * rows,
});

/** A part of a list, for display on its page. */
export const shownPart = <Row>(
  { rows, offset, found, total }: PartOfList<Row>,
  { q, rows: shown = rowsShown }: AskedPart,
): ListPart<Row> => ({
  rows,
  q,
  page: offset / shown + 1,
  pages: Math.max(1, Math.ceil(found / shown)),
  from: offset,
  found,
  all: total,
});

/** The same part with its rows converted for display. */
export const shownAs = <Row, Item>(part: ListPart<Row>, itemOf: (row: Row) => Item): ListPart<Item> => ({
  ...part,
  rows: part.rows.map(itemOf),
});
