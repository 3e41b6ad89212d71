import { expect, test } from "bun:test";
import { getTableColumns, getTableName, is } from "drizzle-orm";
import { SQLiteTable } from "drizzle-orm/sqlite-core";
import { personalData } from "../../src/store/personal-data.ts";
import * as schema from "../../src/store/schema.ts";

test("every table with texts or octets states what erasing a recipient does to it", () => {
  const holding = Object.values(schema).flatMap((table) => {
    if (!is(table, SQLiteTable)) return [];
    const columns = Object.values(getTableColumns(table));
    const holds = columns.some((column) => ["string", "buffer", "custom", "json"].includes(column.dataType));
    return holds ? [getTableName(table)] : [];
  });
  expect(holding.length).toBeGreaterThan(30);
  expect(holding.filter((name) => personalData[name] === undefined)).toEqual([]);
  const known: string[] = Object.values(schema).flatMap((table) =>
    is(table, SQLiteTable) ? [getTableName(table)] : [],
  );
  expect(Object.keys(personalData).filter((name) => !known.includes(name))).toEqual([]);
});
