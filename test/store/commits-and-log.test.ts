/** When group commit moves its log, empties it, rewrites the file, and ends because the disk failed; and what its callers are told. */
import { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { nextTurn } from "../../src/platform/next-turn.ts";
import { Checkpointer, SyncFailed } from "../../src/store/checkpoint.ts";
import { GroupCommit, type GroupCommitOptions, StoreUnavailable } from "../../src/store/group-commit.ts";
import { HeldReplication } from "../support/held-replication.ts";
import { temporaryFolder } from "../support/test-server.ts";

let folder: ReturnType<typeof temporaryFolder>;
let database: Database;
let replication: HeldReplication;
/** What happened to the log and the disk, in order. */
let told: string[];
let groups: { writes: number; durationMs: number; couldWrite: boolean }[];
/** Thrown where the log is told of a commit, or the file is checked after a checkpoint. */
let failing: { committed?: unknown; check?: unknown };
const path = () => join(folder.path, "test.db");

beforeEach(() => {
  folder = temporaryFolder();
  database = new Database(path(), { create: true, strict: true });
  database.run("PRAGMA journal_mode = WAL");
  database.run("PRAGMA wal_autocheckpoint = 0");
  database.run("CREATE TABLE row (id INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT");
  database.run("PRAGMA wal_checkpoint(TRUNCATE)");
  replication = new HeldReplication();
  told = [];
  groups = [];
  failing = {};
});
afterEach(() => {
  database.close();
  folder.remove();
});

function commitsWith(options: GroupCommitOptions = {}): GroupCommit {
  const observer = {
    committed: (writes: number, durationMs: number, couldWrite: boolean) =>
      void groups.push({ writes, durationMs, couldWrite }),
  };
  const check = () => {
    told.push("checked");
    if (failing.check !== undefined) throw failing.check;
  };
  const log = {
    makeRoom: () => {},
    committed: () => {
      if (failing.committed !== undefined) throw failing.committed;
    },
    checkpointed: () => void told.push("moved"),
    beforeEmptying: () => void told.push("emptying"),
    abandon: () => void told.push("abandoned"),
  };
  return new GroupCommit(database, observer, {
    checkpointer: new Checkpointer(database, folder.path, { check }),
    log,
    monotonic: () => 0,
    syncFailed: ({ message }) => void told.push(message),
    ...options,
  });
}

const insert = (commits: GroupCommit, name: string) =>
  commits.write(() => database.run("INSERT INTO row (name) VALUES (?)", [name]));
const isInFile = (name: string) => readFileSync(path()).includes(name);
const replicated = () => ({ to: replication, frames: { take: () => null } });
const refusalOf = (write: Promise<unknown>) => write.then(String, ({ name, message }: Error) => `${name}: ${message}`);
/** More than a log may have before it is moved. */
const long = "x".repeat(17_000_000);

test("whoever throws at its own result is told alone", async () => {
  const commits = commitsWith();
  const thrower = commits.append(
    () => 1,
    () => {
      throw new Error("cannot read that");
    },
  );
  const other = insert(commits, "a");
  expect(await refusalOf(thrower)).toBe("Error: cannot read that");
  expect(await other).toMatchObject({ changes: 1 });
  expect(groups).toEqual([{ writes: 2, durationMs: 0, couldWrite: true }]);
});

test("what has gathered is made before a write, which may read it, and not between writes that only append", async () => {
  const commits = commitsWith();
  const nothing = () => {};
  const beforeWrite = () => void told.push("made");
  commits.gather({ reset: nothing, flush: nothing, undo: nothing, beforeWrite });
  const append = () => commits.append(nothing, String);
  await Promise.all([append(), append(), append()]);
  expect(told).toEqual([]);
  await Promise.all([append(), insert(commits, "a"), insert(commits, "b")]);
  expect(told).toEqual(["made", "made"]);
});

test("a write that throws nothing is refused all the same", async () => {
  const commits = commitsWith();
  const write = commits.write(() => {
    throw undefined;
  });
  expect(await refusalOf(write)).toBe("Error: A write threw nothing");
});

test("a refusal by the disk names its cause", async () => {
  const commits = commitsWith();
  database.run("PRAGMA max_page_count = 2");
  const refused = insert(commits, "x".repeat(20_000)).catch((reason: unknown) => reason);
  const reason = await refused;
  expect(reason).toBeInstanceOf(StoreUnavailable);
  expect(reason).toMatchObject({
    name: "StoreUnavailable",
    message: "The store cannot write: database or disk is full",
    cause: { code: "SQLITE_FULL" },
  });
});

test("a transaction's duration is told, by the clock of the process if no other is given", async () => {
  let now = 10;
  const commits = commitsWith({ monotonic: () => (now += 4) });
  await insert(commits, "a");
  expect(groups[0]?.durationMs).toBe(4);
  const usual = new GroupCommit(database, { committed: (_, durationMs) => void told.push(String(durationMs >= 0)) });
  await insert(usual, "b");
  expect(told.at(-1)).toBe("true");
});

test("nothing pending makes no transaction, and writes of an unreplicated store never gather", async () => {
  const commits = commitsWith();
  commits.flush();
  expect(groups).toEqual([]);
  for (let index = 0; index < 40; index += 1) void insert(commits, `many-${index}`);
  await nextTurn();
  for (let turn = 0; turn < 4; turn += 1) {
    void insert(commits, "a");
    void insert(commits, "b");
    await nextTurn();
  }
  expect(groups.map(({ writes }) => writes)).toEqual([40, 2, 2, 2, 2]);
});

test("a long log is moved into the file once 32 writes have been counted, in a turn of its own", async () => {
  const commits = commitsWith();
  await insert(commits, `${long}long-row`);
  await nextTurn();
  expect(told).toEqual([]);
  const writes = Array.from({ length: 31 }, (_, index) => insert(commits, `row-${index}`));
  await Promise.all(writes);
  expect(isInFile("long-row")).toBe(false);
  await nextTurn();
  expect(told).toEqual(["checked", "moved"]);
  expect(isInFile("long-row")).toBe(true);
});

test("a short log stays, however many writes it has", async () => {
  const commits = commitsWith();
  await Promise.all(Array.from({ length: 64 }, (_, index) => insert(commits, `row-${index}`)));
  await nextTurn();
  expect(told).toEqual([]);
});

test("a close moves all of the log, and later writes are told why they are refused", async () => {
  const commits = commitsWith();
  const last = insert(commits, "last-row");
  expect(commits.close()).toBe(true);
  await last;
  expect(told).toEqual(["checked", "moved"]);
  expect(isInFile("last-row")).toBe(true);
  expect(await refusalOf(insert(commits, "late"))).toBe("StoreUnavailable: The store cannot write: it is closed");
  expect(() => commits.rewrite()).toThrow(StoreUnavailable);
  await commits.drain();
});

test("emptying the log commits what is pending, says so before, and leaves nothing in it", async () => {
  const commits = commitsWith();
  const pending = insert(commits, "pending-row");
  expect(commits.emptyLog()).toBe(true);
  await pending;
  expect(told).toContain("emptying");
  expect(isInFile("pending-row")).toBe(true);
  expect(statSync(`${path()}-wal`).size).toBe(0);
  expect(new GroupCommit(database, { committed: () => {} }).emptyLog()).toBe(false);
});

test("a rewritten file keeps what was pending, and loses the room of what was removed", async () => {
  const commits = commitsWith();
  await insert(commits, long);
  commits.emptyLog();
  const before = statSync(path()).size;
  const pending = commits.write(() => database.run("DELETE FROM row"));
  commits.rewrite();
  await pending;
  commits.emptyLog();
  expect(statSync(path()).size).toBeLessThan(before / 10);
});

test("a file that another program writes to, or a cluster shares, is not rewritten", async () => {
  const commits = commitsWith();
  database.run("PRAGMA busy_timeout = 0");
  using other = new Database(path());
  other.run("BEGIN IMMEDIATE");
  expect(() => commits.rewrite()).toThrow("The store cannot write: database is locked");
  other.run("ROLLBACK");
  expect(() => commitsWith({ replicated: replicated() }).rewrite()).toThrow(
    "The store cannot write: a node of a cluster does not write its whole file anew",
  );
});

test("after a checkpoint whose sync failed nothing more is written, and the database must stay open", async () => {
  const commits = commitsWith();
  await insert(commits, "a");
  failing.check = new SyncFailed(new Error("no answer"));
  const words = "The disk did not take what it was given to keep: no answer";
  expect(commits.emptyLog()).toBe(false);
  expect(told.slice(0, 3)).toEqual(["checked", "abandoned", words]);
  expect(await refusalOf(insert(commits, "b"))).toBe(`StoreUnavailable: The store cannot write: ${words}`);
  expect(commits.emptyLog()).toBe(false);
  expect(commits.close()).toBe(false);
  expect(told.filter((one) => one === "checked")).toHaveLength(1);
  expect(await refusalOf(insert(commits, "c"))).toContain(words);
});

test("whatever else a checkpoint throws is a defect, and is not hidden", async () => {
  const commits = commitsWith();
  await insert(commits, "a");
  failing.check = new RangeError("a defect");
  expect(() => commits.emptyLog()).toThrow("a defect");
  delete failing.check;
  expect(await insert(commits, "b")).toMatchObject({ changes: 1 });
});

test("a commit whose sync failed refuses everybody in flight, and everybody later", async () => {
  for (const reason of [
    new SyncFailed(new Error("no answer")),
    Object.assign(new Error("no answer"), { code: "SQLITE_IOERR_FSYNC" }),
  ]) {
    told = [];
    const commits = commitsWith();
    failing.committed = reason;
    const inFlight = [insert(commits, "a"), insert(commits, "b")];
    for (const write of inFlight) expect(await refusalOf(write)).toStartWith("StoreUnavailable: ");
    delete failing.committed;
    expect(told[0]).toBe("abandoned");
    expect(told[1]).toContain("The disk did not take what it was given to keep");
    expect(await refusalOf(insert(commits, "c"))).toContain("did not take");
    expect(commits.close()).toBe(false);
  }
});

test("without a log or a listener a failed sync refuses as well", async () => {
  const checkpointer = new Checkpointer(database, folder.path, {
    check: () => {
      throw failing.check;
    },
  });
  const commits = new GroupCommit(database, { committed: () => {} }, { checkpointer });
  failing.check = new SyncFailed(new Error("no answer"));
  expect(commits.emptyLog()).toBe(false);
  expect(await refusalOf(insert(commits, "a"))).toContain("no answer");
});

test("a replicated commit whose log cannot be read back is as uncertain as a failed sync", async () => {
  const take = () => {
    throw new Error("the log is not what was written");
  };
  const commits = commitsWith({ replicated: { to: replication, frames: { take } } });
  expect(await refusalOf(insert(commits, "a"))).toContain("the log is not what was written");
  expect(told[0]).toBe("abandoned");
  expect(await refusalOf(insert(commits, "b"))).toContain("did not take");
});

test("a replicated close refuses what waited for a drain, and tells whether the database may be closed", async () => {
  const commits = commitsWith({ replicated: replicated() });
  const first = insert(commits, "a");
  await nextTurn();
  void commits.drain();
  const waiting = insert(commits, "b");
  expect(commits.close()).toBe(false);
  expect(await refusalOf(waiting)).toContain("it is closed");
  replication.keep();
  await first;
  await commits.drain();
});

test("a busy replicated store gathers for five milliseconds and no longer, after 32 writes and not after 31", async () => {
  let now = 3;
  const commits = commitsWith({ replicated: replicated(), monotonic: () => now });
  const many = async (count: number) => {
    for (let index = 0; index < count; index += 1) void insert(commits, `many-${index}`);
    await nextTurn();
    await nextTurn();
  };
  const arriving = async (turns: number) => {
    const before = groups.length;
    for (let turn = 0; turn < turns; turn += 1) {
      void insert(commits, "a");
      await nextTurn();
    }
    return groups.length - before;
  };
  await many(31);
  expect(await arriving(3)).toBeGreaterThan(1);
  await nextTurn();
  await many(32);
  now = 7;
  expect(await arriving(4)).toBe(0);
  now = 8;
  expect(await arriving(4)).toBeGreaterThan(0);
});
