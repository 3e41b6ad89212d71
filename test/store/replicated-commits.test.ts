/** Commits that are also replicated: nobody is answered before that, and only replicated ones move from the log into the file. */
import { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { closeSync, openSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { tryLockRange } from "../../src/platform/file-lock.ts";
import { nextTurn } from "../../src/platform/next-turn.ts";
import { Checkpointer } from "../../src/store/checkpoint.ts";
import { GroupCommit, StoreUnavailable } from "../../src/store/group-commit.ts";
import { LogFrames } from "../../src/store/log-frames.ts";
import { HeldReplication } from "../support/held-replication.ts";
import { temporaryFolder } from "../support/test-server.ts";

/** SQLite's lock of whoever moves the log, in the file of its shared memory: WAL_CKPT_LOCK. */
const checkpointLock = { from: 121, length: 1 };

let folder: ReturnType<typeof temporaryFolder>;
let database: Database;
let commits: GroupCommit;
let replication: HeldReplication;
let now: number;
const path = () => join(folder.path, "test.db");

beforeEach(() => {
  folder = temporaryFolder();
  database = new Database(path(), { create: true, strict: true });
  database.run("PRAGMA journal_mode = WAL");
  database.run("PRAGMA wal_autocheckpoint = 0");
  database.run("CREATE TABLE row (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT");
  database.run("PRAGMA wal_checkpoint(TRUNCATE)");
  replication = new HeldReplication();
  now = 0;
  const frames = new LogFrames(database, path());
  commits = new GroupCommit(
    database,
    { committed: () => {} },
    {
      checkpointer: new Checkpointer(database, folder.path, { check: () => {} }),
      replicated: { to: replication, frames },
      monotonic: () => now,
    },
  );
});

afterEach(() => {
  database.close();
  folder.remove();
});

const insert = (name: string) => commits.write(() => database.run("INSERT INTO row (name) VALUES (?)", [name]));
/** A turn of the event loop, in which pending writes are committed. */
const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
const stateOf = async (promise: Promise<unknown>) =>
  Promise.race([promise.then(() => "answered", String), turn().then(() => "waits")]);
const fileHolds = (text: string) => readFileSync(path()).includes(text);

test("a commit is answered only once it is replicated, and the next is made meanwhile", async () => {
  const first = insert("first-row");
  await turn();
  expect(await stateOf(first)).toBe("waits");
  const second = insert("second-row");
  await turn();
  expect(replication.pages).toHaveLength(2);
  expect(await stateOf(second)).toBe("waits");
  replication.keep();
  expect([await stateOf(first), await stateOf(second)]).toEqual(["answered", "answered"]);
});

/** Two writes in each of these turns of the event loop. */
async function insertInTurns(turns: number): Promise<void> {
  for (let index = 0; index < turns; index += 1) {
    for (let each = 0; each < 2; each += 1) void insert(Bun.randomUUIDv7());
    await nextTurn();
  }
}

test("under load writes gather for one commit while more arrive, but not for long", async () => {
  await insertInTurns(4);
  const alone = replication.pages.length;
  for (let index = 0; index < 40; index += 1) void insert(`many-${index}`);
  await turn();
  expect(replication.pages).toHaveLength(alone + 1);
  await insertInTurns(8);
  expect(replication.pages).toHaveLength(alone + 1);
  now += 5;
  await insertInTurns(1);
  await nextTurn();
  expect(replication.pages).toHaveLength(alone + 2);
  // That commit was a small one.
  await insertInTurns(4);
  expect(replication.pages.length).toBeGreaterThanOrEqual(alone + 5);
});

test("gathered writes are committed as soon as a turn brings no more", async () => {
  for (let index = 0; index < 40; index += 1) void insert(`many-${index}`);
  await turn();
  void insert("last");
  for (let turns = 0; turns < 4; turns += 1) await nextTurn();
  expect(replication.pages).toHaveLength(2);
});

test("a write that throws is answered at once, since nothing of it was committed", async () => {
  const refusal = new Error("the quota is used up");
  const write = commits.write(() => {
    throw refusal;
  });
  await expect(write).rejects.toBe(refusal);
  expect(replication.pages).toHaveLength(0);
});

test("the shipped pages turn a copy of the file into the same file, byte for byte", async () => {
  const copy = readFileSync(path());
  const written = ["a", "b", "c"].map((name) => insert(name.repeat(3_000)));
  await turn();
  written.push(insert("d"));
  await turn();
  replication.keep();
  await Promise.all(written);
  let size = copy.length;
  const pages = new Map<number, Uint8Array>();
  for (const changed of replication.pages) {
    for (const [page, bytes] of changed?.pages ?? []) pages.set(page, bytes);
    size = (changed?.pageCount ?? 0) * (changed?.pageBytes ?? 0);
  }
  const replayed = Buffer.alloc(size);
  copy.copy(replayed);
  for (const [page, bytes] of pages) replayed.set(bytes, (page - 1) * 4_096);
  await commits.drain();
  expect(readFileSync(path()).equals(replayed)).toBe(true);
});

test("the log moves into the file only once all is replicated, and commits wait until it is there", async () => {
  const first = insert("x".repeat(2_000));
  await turn();
  const drained = commits.drain();
  const later = insert("later-row");
  await turn();
  expect([await stateOf(drained), fileHolds("x".repeat(1_000)), replication.pages.length]).toEqual(["waits", false, 1]);
  replication.keep();
  await drained;
  expect([fileHolds("x".repeat(1_000)), replication.checkpoints]).toEqual([true, 1]);
  await first;
  await turn();
  expect(replication.pages).toHaveLength(2);
  replication.keep();
  await later;
});

test("a long log is drained by itself, and commits continue afterwards", async () => {
  const big = (index: number) =>
    commits.write(() => database.run("INSERT INTO row (name) VALUES (?)", [`${index}`.padEnd(900_000, "y")]));
  let finished = 0;
  const all = Array.from({ length: 40 }, (_, index) =>
    big(index).then(() => {
      finished += 1;
    }),
  );
  while (finished < all.length) {
    await turn();
    replication.keep();
  }
  expect(replication.checkpoints).toBeGreaterThan(0);
  const next = insert("next");
  while ((await stateOf(next)) === "waits") replication.keep();
  expect(database.query("SELECT count(*) AS n FROM row").get()).toEqual({ n: 41 });
});

test("a long log holds commits back until all is replicated, however much still comes", async () => {
  const count = 60;
  const all = Array.from({ length: count }, (_, index) => () => insert(`${index}`.padEnd(900_000, "y")));
  const written: Promise<unknown>[] = [];
  for (const write of all) {
    written.push(write());
    await turn();
  }
  const { length } = replication.pages;
  expect(length).toBeLessThan(count);
  for (let turns = 0; turns < 5; turns += 1) await turn();
  expect([replication.pages.length, replication.checkpoints]).toEqual([length, 0]);
  replication.keep();
  await turn();
  expect(replication.checkpoints).toBe(1);
  while ((await stateOf(Promise.all(written))) === "waits") replication.keep();
});

test("who waits for the log again at once is told again, and commits go on", async () => {
  await insertKept("first-row");
  await commits.drain();
  await commits.drain();
  expect(replication.checkpoints).toBe(2);
  await insertKept("second-row");
});

test("the log does not move while something that is no commit waits for replication", async () => {
  await insertKept("first-row");
  const drained = commits.drain();
  // The sums of a comparison, which the leader puts into the cluster's log.
  replication.committed(null, () => {});
  expect([await stateOf(drained), replication.checkpoints]).toEqual(["waits", 0]);
  replication.keep();
  await drained;
  expect(replication.checkpoints).toBe(1);
});

test("once a store is closed nobody waits for what was not replicated", async () => {
  void insert("unkept-row").catch(() => {});
  await turn();
  commits.close();
  expect(await stateOf(commits.drain())).toBe("answered");
});

test("what comes as a replicated store closes is refused, not committed", async () => {
  const late = insert("late-row");
  commits.close();
  expect(await late.catch(String)).toContain("it is closed");
  expect(replication.pages).toHaveLength(0);
});

test("a store that is not drained does not close, and what is not replicated stays in the log", async () => {
  void insert("unkept-row").catch(() => {});
  await turn();
  expect(commits.close()).toBe(false);
  expect([fileHolds("unkept-row"), statSync(`${path()}-wal`).size > 0]).toEqual([false, true]);
  expect(replication.isClosed).toBe(false);
});

async function insertKept(name: string): Promise<void> {
  const kept = insert(name);
  await turn();
  replication.keep();
  await kept;
}

test("a store closes beside a reader, and does not claim that its log is in the file", async () => {
  await insertKept("first-row");
  const reader = new Database(path(), { readonly: true });
  try {
    reader.run("BEGIN");
    reader.query("SELECT count(*) FROM row").get();
    await insertKept("second-row");
    await commits.drain();
    expect(commits.close()).toBe(true);
  } finally {
    reader.close();
  }
  expect([fileHolds("second-row"), replication.checkpoints, replication.isClosed]).toEqual([false, 0, true]);
});

test("a store closes while another connection moves the log, and claims nothing about it", async () => {
  await insertKept("kept-row");
  const shared = openSync(`${path()}-shm`, "r+");
  try {
    expect(tryLockRange(shared, "exclusive", checkpointLock)).toBe(true);
    expect(database.query("PRAGMA wal_checkpoint(PASSIVE)").get()).toEqual({ busy: 1, log: -1, checkpointed: -1 });
    await commits.drain();
    expect(commits.close()).toBe(true);
  } finally {
    closeSync(shared);
  }
  expect([fileHolds("kept-row"), replication.checkpoints, replication.isClosed]).toEqual([false, 0, true]);
});

test("a store whose end cannot be recorded stays open, since its log may seem to hold more", async () => {
  await insertKept("kept-row");
  await commits.drain();
  replication.canClose = false;
  expect(commits.close()).toBe(false);
  await expect(insert("late-row")).rejects.toBeInstanceOf(StoreUnavailable);
});

test("a drained store closes, and refuses later writes", async () => {
  const kept = insert("kept-row");
  await turn();
  replication.keep();
  await kept;
  await commits.drain();
  const late = insert("late-row");
  expect(commits.close()).toBe(true);
  await expect(late).rejects.toBeInstanceOf(StoreUnavailable);
  expect([fileHolds("kept-row"), fileHolds("late-row")]).toEqual([true, false]);
});

test("while replication stalls new writes are refused, and waiting ones keep waiting", async () => {
  const waiting = insert("waiting");
  await turn();
  replication.isAway = true;
  await expect(insert("refused")).rejects.toBeInstanceOf(StoreUnavailable);
  expect(await stateOf(waiting)).toBe("waits");
  replication.isAway = false;
  replication.keep();
  await waiting;
});

test("the log is not emptied and the file not rewritten while commits wait for replication", async () => {
  void insert("a").catch(() => {});
  await turn();
  expect(commits.emptyLog()).toBe(false);
  expect(() => commits.rewrite()).toThrow(StoreUnavailable);
  replication.keep();
  await commits.drain();
  expect(commits.emptyLog()).toBe(true);
});
