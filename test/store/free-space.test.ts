/** The remains of rows in pages that they were moved out of are overwritten, while the store is in use. */
import { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { FreeSpace } from "../../src/store/free-space.ts";
import { openStore, type Store } from "../../src/store/store.ts";
import { erasedName, memberAt, moveAndErase, wipe } from "../support/erased-members.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { temporaryFolder } from "../support/test-server.ts";

const now = new ManualClock().now();
let folder: ReturnType<typeof temporaryFolder>;
let store: Store;
beforeEach(() => {
  folder = temporaryFolder();
  store = openStore({ folder: folder.path, now });
});
afterEach(() => {
  store.close();
  folder.remove();
});

const traces = () =>
  ["peyk.db", "peyk.db-wal"].map(
    (name) => readFileSync(join(folder.path, name)).toString("latin1").split(erasedName).length - 1,
  );

const soundness = () => {
  using database = new Database(store.path, { readonly: true });
  return database.query("PRAGMA integrity_check").all();
};

test("copies of erased rows leave the file for good, and nothing else is changed", async () => {
  const listId = await moveAndErase(store, 9_000);
  expect(store.emptyLog()).toBe(true);
  const left = store.tables.groupMembers.slice(listId, 0, 9_000);
  // Without the wiping some remain: otherwise this test would prove nothing.
  expect(traces()[0]).toBeGreaterThan(0);
  await wipe(store);
  expect(traces()).toEqual([0, 0]);
  expect(store.tables.groupMembers.slice(listId, 0, 9_000)).toEqual(left);
  // Pages that were in memory and are written again restore nothing.
  await store.write(({ groupMembers }) => {
    for (let position = 0; position < 6_000; position += 5) groupMembers.fill(listId, position, memberAt(0, "Sara"));
    for (let position = 20_000; position < 20_500; position += 1)
      groupMembers.insert(listId, position, memberAt(1, "Ali"));
  });
  expect(traces()).toEqual([0, 0]);
  expect(store.emptyLog()).toBe(true);
  expect(traces()).toEqual([0, 0]);
  expect(soundness()).toEqual([{ integrity_check: "ok" }]);
}, 180_000);

test("a long reader of the log does not delay overwriting", async () => {
  await moveAndErase(store, 9_000);
  const reader = new Database(store.path, { readonly: true });
  reader.run("BEGIN");
  reader.query("SELECT count(*) FROM group_member").get();
  await store.write(({ accounts }) => accounts.insert({ name: "Bank", status: "active", createdAt: now }));
  const startedAt = performance.now();
  expect([store.emptyLog(), store.wipeFreeSpace(1)]).toEqual([false, "busy"]);
  // SQLite waited for the reader for five seconds, and the service with it.
  expect(performance.now() - startedAt).toBeLessThan(2_000);
  reader.run("COMMIT");
  reader.close();
  await wipe(store);
}, 180_000);

test("pages freed before secure deletion was introduced are overwritten, too", () => {
  const path = join(folder.path, "older.db");
  const older = new Database(path);
  older.run("PRAGMA auto_vacuum = INCREMENTAL");
  older.run("PRAGMA secure_delete = OFF");
  older.run("CREATE TABLE t (x TEXT)");
  older.run(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 8000) INSERT INTO t SELECT '${erasedName.repeat(99)}' FROM n`,
  );
  older.run("DELETE FROM t");
  older.run("INSERT INTO t VALUES ('kept')");
  const found = () => readFileSync(path).toString("latin1").includes(erasedName);
  expect(found()).toBe(true);
  const freeSpace = new FreeSpace(older, path);
  for (let page: number | null = 1; page !== null; ) page = freeSpace.wipe(page);
  expect(found()).toBe(false);
  expect(older.query("PRAGMA integrity_check").all()).toEqual([{ integrity_check: "ok" }]);
  older.run("PRAGMA incremental_vacuum(1000)");
  expect(older.query("SELECT x FROM t").all()).toEqual([{ x: "kept" }]);
  expect(older.query("PRAGMA integrity_check").all()).toEqual([{ integrity_check: "ok" }]);
  older.close();
  freeSpace.close();
});

test("a file without information about its pages is left alone", () => {
  const path = join(folder.path, "other.db");
  const other = new Database(path);
  other.run("CREATE TABLE t (x)");
  const freeSpace = new FreeSpace(other, path);
  expect(freeSpace.isKnown).toBe(false);
  other.close();
  freeSpace.close();
});
