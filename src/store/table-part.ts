/** A part of a table: what a search found in SQLite, some rows at a time. */
import { type SQL, sql } from "drizzle-orm";
import { characterSpellings, comparableText } from "../domain/clean-input.ts";
import { type ListRange, type PartOfList, partBegin } from "../domain/list-part.ts";

interface SearchedTable<Row> {
  /** What the search looks at. */
  text: SQL;
  count(where: SQL | undefined): number;
  rows(where: SQL | undefined, limit: number, offset: number): Row[];
}

export function partOfTable<Row>(range: ListRange, { text, count, rows }: SearchedTable<Row>): PartOfList<Row> {
  const { query, limit } = range;
  const sought = comparableText(query);
  const where = sought === "" ? undefined : sql`${text} GLOB ${`*${globOf(sought)}*`}`;
  const total = count(undefined);
  const found = where === undefined ? total : count(where);
  const offset = partBegin(found, range);
  return { rows: rows(where, limit, offset), offset, found, total };
}

/** LIKE knows letter case in ASCII alone, and no digit of another script: each character is a set of its spellings. */
function globOf(sought: string): string {
  return [...sought]
    .map((one) => {
      const spellings = characterSpellings(one);
      const isPlain = spellings.length === 1 && !"*?[".includes(one);
      return isPlain ? one : `[${spellings.join("")}]`;
    })
    .join("");
}
