/** Texts of hot statements, derived from the schema once, when a module is loaded: drizzle itself runs on no hot path. */
import { getTableColumns, getTableName } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";

declare const selected: unique symbol;

/** `message.id AS id, message.tracking_code AS trackingCode, …`, and the type of the rows that it selects. */
export type ColumnList<Row> = string & { readonly [selected]?: Row };

/** The rows of a column list. */
export type RowOf<List> = List extends ColumnList<infer Row> ? Row : never;

type Key<Table extends SQLiteTable> = keyof Table["$inferSelect"] & string;

/** As bun:sqlite gives it: a boolean is 0 or 1, JSON is its text. */
type Raw<Value> = Value extends boolean ? number : Value extends readonly unknown[] ? string : Value;

type RawRow<Table extends SQLiteTable, Keys extends Key<Table>> = {
  [Name in Keys]: Raw<Table["$inferSelect"][Name]>;
};

/** These columns, or all columns of the table. */
export function columnsOf<Table extends SQLiteTable, Keys extends Key<Table> = Key<Table>>(
  table: Table,
  ...keys: readonly Keys[]
): ColumnList<RawRow<Table, Keys>> {
  const names = keys.length > 0 ? keys : Object.keys(getTableColumns(table));
  const prefix = getTableName(table);
  return names.map((key) => `${prefix}.${columnName(table, key)} AS ${key}`).join(", ");
}

/** Like `insertInto`, for several rows: `VALUES (?, …), (?, …)`. */
export function insertRowsInto<Table extends SQLiteTable>(
  table: Table,
  keys: readonly Key<Table>[],
  rows: number,
): string {
  return insertInto(table, ...keys) + moreRows(keys, rows);
}

const moreRows = (keys: readonly string[], rows: number) => `, (${keys.map(() => "?").join(", ")})`.repeat(rows - 1);

/** `INSERT INTO … (…) VALUES (?, …)`; the values are bound in the order of the keys. */
export function insertInto<Table extends SQLiteTable>(table: Table, ...keys: readonly Key<Table>[]): string {
  return `INSERT INTO ${valuesFor(table, keys)}`;
}

/** Like `insertInto`, but replaces a row with the same primary key. */
export function replaceInto<Table extends SQLiteTable>(table: Table, ...keys: readonly Key<Table>[]): string {
  return `INSERT OR REPLACE INTO ${valuesFor(table, keys)}`;
}

/** Like `replaceInto`, for several rows. */
export function replaceRowsInto<Table extends SQLiteTable>(
  table: Table,
  keys: readonly Key<Table>[],
  rows: number,
): string {
  return replaceInto(table, ...keys) + moreRows(keys, rows);
}

function valuesFor(table: SQLiteTable, keys: readonly string[]): string {
  const names = keys.map((key) => columnName(table, key)).join(", ");
  return `${getTableName(table)} (${names}) VALUES (${keys.map(() => "?").join(", ")})`;
}

function columnName(table: SQLiteTable, key: string): string {
  const column = getTableColumns(table)[key];
  if (column === undefined) throw new Error(`The table ${getTableName(table)} has no column for ${key}`);
  return column.name;
}
