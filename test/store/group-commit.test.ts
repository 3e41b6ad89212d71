/** Group commit on a real file: what is acknowledged is stored, and one bad write fails alone. */
import { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { join } from "node:path";
import { GroupCommit, StoreUnavailable } from "../../src/store/group-commit.ts";
import { temporaryFolder } from "../support/test-server.ts";

let folder: ReturnType<typeof temporaryFolder>;
let database: Database;
let groups: number[];
let failures: number;
let commits: GroupCommit;

beforeEach(() => {
  folder = temporaryFolder();
  database = new Database(join(folder.path, "test.db"), { create: true, strict: true });
  database.run("PRAGMA journal_mode = WAL");
  database.run("CREATE TABLE row (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT");
  groups = [];
  failures = 0;
  commits = new GroupCommit(database, {
    committed(writes, _, couldWrite) {
      if (couldWrite) groups.push(writes);
      else failures += 1;
    },
  });
});

afterEach(() => {
  database.close();
  folder.remove();
});

const insert = (name: string) => commits.write(() => database.run("INSERT INTO row (name) VALUES (?)", [name]));
const names = () =>
  database
    .query<{ name: string }, []>("SELECT name FROM row ORDER BY id")
    .all()
    .map(({ name }) => name);

test("writes of one turn share a transaction, and each gets its own result", async () => {
  const results = await Promise.all([1, 2, 3].map((value) => commits.write(() => value * 10)));
  expect(results).toEqual([10, 20, 30]);
  expect(groups).toEqual([3]);
});

test("no write is answered before the commit", async () => {
  let answered = false;
  const write = insert("a").then(() => {
    answered = true;
  });
  await Promise.resolve();
  expect(answered).toBe(false);
  expect(names()).toEqual([]);
  await write;
  expect(names()).toEqual(["a"]);
});

test("a write that throws fails alone, and the others of its group are stored once", async () => {
  const outcomes = await Promise.allSettled([insert("a"), insert("a"), insert("b")]);
  expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(names()).toEqual(["a", "b"]);
});

test("a write that refuses is not a database failure, and one that the database refuses is", async () => {
  const refusal = new Error("the quota is used up");
  await expect(
    commits.write(() => {
      throw refusal;
    }),
  ).rejects.toBe(refusal);
  expect(failures).toBe(0);
  await Promise.allSettled([insert("a"), insert("a")]);
  expect(failures).toBeGreaterThan(0);
});

test("a write may be requested from within another's answer", async () => {
  await insert("a").then(() => insert("b"));
  expect(groups).toEqual([1, 1]);
});

test("while the disk refuses commits no write succeeds, and afterwards writes succeed again", async () => {
  database.run("PRAGMA max_page_count = 12");
  const outcomes = await Promise.allSettled(
    Array.from({ length: 50 }, (_, index) => insert("x".repeat(2_000) + index)),
  );
  expect(outcomes.every((outcome) => outcome.status === "rejected" && outcome.reason instanceof StoreUnavailable)).toBe(
    true,
  );
  expect(names()).toEqual([]);
  expect(failures).toBeGreaterThan(0);
  database.run("PRAGMA max_page_count = 1000000");
  await insert("room again");
  expect(names()).toEqual(["room again"]);
});

test("pending writes are committed when the store closes", () => {
  const write = insert("last");
  commits.flush();
  expect(names()).toEqual(["last"]);
  return write;
});

test("after closing, pending writes are stored and new ones refused", async () => {
  const before = insert("before");
  commits.close();
  await before;
  await expect(insert("after")).rejects.toBeInstanceOf(StoreUnavailable);
  expect(names()).toEqual(["before"]);
});

test("nothing is waited for where commits are kept only here", async () => {
  await commits.drain();
  await insert("goes on");
  expect(names()).toEqual(["goes on"]);
});
