/** Statements of the store are compiled when they are prepared, and never again. */
import { Database, type SQLQueryBindings, type Statement } from "bun:sqlite";
import { expect, spyOn, test } from "bun:test";
import { join } from "node:path";
import { databaseFileName } from "../../src/store/database.ts";
import { PlannedConnection, withoutBareParameters } from "../../src/store/planned-connection.ts";
import { openReader } from "../../src/store/reader.ts";
import { openStore, type Tables } from "../../src/store/store.ts";
import { nativeLibrary } from "../support/native-library.ts";
import { temporaryFolder } from "../support/test-server.ts";
import { testWith } from "../support/wants.ts";

const counter = join(import.meta.dir, "statement-counter.c");

/** These tables prepare their statements at their first use. */
function useLateTables(tables: Tables): void {
  tables.sessions.of(1);
  tables.credentialRequests.newest(Buffer.alloc(32), 0);
  tables.smppAssemblies.byId(1);
  tables.smppSubmits.byId(1);
  tables.credentialDeliveries.nextDue(1, 0);
  tables.campaigns.byId(1);
  tables.messageCallbacks.of(1);
  tables.messages.stubs.run(1, 1);
  tables.recipientData.newestId("message");
}

/** The texts of all statements that the store and its reading thread prepare. */
function preparedTexts(folder: string): string[] {
  const spy = spyOn(Database.prototype, "prepare");
  try {
    const store = openStore({ folder, now: Date.now() });
    useLateTables(store.tables);
    const reader = openReader(store.path);
    reader.campaigns.runs(1);
    reader.close();
    store.close();
    return [...new Set(spy.mock.calls.map(([sql]) => sql))];
  } finally {
    spy.mockRestore();
  }
}

/** Whether the statement is compiled again at its second execution. */
function isRecompiled(database: Database, sql: string): boolean {
  const statement: Statement<unknown, SQLQueryBindings[]> = database.prepare(sql);
  const count = database.prepare<{ times: number }, [string]>("SELECT recompiled(?) AS times");
  const values = Array.from({ length: statement.paramsCount }, (_, index) => index + 1);
  const execute = () => {
    try {
      statement.values(...values);
    } catch {
      // A constraint refuses the values, after the statement was compiled.
    }
    return count.get(sql)?.times ?? 0;
  };
  database.run("BEGIN");
  const first = execute();
  const second = execute();
  database.run("ROLLBACK");
  statement.finalize();
  return second > first;
}

testWith("cc", "/usr/include/sqlite3ext.h")("no statement of the store is compiled again at each execution", () => {
  const folder = temporaryFolder();
  const texts = preparedTexts(folder.path);
  using database = new Database(join(folder.path, databaseFileName), { strict: true });
  database.loadExtension(nativeLibrary(counter), "sqlite3_counter_init");
  const statements = texts.filter((sql) => /^\s*(SELECT|INSERT|UPDATE|DELETE|REPLACE|WITH)/i.test(sql));
  expect(statements.length).toBeGreaterThan(300);
  expect(statements.filter((sql) => isRecompiled(database, sql))).toEqual([]);
  const bare = statements.map((sql) => sql.replaceAll("+?", "?"));
  // The control: with bare parameters SQLite does it, and this counter sees it.
  expect(bare.filter((sql) => isRecompiled(database, sql)).length).toBeGreaterThan(60);
  folder.remove();
});

test("question marks in texts, names and comments are not parameters", () => {
  expect(withoutBareParameters(`SELECT '?''?', "?" FROM a WHERE b = ? AND c IN (?2, ?) -- why?\nLIMIT ?`)).toBe(
    `SELECT '?''?', "?" FROM a WHERE b = +? AND c IN (+?2, +?) -- why?\nLIMIT +?`,
  );
});

test("a parameter hidden from the planner compares, sorts and is stored like a bare one", () => {
  using planned = new PlannedConnection(":memory:", { strict: true });
  using bare = new Database(":memory:", { strict: true });
  const answers = [planned, bare].map((database) => {
    database.run("CREATE TABLE row (id INTEGER PRIMARY KEY, number INTEGER, text TEXT, any)");
    const insert = database.prepare<null, [string | number, string | number, string | number]>(
      "INSERT INTO row (number, text, any) VALUES (?, ?, ?)",
    );
    for (const value of ["1", 2, "٣", "3.0"]) insert.run(value, value, value);
    const select = database.prepare<unknown, [string | number, string | number, string | number, number]>(
      `SELECT id, typeof(number) AS number, typeof(text) AS text, typeof(any) AS any FROM row
       WHERE number = ?1 OR text = ?2 OR any = ?3 ORDER BY any, id LIMIT ?4`,
    );
    return ["1", 1, 2, "2", "٣", 3].map((value) => select.all(value, value, value, 3));
  });
  expect(answers[0]).toEqual(answers[1] ?? []);
  expect(answers[0]?.flat().length).toBeGreaterThan(0);
});
