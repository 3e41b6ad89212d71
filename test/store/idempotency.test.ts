/** Idempotency-Keys are found wherever they are: in memory, half merged, on disk, after a crash, and not after their retention. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { openDatabase } from "../../src/store/database.ts";
import { GroupCommit } from "../../src/store/group-commit.ts";
import { IdempotencyTable, KeyedFingerprint } from "../../src/store/idempotency.ts";
import { migrations } from "../../src/store/migrations.ts";
import { collidingKeys } from "../support/colliding-keys.ts";
import { settleLoop } from "../support/manual-clock.ts";
import { temporaryFolder } from "../support/test-server.ts";

const hash = new Uint8Array(32);
let folder: ReturnType<typeof temporaryFolder>;
let opened: ReturnType<typeof openDatabase>;
let commits: GroupCommit;
let requests: IdempotencyTable;
/** Messages that retention has removed. */
let removed: Set<number>;

function open(freshMax = 8): void {
  opened = openDatabase(folder.path, 1);
  commits = new GroupCommit(opened.database, { committed: () => {} });
  requests = new IdempotencyTable(opened.database, {
    write: (change) => commits.write(change),
    messages: { run: (id) => (removed.has(id) ? [] : [{}]) },
    freshMax,
  });
}

beforeEach(() => {
  removed = new Set();
  folder = temporaryFolder();
  open();
});

afterEach(() => {
  opened.close();
  folder.remove();
});

function remember(id: number, key = `key ${id}`, apiKeyId = 1, createdAt = id): Promise<void> {
  const row = { operation: "POST /v1/messages", payloadHash: hash, firstMessageId: id, messageCount: 1 };
  return commits.write(() => requests.insert(apiKeyId, key, row, createdAt));
}

const found = (ids: readonly number[]) => ids.filter((id) => requests.find(1, `key ${id}`)?.firstMessageId === id);
/** Keys on disk: in whole lots, and where they were before there were lots. */
const merged = () =>
  opened.database
    .query<{ n: number }, []>("SELECT total(key_count) + (SELECT count(*) FROM request_index) AS n FROM key_lot")
    .get()?.n ?? 0;
const lots = () => opened.database.query("SELECT id FROM key_lot").all().length;
const blocks = () => opened.database.query("SELECT id FROM key_block").all().length;
const ids = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

test("every key is found while memory is merged into the index, and afterwards", async () => {
  for (const id of ids(50)) {
    await remember(id);
    expect(found(ids(id))).toEqual(ids(id));
  }
  await settleLoop();
  expect(merged()).toBeGreaterThanOrEqual(40);
  expect(found(ids(50))).toEqual(ids(50));
});

test("a key belongs to one API key", async () => {
  await remember(1, "same", 1);
  await remember(2, "same", 2);
  expect([requests.find(1, "same")?.firstMessageId, requests.find(2, "same")?.firstMessageId]).toEqual([1, 2]);
  expect(requests.find(3, "same")).toBeNull();
});

test("every key is found after a restart, merged or not", async () => {
  for (const id of ids(20)) await remember(id);
  opened.close();
  open();
  expect(found(ids(20))).toEqual(ids(20));
});

test("a request that was rolled back is not found, and its key and id are free again", async () => {
  const undone = commits.write(() => {
    requests.insert(1, "key 1", { operation: "x", payloadHash: hash, firstMessageId: 1, messageCount: 1 }, 1);
    throw new Error("changed my mind");
  });
  await expect(undone).rejects.toThrow("changed my mind");
  expect(requests.find(1, "key 1")).toBeNull();
  await remember(1, "another");
  expect(requests.find(1, "key 1")).toBeNull();
  await remember(2, "key 1");
  expect(requests.find(1, "key 1")?.firstMessageId).toBe(2);
  expect(requests.find(1, "another")?.firstMessageId).toBe(1);
});

test("expired keys are removed from the table and from the index", async () => {
  for (const id of ids(40)) await remember(id);
  await settleLoop();
  expect(await commits.write(() => requests.prune(21, 15))).toBe(15);
  expect(await commits.write(() => requests.prune(21, 15))).toBe(5);
  expect(await commits.write(() => requests.prune(21, 15))).toBe(0);
  expect(found(ids(40))).toEqual(ids(40).slice(20));
  const pruneLots = async () => {
    while (await commits.write(() => requests.pruneLots(1)));
  };
  // Its lot goes when the last of its requests has gone.
  await pruneLots();
  expect(merged()).toBe(40);
  await commits.write(() => requests.prune(41, 100));
  await pruneLots();
  expect([merged(), lots(), blocks()]).toEqual([0, 0, 0]);
  expect(found(ids(40))).toEqual([]);
});

