/** Which queries a database can run: a copy with an older schema lacks some tables. */
import type { Database } from "bun:sqlite";

/** True for a query whose tables exist. */
export function canQuery(database: Database): (sql: string) => boolean {
  const tables = database.query<{ name: string }, []>("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
  const names = new Set(tables.map(({ name }) => name));
  return (sql) => names.has(/ FROM (\w+)/.exec(sql)?.[1] ?? "");
}
