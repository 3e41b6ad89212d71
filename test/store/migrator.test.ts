/** Opening a data folder: new, old, newer, edited, broken, taken. */
import { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { cpSync, existsSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { getTableColumns, getTableName, isTable } from "drizzle-orm";
import { DataFolderInUse, openDatabase } from "../../src/store/database.ts";
import { migrations } from "../../src/store/migrations.ts";
import { MigrationRefused } from "../../src/store/migrator.ts";
import * as schema from "../../src/store/schema.ts";
import { temporaryFolder } from "../support/test-server.ts";
import { testWith } from "../support/wants.ts";

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

const first = { number: 1, name: "first", sql: "CREATE TABLE a (id INTEGER PRIMARY KEY) STRICT;" };
const second = { number: 2, name: "second", sql: "CREATE TABLE b (id INTEGER PRIMARY KEY) STRICT;" };

function open(known: Parameters<typeof openDatabase>[2]) {
  const opened = openDatabase(folder.path, 1_000, known);
  const tables = opened.database
    .query<{ name: string }, []>("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    .all()
    .map(({ name }) => name);
  opened.close();
  return tables;
}

test("a new folder gets every migration, and opening it again changes nothing", () => {
  expect(open([first, second])).toEqual(["a", "b", "migration"]);
  expect(open([first, second])).toEqual(["a", "b", "migration"]);
});

test("an upgrade keeps a copy of the database from before", () => {
  open([first]);
  expect(existsSync(join(folder.path, "before-migration-2.db"))).toBe(false);
  open([first, second]);
  const snapshot = new Database(join(folder.path, "before-migration-2.db"), { readonly: true });
  const names = snapshot.query<{ name: string }, []>("SELECT name FROM migration").all();
  snapshot.close();
  expect(names).toEqual([{ name: "first" }]);
});

const third = { number: 3, name: "third", sql: "CREATE TABLE c (id INTEGER PRIMARY KEY) STRICT;" };
const kept = () => readdirSync(folder.path).filter((name) => name.startsWith("before-migration"));
const migrationsIn = (name: string) => {
  const database = new Database(join(folder.path, name), { readonly: true });
  const rows = database.query<{ name: string }, []>("SELECT name FROM migration ORDER BY number").all();
  database.close();
  return rows.map((row) => row.name);
};

testWith("strace")("an upgrade killed at any sync leaves one copy from before", async () => {
  open([first]);
  const untouched = join(folder.path, "..", `untouched-${process.pid}`);
  cpSync(folder.path, untouched, { recursive: true });
  const script = `
    import { openDatabase } from ${JSON.stringify(join(import.meta.dir, "../../src/store/database.ts"))};
    openDatabase(${JSON.stringify(folder.path)}, 2, ${JSON.stringify([first, second, third])}).close();`;
  for (let when = 1, killed = true; killed; when += 1) {
    rmSync(folder.path, { recursive: true });
    cpSync(untouched, folder.path, { recursive: true });
    const inject = ["-e", "trace=fsync", "-e", `inject=fsync:signal=KILL:when=${when}`];
    const run = ["strace", "-D", "-f", "-qq", "-o", "/dev/null", ...inject, process.execPath, "-e", script];
    killed = Bun.spawnSync(run).signalCode === "SIGKILL";
    expect(open([first, second, third])).toEqual(["a", "b", "c", "migration"]);
    expect({ when, kept: kept() }).toEqual({ when, kept: ["before-migration-2.db"] });
    expect(migrationsIn("before-migration-2.db")).toEqual(["first"]);
    expect(when).toBeLessThan(40);
  }
  rmSync(untouched, { recursive: true });
});

test("an upgrade after another one keeps its own copy", () => {
  open([first]);
  open([first, second]);
  expect(kept()).toEqual(["before-migration-2.db"]);
  open([first, second, third]);
  expect(kept().sort()).toEqual(["before-migration-2.db", "before-migration-3.db"]);
  expect(migrationsIn("before-migration-3.db")).toEqual(["first", "second"]);
});

test("a build that serves after an interrupted upgrade ends that upgrade, and the next keeps its own copy", () => {
  open([first]);
  const broken = { number: 3, name: "broken", sql: "INSERT INTO nowhere VALUES (1);" };
  expect(() => open([first, second, broken])).toThrow(MigrationRefused);
  expect(() => open([first, second, broken])).toThrow(MigrationRefused);
  expect(kept()).toEqual(["before-migration-2.db"]);
  open([first, second]);
  open([first, second, third]);
  expect(kept().sort()).toEqual(["before-migration-2.db", "before-migration-3.db"]);
});

test("each step of an upgrade is announced before it begins, and nothing for a new folder", () => {
  const told: string[] = [];
  const tell = ({ name }: { name: string }) => void told.push(name);
  openDatabase(folder.path, 1_000, [first], tell).close();
  openDatabase(folder.path, 1_000, [first, second], tell).close();
  openDatabase(folder.path, 1_000, [first, second], tell).close();
  expect(told).toEqual(["second"]);
});

test("a database of a newer Peyk is refused in helpful words", () => {
  open([first, second]);
  expect(() => open([first])).toThrow(/newer Peyk.*Install that version again/);
});

test("an edited migration is refused", () => {
  open([first]);
  expect(() => open([{ ...first, sql: `${first.sql} -- edited` }])).toThrow(/edited after it was applied/);
});

test("a migration that fails is undone entirely, and the old build still opens the database", () => {
  open([first]);
  const broken = {
    number: 2,
    name: "broken",
    sql: "CREATE TABLE c (id INTEGER) STRICT; INSERT INTO nowhere VALUES (1);",
  };
  expect(() => open([first, broken])).toThrow(MigrationRefused);
  expect(open([first])).toEqual(["a", "migration"]);
});

test("a migration that leaves dangling references is undone", () => {
  const parent = {
    ...first,
    sql: `CREATE TABLE a (id INTEGER PRIMARY KEY) STRICT; CREATE TABLE child (a INTEGER REFERENCES a (id)) STRICT;
          INSERT INTO a VALUES (1); INSERT INTO child VALUES (1);`,
  };
  open([parent]);
  expect(() => open([parent, { number: 2, name: "orphans", sql: "DELETE FROM a;" }])).toThrow(/refer to nothing/);
});

test("a second process on the same folder is refused", () => {
  const opened = openDatabase(folder.path, 1_000, [first]);
  expect(() => openDatabase(folder.path, 1_000, [first])).toThrow(DataFolderInUse);
  opened.close();
  openDatabase(folder.path, 1_000, [first]).close();
});

test("a lock that cannot be taken for another reason is not reported as a second process", () => {
  openDatabase(folder.path, 1_000, [first]).close();
  writeFileSync(join(folder.path, "peyk.lock"), "not a database, and longer than the header of one".repeat(20));
  const open = () => openDatabase(folder.path, 1_000, [first]);
  expect(open).toThrow(/peyk\.lock cannot be locked: file is not a database \(SQLITE_NOTADB\)/);
  rmSync(join(folder.path, "peyk.lock"));
  open().close();
});

test("the lock leaves no journal, which a full disk could not hold", () => {
  const opened = openDatabase(folder.path, 1_000, [first]);
  expect(existsSync(join(folder.path, "peyk.lock-journal"))).toBe(false);
  opened.close();
});

test("the database is readable by its owner only", () => {
  open([first]);
  expect(statSync(join(folder.path, "peyk.db")).mode & 0o777).toBe(0o600);
});

test("migrations are numbered without gaps, and every table is STRICT", () => {
  expect(migrations.map(({ number }) => number)).toEqual(migrations.map((_, index) => index + 1));
  const { database, close } = openDatabase(folder.path, 1_000);
  const loose = database.query("SELECT name FROM pragma_table_list WHERE strict = 0 AND name NOT LIKE 'sqlite%'").all();
  close();
  expect(loose).toEqual([]);
});

test("the schema has every table and column that the migrations created", () => {
  const { database, close } = openDatabase(folder.path, 1_000);
  const made = database
    .query<{ name: string }, []>(
      "SELECT name FROM pragma_table_list WHERE name NOT LIKE 'sqlite%' AND name <> 'migration'",
    )
    .all();
  const tables = Object.values(schema).filter((one) => isTable(one));
  expect(tables.map((table): string => getTableName(table)).sort()).toEqual(made.map(({ name }) => name).sort());
  for (const table of tables) {
    const columns = database
      .query<{ name: string; required: number }, [string]>(
        `SELECT name, "notnull" OR pk AS required FROM pragma_table_info(?) ORDER BY name`,
      )
      .all(getTableName(table));
    const declared = Object.values(getTableColumns(table))
      .map((column) => ({ name: column.name, required: Number(column.notNull || column.primary) }))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
    expect({ table: getTableName(table), columns }).toEqual({ table: getTableName(table), columns: declared });
  }
  close();
});