test("four lots of keys are merged into one, and the remains of an interrupted merge are removed", async () => {
  for (const id of ids(8 * 16)) await remember(id);
  await settleLoop(40);
  expect([lots(), blocks(), merged()]).toEqual([1, 1, 128]);
  opened.database.run("INSERT INTO key_lot (id, first_id, last_id, key_count) VALUES (1000, 1, 9, 0)");
  opened.database.run("INSERT INTO key_block SELECT (1000 << 24) + value, x'00' FROM json_each('[0, 1, 2]')");
  opened.close();
  open();
  expect(found(ids(128))).toEqual(ids(128));
  for (const id of ids(8 * 20).slice(8 * 16)) await remember(id);
  await settleLoop(40);
  expect([lots(), blocks(), merged()]).toEqual([2, 2, 160]);
  expect(found(ids(160))).toEqual(ids(160));
});

test("a key is removed with its messages, and then stands for its next use, in memory and on disk", async () => {
  await remember(1, "used twice");
  removed.add(1);
  expect(requests.find(1, "used twice")).toBeNull();
  await remember(2, "used twice");
  expect(requests.find(1, "used twice")).toMatchObject({ firstMessageId: 2 });
  for (const id of ids(40).slice(2)) await remember(id);
  await settleLoop();
  expect(merged()).toBeGreaterThanOrEqual(24);
  expect(requests.find(1, "used twice")).toMatchObject({ firstMessageId: 2 });
});

test("while the disk refuses, stored keys are found and unstored ones are not, and later all are merged", async () => {
  for (const id of ids(7)) await remember(id);
  const refuse = new Error("refused");
  const write = <T>(change: () => T) => commits.write(change);
  let refusing = true;
  requests = new IdempotencyTable(opened.database, {
    write: (change) => (refusing ? Promise.reject(refuse) : write(change)),
    messages: { run: () => [{}] },
    freshMax: 8,
  });
  const row = { operation: "x", payloadHash: hash, firstMessageId: 1, messageCount: 1 };
  for (const id of ids(100)) {
    const undone = write(() => {
      requests.insert(1, `refused ${id}`, row, 1);
      throw refuse;
    });
    await expect(undone).rejects.toThrow("refused");
  }
  expect(found(ids(7))).toEqual(ids(7));
  expect(merged()).toBe(0);
  refusing = false;
  for (const id of ids(40).slice(7)) await remember(id);
  await settleLoop();
  expect(found(ids(40))).toEqual(ids(40));
  expect(merged()).toBeGreaterThanOrEqual(24);
  // What was rolled back is not kept on disk.
  expect(merged()).toBeLessThanOrEqual(40);
});

test("keys built to collide under an unkeyed hash cost no more than other keys", async () => {
  const count = 30_000;
  const millisecondsOf = async (keys: readonly string[]) => {
    const startedAt = performance.now();
    await commits.write(() => {
      for (const [index, key] of keys.entries()) {
        expect(requests.find(1, key)).toBeNull();
        requests.insert(1, key, { operation: "x", payloadHash: hash, firstMessageId: index, messageCount: 1 }, 1);
      }
    });
    await settleLoop();
    for (const [index, key] of keys.entries()) expect(requests.find(1, key)?.firstMessageId).toBe(index);
    return performance.now() - startedAt;
  };
  const usual = await millisecondsOf(Array.from({ length: count }, () => crypto.randomUUID()));
  // If each is compared with all that share its hash, it takes a thousand times as long.
  expect(await millisecondsOf(collidingKeys(1, count))).toBeLessThan(10 * usual + 1_000);
});

