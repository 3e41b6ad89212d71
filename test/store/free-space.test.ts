/** What rows leave behind in the pages that they were moved out of is overwritten, while the store works on. */
import { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { nextTurn } from "../../src/platform/next-turn.ts";
import { FreeSpace } from "../../src/store/free-space.ts";
import { openStore, type Store } from "../../src/store/store.ts";
import { longestTurn } from "../support/longest-turn.ts";
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

const secret = "Farrokhzad";
const memberAt = (index: number, firstName: string) => {
  const recipient = `+98912${1_000_000 + index}`;
  return { recipient, firstName, lastName: "x".repeat(40 + (index % 50)), fullName: null };
};

/** Members in no order, so that pages are split again and again; then each of them that bears the name is removed. */
async function moveAndErase(count: number): Promise<number> {
  const listId = await store.write(({ accounts, groups }) => {
    const { id: accountId } = accounts.insert({ name: "Clinic", status: "active", createdAt: now });
    const lists = { approvedListId: null, draftListId: null };
    const times = { createdAt: now, updatedAt: now };
    const group = groups.insert({ accountId, code: "g", name: "G", status: "draft", ...lists, ...times });
    const list = { groupId: group.id, memberCount: 0, createdAt: now, approvedAt: null, approvedBy: null };
    return groups.insertList(list).id;
  });
  for (let from = 0; from < count; from += 500) {
    await store.write(({ groupMembers }) => {
      for (let index = from; index < from + 500; index += 1) {
        const position = (index * 7_919) % count;
        groupMembers.insert(listId, position, memberAt(position, position % 3 === 0 ? secret : "Ali"));
      }
    });
  }
  for (let end = count; end > 0; end -= 500) {
    await store.write(({ recipientData }) => {
      for (let position = end - 1; position >= end - 500; position -= 1) {
        if (position % 3 === 0) recipientData.eraseMember(listId, position);
      }
    });
  }
  return listId;
}

const traces = () =>
  ["peyk.db", "peyk.db-wal"].map(
    (name) => readFileSync(join(folder.path, name)).toString("latin1").split(secret).length - 1,
  );

async function wipe(): Promise<void> {
  for (let page: number | null = 1; page !== null; ) {
    const next = store.wipeFreeSpace(page);
    if (next === "busy" || next === "unknown") throw new Error(`The log is ${next}`);
    page = next;
    await nextTurn();
  }
}

const soundness = () => {
  using database = new Database(store.path, { readonly: true });
  return database.query("PRAGMA integrity_check").all();
};

test("copies of erased rows are gone from the file, stay gone, and nothing else is touched", async () => {
  const listId = await moveAndErase(9_000);
  expect(store.emptyLog()).toBe(true);
  const left = store.tables.groupMembers.slice(listId, 0, 9_000);
  // Without the wiping some are there: else this test would show nothing.
  expect(traces()[0]).toBeGreaterThan(0);
  await wipe();
  expect(traces()).toEqual([0, 0]);
  expect(store.tables.groupMembers.slice(listId, 0, 9_000)).toEqual(left);
  // Pages that were in memory and are written again bring nothing back.
  await store.write(({ groupMembers }) => {
    for (let position = 0; position < 6_000; position += 5) groupMembers.fill(listId, position, memberAt(0, "Sara"));
    for (let position = 20_000; position < 20_500; position += 1)
      groupMembers.insert(listId, position, memberAt(1, "Ali"));
  });
  expect(traces()).toEqual([0, 0]);
  expect(store.emptyLog()).toBe(true);
  expect(traces()).toEqual([0, 0]);
  expect(soundness()).toEqual([{ integrity_check: "ok" }]);
}, 60_000);

test("nobody is held up by it, nor while somebody reads the log for long", async () => {
  await moveAndErase(30_000);
  expect(await longestTurn(wipe)).toBeLessThan(50);
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
  await wipe();
}, 60_000);

test("pages that were freed before what is deleted was overwritten are overwritten, too", () => {
  const path = join(folder.path, "older.db");
  const older = new Database(path);
  older.run("PRAGMA auto_vacuum = INCREMENTAL");
  older.run("PRAGMA secure_delete = OFF");
  older.run("CREATE TABLE t (x TEXT)");
  older.run(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 8000) INSERT INTO t SELECT '${secret.repeat(99)}' FROM n`,
  );
  older.run("DELETE FROM t");
  older.run("INSERT INTO t VALUES ('kept')");
  const found = () => readFileSync(path).toString("latin1").includes(secret);
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

test("a file that says nothing of what its pages are is left alone", () => {
  const path = join(folder.path, "other.db");
  const other = new Database(path);
  other.run("CREATE TABLE t (x)");
  const freeSpace = new FreeSpace(other, path);
  expect(freeSpace.isKnown).toBe(false);
  other.close();
  freeSpace.close();
});
