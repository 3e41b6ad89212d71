/** Group commit on a real file: what is told "stored" is stored, and one bad write harms nobody else. */
import { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { join } from "node:path";
import { type GroupCommit, groupCommit } from "../../src/store/group-commit.ts";
import { type LogSync, logSync } from "../../src/store/log-sync.ts";
import { StoreUnavailable } from "../../src/store/store-unavailable.ts";
import type { Sync } from "../../src/store/sync-queue.ts";
import { temporaryFolder } from "../support/house.ts";
import { settleLoop } from "../support/manual-clock.ts";

let folder: ReturnType<typeof temporaryFolder>;
let database: Database;
let groups: number[];
let lost: unknown[];
let log: LogSync;
let commits: GroupCommit;

const commitsWith = (...syncs: Sync[]) =>
  groupCommit(database, syncs, {
    committed: (writes, _, stands) => void (stands && groups.push(writes)),
    lost: (reason) => void lost.push(reason),
  });

beforeEach(() => {
  folder = temporaryFolder();
  database = new Database(join(folder.path, "test.db"), { create: true, strict: true });
  database.run("PRAGMA journal_mode = WAL");
  database.run("CREATE TABLE row (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT");
  groups = [];
  lost = [];
  log = logSync(database.filename);
  commits = commitsWith(log.sync);
});

afterEach(() => {
  log.close();
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

test("nobody is answered before the commit", async () => {
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

test("a write that throws fails alone; the others of its group are stored once", async () => {
  const outcomes = await Promise.allSettled([insert("a"), insert("a"), insert("b")]);
  expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(names()).toEqual(["a", "b"]);
});

test("a write may be handed in from within another's answer", async () => {
  await insert("a").then(() => insert("b"));
  expect(groups).toEqual([1, 1]);
});

test("a disk that refuses the commit answers nobody with success, and heals", async () => {
  database.run("PRAGMA max_page_count = 12");
  const outcomes = await Promise.allSettled(
    Array.from({ length: 50 }, (_, index) => insert("x".repeat(2_000) + index)),
  );
  expect(outcomes.every((outcome) => outcome.status === "rejected" && outcome.reason instanceof StoreUnavailable)).toBe(
    true,
  );
  expect(names()).toEqual([]);
  database.run("PRAGMA max_page_count = 1000000");
  await insert("room again");
  expect(names()).toEqual(["room again"]);
});

test("what is pending when the store closes is committed", () => {
  const write = insert("last");
  commits.flush();
  expect(names()).toEqual(["last"]);
  return write;
});

test("once it is closed, what is pending is stored and nothing more is", async () => {
  const before = insert("before");
  commits.close();
  await before;
  await expect(insert("after")).rejects.toBeInstanceOf(StoreUnavailable);
  expect(names()).toEqual(["before"]);
});

/** A disk whose syncs end when the test says so. */
function slowDisk() {
  const syncs: PromiseWithResolvers<void>[] = [];
  return {
    syncs,
    sync(): Promise<void> {
      const sync = Promise.withResolvers<void>();
      syncs.push(sync);
      return sync.promise;
    },
  };
}

/** Names in the order in which their writes were answered. */
function answers() {
  const told: string[] = [];
  const write = (name: string) =>
    insert(name).then(
      () => void told.push(name),
      (reason) => void told.push(`${name}: ${reason.name}`),
    );
  return { told, write };
}

test("nobody is answered before the sync, and what commits meanwhile shares the next one", async () => {
  const disk = slowDisk();
  commits = commitsWith(disk.sync);
  const { told, write } = answers();
  const all = [write("a")];
  await settleLoop();
  all.push(write("b"));
  await settleLoop();
  all.push(write("c"));
  await settleLoop();
  expect({ told, stored: names(), syncs: disk.syncs.length }).toEqual({ told: [], stored: ["a", "b", "c"], syncs: 1 });
  disk.syncs[0]?.resolve();
  await settleLoop();
  expect({ told, syncs: disk.syncs.length }).toEqual({ told: ["a"], syncs: 2 });
  disk.syncs[1]?.resolve();
  await Promise.all(all);
  expect(told).toEqual(["a", "b", "c"]);
});

test("of two syncs the later one answers for all, and answers come in the order of commits", async () => {
  const disk = slowDisk();
  commits = commitsWith(disk.sync, disk.sync);
  const { told, write } = answers();
  const first = write("a");
  await settleLoop();
  const second = write("b");
  await settleLoop();
  expect({ told, syncs: disk.syncs.length }).toEqual({ told: [], syncs: 2 });
  disk.syncs[1]?.resolve();
  await Promise.all([first, second]);
  expect(told).toEqual(["a", "b"]);
  disk.syncs[0]?.resolve();
  await settleLoop();
  expect(told).toEqual(["a", "b"]);
});

test("what can be read is told as synced only once it is", async () => {
  const disk = slowDisk();
  commits = commitsWith(disk.sync);
  await commits.synced();
  const write = insert("a");
  await settleLoop();
  let synced = false;
  const told = commits.synced().then(() => {
    synced = true;
  });
  await settleLoop();
  expect({ stored: names(), synced }).toEqual({ stored: ["a"], synced: false });
  for (let round = 0; !synced; round += 1) {
    disk.syncs[round]?.resolve();
    await settleLoop();
  }
  await Promise.all([write, told]);
});

test("a sync that fails is the last one: whoever waits is refused, and whoever comes later", async () => {
  const disk = slowDisk();
  commits = commitsWith(disk.sync);
  const { told, write } = answers();
  const first = write("a");
  await settleLoop();
  const second = write("b");
  await settleLoop();
  const reading = commits.synced();
  const third = write("c");
  disk.syncs[0]?.reject(new Error("EIO"));
  await expect(reading).rejects.toBeInstanceOf(StoreUnavailable);
  await Promise.all([first, second, third, write("d")]);
  expect(told.toSorted()).toEqual(["a", "b", "c", "d"].map((name) => `${name}: StoreUnavailable`));
  expect({ syncs: disk.syncs.length, lost, groups }).toEqual({ syncs: 1, lost: [new Error("EIO")], groups: [] });
});