test("the runs of some keys' requests are read in slices, from the oldest that is stored", async () => {
  for (const id of ids(9)) await remember(id, `key ${id}`, (id % 3) + 1);
  const slice = (keys: number[], after: number, limit: number) => {
    const { runs, nextId } = requests.runsOf(keys, after, limit);
    return { messages: runs.map(({ firstMessageId }) => firstMessageId), nextId };
  };
  expect(requests.runsOf([2], 0, 1).runs).toEqual([{ firstMessageId: 1, apiKeyId: 2, messageCount: 1 }]);
  expect(slice([1, 2], 0, 4)).toEqual({ messages: [1, 3, 4], nextId: 4 });
  expect(slice([1, 2], 4, 4)).toEqual({ messages: [6, 7], nextId: 8 });
  expect(slice([1, 2], 8, 4)).toEqual({ messages: [9], nextId: null });
  expect([slice([3], 0, 8).nextId, slice([3], 0, 9).nextId]).toEqual([8, null]);
  await commits.write(() => requests.prune(6, 100));
  expect(slice([1, 2, 3], 0, 2)).toEqual({ messages: [6, 7], nextId: 7 });
  expect(slice([1, 2, 3], 7, 2)).toEqual({ messages: [8, 9], nextId: null });
});

test("a request that was appended is found by the next write of its group, and by everybody afterwards", async () => {
  commits.gather(requests.appended);
  const row = { operation: "POST /v1/messages", payloadHash: hash, firstMessageId: 7, messageCount: 2 };
  const appended = commits.append(() => requests.append(1, "appended", row, 5), String);
  const seen = commits.write(() => requests.find(1, "appended"));
  await appended;
  expect(await seen).toMatchObject(row);
  expect(requests.find(1, "appended")).toMatchObject(row);
  expect(requests.appended.isEmpty).toBe(true);
  const stored = opened.database.query("SELECT id, api_key_id AS apiKeyId, key, created_at AS at FROM request").all();
  expect(stored).toEqual([{ id: 1, apiKeyId: 1, key: "appended", at: 5 }]);
});

test("keys that come after retention has emptied the table are found after every start", async () => {
  for (const id of ids(40)) await remember(id);
  await settleLoop();
  await commits.write(() => requests.prune(41, 100));
  opened.close();
  open();
  await remember(41);
  expect(found([41])).toEqual([41]);
  opened.close();
  open();
  expect(found([41])).toEqual([41]);
});

test("only what was made before is removed, the oldest first", async () => {
  for (const id of ids(5)) await remember(id);
  expect(await commits.write(() => requests.prune(3, 100))).toBe(2);
  expect(found(ids(5))).toEqual([3, 4, 5]);
});

test("a database without its secret is refused", () => {
  opened.database.run("DELETE FROM request_index_secret");
  opened.close();
  expect(() => open()).toThrow("The database has no secret for its Idempotency-Keys");
  opened.close();
});

test("a fingerprint is of one API key, one key and one secret, whatever was asked before", () => {
  const of = new KeyedFingerprint("secret");
  const [first = 0, second = 0] = [of.of(1, "a"), of.of(1, "b")];
  const all = [first, second, of.of(2, "b"), of.of(2, "a"), new KeyedFingerprint("another").of(1, "a")];
  expect(new Set(all).size).toBe(all.length);
  expect([of.of(1, "a"), of.of(1, "a"), of.of(1, "b")]).toEqual([first, first, second]);
  // Stored by earlier versions, so it never changes: 53 bits of SHA-256.
  for (const key of ids(50).map((id) => `key ${id}`)) {
    const sum = new Bun.CryptoHasher("sha256").update(`secret7:${key}`).digest("hex");
    expect(of.of(7, key)).toBe(Number(BigInt(`0x${sum.slice(0, 16)}`) >> 11n));
  }
});

const secretOf = () =>
  opened.database.query<{ secret: string }, []>("SELECT secret FROM request_index_secret").get()?.secret ?? "";

test("of requests that share a fingerprint a key finds its own", async () => {
  await remember(1, "another");
  await remember(2, "same", 2);
  const fingerprint = new KeyedFingerprint(secretOf()).of(1, "same");
  for (const id of [1, 2]) opened.database.run("INSERT INTO request_index VALUES (?, ?)", [fingerprint, id]);
  opened.close();
  open();
  expect(requests.find(1, "same")).toBeNull();
  expect(requests.find(2, "same")?.firstMessageId).toBe(2);
});

test("the index is read in slices after a start, until all of it is", async () => {
  for (const id of ids(40)) await remember(id);
  await settleLoop();
  opened.close();
  open();
  expect(requests.readIndexSlice()).toBe(true);
  while (requests.readIndexSlice());
  expect(requests.readIndexSlice()).toBe(false);
  expect(found(ids(41))).toEqual(ids(40));
});

