/** One page of a table: the rows a search found in SQLite, a limited number at a time. */
import { and, eq, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { characterSpellings, comparableText } from "../domain/clean-input.ts";
import { type ListRange, type PartOfList, partBegin, partOfFound } from "../domain/list-part.ts";
import { Slices } from "../platform/next-turn.ts";
import type { Drizzle } from "./drizzle.ts";
import { account } from "./schema.ts";

interface SearchedTable<Key, Row> {
  count(): number;
  /** In list order. A limit of -1 means no limit. */
  keys(limit: number, offset: number): Key[];
  /** Those of these keys whose text matches the search, in their order. */
  alike(keys: readonly Key[], isAlike: (text: SQL) => SQL): Key[];
  /** In list order. */
  rows(keys: readonly Key[]): Row[];
}

/** Target duration of one query of a search. */
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

/**
 * Texts are read in slices: ten thousand take a quarter of a second, and a single one of 2,000 characters up to a few
 * milliseconds.
 */
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

/** Passed as a single value: otherwise each number of keys would need its own statement. */
export const isAmong = (column: SQLWrapper, keys: readonly Key[]): SQL =>
  sql`${column} IN (SELECT value FROM json_each(${JSON.stringify(keys)}))`;

interface OwnedTable<Row> {
  table: SQLiteTable;
  key: SQLiteColumn;
  /** The account that owns a row; null if nobody does. */
  accountId: SQLiteColumn;
  /** Undefined to list every row. */
  isListed: SQL | undefined;
  order: readonly SQLWrapper[];
  /** The searched text; may include the account's columns. */
  text: SQL;
  rows(where: SQL): Row[];
}

/** One page of a table whose rows belong to accounts. */
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

/**
 * LIKE ignores case only in ASCII and knows no digits of other scripts, so each character becomes a set of its
 * spellings.
 */
function globOf(sought: string): string {
  return [...sought]
    .map((one) => {
      const spellings = characterSpellings(one);
      const isPlain = spellings.length === 1 && !"*?[".includes(one);
      return isPlain ? one : `[${spellings.join("")}]`;
    })
    .join("");
}
