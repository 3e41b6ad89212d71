/** A part of a table: what a search found in SQLite, some rows at a time. */
import { and, eq, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { characterSpellings, comparableText } from "../domain/clean-input.ts";
import { type ListRange, type PartOfList, partBegin, partOfFound } from "../domain/list-part.ts";
import { Slices } from "../platform/next-turn.ts";
import type { Drizzle } from "./drizzle.ts";
import { account } from "./schema.ts";

interface SearchedTable<Key, Row> {
  count(): number;
  /** In the order of the list. A limit of -1 is none. */
  keys(limit: number, offset: number): Key[];
  /** Those of these keys whose text is like the sought one, in their order. */
  alike(keys: readonly Key[], isAlike: (text: SQL) => SQL): Key[];
  /** In the order of the list. */
  rows(keys: readonly Key[]): Row[];
}

/** What a search looks through in one query takes about as long. */
const queryMs = 2;

export async function partOfTable<Key, Row>(
  range: ListRange,
  table: SearchedTable<Key, Row>,
): Promise<PartOfList<Row>> {
  const { query, limit } = range;
  const sought = comparableText(query);
  const total = table.count();
  if (sought === "") {
    const offset = partBegin(total, range);
    return { rows: table.rows(table.keys(limit, offset)), offset, found: total, total };
  }
  const part = partOfFound(await search(table, sought), total, range);
  return { ...part, rows: table.rows(part.rows) };
}

/** Texts are read in slices: ten thousand of them take a quarter of a second, and one of 2,000 letters alone up to some milliseconds. */
async function search<Key>({ keys, alike }: SearchedTable<Key, unknown>, sought: string): Promise<Key[]> {
  const glob = `*${globOf(sought)}*`;
  const isAlike = (text: SQL): SQL => sql`${text} GLOB ${glob}`;
  const all = keys(-1, 0);
  const found: Key[] = [];
  const slices = new Slices();
  for (let from = 0, size = 1; from < all.length; ) {
    const begunAt = performance.now();
    found.push(...alike(all.slice(from, from + size), isAlike));
    from += size;
    size = performance.now() - begunAt < queryMs ? 2 * size : Math.ceil(size / 2);
    await slices.pause();
  }
  return found;
}

type Key = string | number;

/** Given as one value: a statement of its own for each number of keys would be made. */
export const isAmong = (column: SQLWrapper, keys: readonly Key[]): SQL =>
  sql`${column} IN (SELECT value FROM json_each(${JSON.stringify(keys)}))`;

interface OwnedTable<Row> {
  table: SQLiteTable;
  key: SQLiteColumn;
  /** Whose a row is; null for nobody's. */
  accountId: SQLiteColumn;
  /** Undefined for every row. */
  isListed: SQL | undefined;
  order: readonly SQLWrapper[];
  /** What the search looks at; the account's columns may be a part of it. */
  text: SQL;
  rows(where: SQL): Row[];
}

/** A part of a table whose rows are accounts'. */
export function partOfOwned<Row>(drizzle: Drizzle, range: ListRange, owned: OwnedTable<Row>): Promise<PartOfList<Row>> {
  const { table, key, accountId, isListed, order, text, rows } = owned;
  const keyed = () => drizzle.select({ key: sql<Key>`${key}` }).from(table);
  const ordered = order.map((one) => sql`${one}`);
  return partOfTable<Key, Row>(range, {
    count: () => drizzle.select({ rows: sql<number>`count(*)` }).from(table).where(isListed).get()?.rows ?? 0,
    keys: (limit, offset) =>
      keyed()
        .where(isListed)
        .orderBy(...ordered)
        .limit(limit)
        .offset(offset)
        .all()
        .map((row) => row.key),
    alike: (keys, isAlike) =>
      keyed()
        .leftJoin(account, eq(account.id, accountId))
        .where(and(isAmong(key, keys), isAlike(text)))
        .orderBy(...ordered)
        .all()
        .map((row) => row.key),
    rows: (keys) => rows(isAmong(key, keys)),
  });
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