/** A database without this migration and those after it; the first `mergedTo` of its keys are in `request_index`. */
function storedByEarlier(
  migration: string,
  fingerprinted: () => (key: string) => number,
  keys: readonly string[],
  mergedTo: number,
): void {
  opened.close();
  folder.remove();
  folder = temporaryFolder();
  const number = migrations.find(({ name }) => name === migration)?.number ?? 0;
  opened = openDatabase(folder.path, 1, migrations.slice(0, number - 1));
  const fingerprintOf = fingerprinted();
  const request = opened.database.prepare("INSERT INTO request VALUES (?, ?, 1, ?, 'POST /v1/messages', ?, 1, ?)");
  const entry = opened.database.prepare("INSERT INTO request_index VALUES (?, ?)");
  for (const [index, key] of keys.entries()) {
    const id = index + 1;
    request.run(id, id, key, hash, id);
    if (id <= mergedTo) entry.run(fingerprintOf(key), id);
  }
  opened.database.prepare("UPDATE request_index_state SET merged_to = ?").run(mergedTo);
  opened.close();
  open();
}

test("an upgraded service finds keys indexed before there were lots, until they expire", async () => {
  const keyed = () => {
    const fingerprint = new KeyedFingerprint(secretOf());
    return (key: string) => fingerprint.of(1, key);
  };
  const earlier = ids(30).map((id) => `key ${id}`);
  storedByEarlier("key_lots", keyed, earlier, 28);
  expect(found(ids(30))).toEqual(ids(30));
  for (const id of ids(70).slice(30)) await remember(id);
  await settleLoop(40);
  expect(found(ids(70))).toEqual(ids(70));
  expect(merged()).toBeGreaterThan(28 + 32);
  opened.close();
  open();
  while (requests.readIndexSlice());
  expect(found(ids(70))).toEqual(ids(70));
  await commits.write(() => requests.prune(29, 100));
  let from: { fingerprint: number; requestId: number } | null = { fingerprint: -1, requestId: -1 };
  while (from !== null) from = requests.pruneIndex(from, 7);
  while (requests.readIndexSlice());
  expect(opened.database.query("SELECT 1 FROM request_index").all()).toEqual([]);
  expect(found(ids(70))).toEqual(ids(70).slice(28));
});

describe("a database from before keyed fingerprints", () => {
  const unkeyed = () => (key: string) => Number(Bun.hash.xxHash64(`1:${key}`) >> 11n);

  const storedBefore = (keys: readonly string[], mergedTo: number) =>
    storedByEarlier("keyed_fingerprints", unkeyed, keys, mergedTo);

  test("returns every key, also while new ones are merged and after the next start", async () => {
    storedBefore(
      ids(30).map((id) => `key ${id}`),
      20,
    );
    expect(found(ids(30))).toEqual(ids(30));
    for (const id of ids(60).slice(30)) await remember(id);
    await settleLoop();
    expect(found(ids(60))).toEqual(ids(60));
    opened.close();
    open();
    expect(found(ids(60))).toEqual(ids(60));
    expect(requests.find(1, "key 61")).toBeNull();
    expect(requests.find(2, "key 1")).toBeNull();
  });

  test("expires its keys like any other", async () => {
    storedBefore(
      ids(30).map((id) => `key ${id}`),
      20,
    );
    await commits.write(() => requests.prune(20, 100));
    opened.close();
    open();
    // The last of those without the secret.
    expect(found(ids(30))).toEqual(ids(30).slice(19));
    await commits.write(() => requests.prune(26, 100));
    expect(found(ids(30))).toEqual(ids(30).slice(25));
    opened.close();
    open();
    expect(found(ids(30))).toEqual(ids(30).slice(25));
    let from: { fingerprint: number; requestId: number } | null = { fingerprint: -1, requestId: -1 };
    while (from !== null) from = requests.pruneIndex(from, 7);
    expect(merged()).toBe(0);
    expect(found(ids(30))).toEqual(ids(30).slice(25));
  });

  test("distinguishes keys with the same unkeyed hash", () => {
    const keys = collidingKeys(1, 200);
    storedBefore(keys.slice(0, 150), 140);
    expect(keys.map((key) => requests.find(1, key)?.firstMessageId ?? 0)).toEqual([
      ...ids(150),
      ...Array.from({ length: 50 }, () => 0),
    ]);
  });
});
