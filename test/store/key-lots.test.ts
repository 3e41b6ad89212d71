/** Keys on disk, in lots: each is found whatever was merged, cut off or refused meanwhile, and a lot costs its pages once. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import fc from "fast-check";
import { openDatabase } from "../../src/store/database.ts";
import { FreshKeys, SortedFreshKeys } from "../../src/store/fresh-keys.ts";
import { GroupCommit } from "../../src/store/group-commit.ts";
import { KeyLots } from "../../src/store/key-lots.ts";
import { settleLoop, until } from "../support/manual-clock.ts";
import { temporaryFolder } from "../support/test-server.ts";

let folder: ReturnType<typeof temporaryFolder>;
let opened: ReturnType<typeof openDatabase>;
let commits: GroupCommit;
let lots: KeyLots;
/** The number of writes until the disk refuses one; null while it takes all. */
let writesLeft: number | null;

function open(): void {
  opened = openDatabase(folder.path, 1);
  commits = new GroupCommit(opened.database, { committed: () => {} });
  writesLeft = null;
  lots = new KeyLots(opened.database, (change) => {
    if (writesLeft === 0) return Promise.reject(new Error("refused"));
    if (writesLeft !== null) writesLeft -= 1;
    return commits.write(change);
  });
}

beforeEach(() => {
  folder = temporaryFolder();
  open();
});

afterEach(async () => {
  // Merges go on in the background.
  await until(() => rows().every(({ starts }) => starts !== null));
  await settleLoop();
  opened.close();
  folder.remove();
});

type Key = readonly [fingerprint: number, requestId: number];

function append(keys: readonly Key[], done = () => {}): Promise<void> {
  const fresh = new FreshKeys(Math.max(keys.length, 1));
  for (const [fingerprint, requestId] of keys) fresh.add(fingerprint, requestId);
  const sorted = new SortedFreshKeys(fresh, fresh.fingerprints());
  return lots.append(sorted, { firstId: fresh.oldestId, lastId: fresh.newestId }, done);
}

const rows = () => opened.database.query<{ id: number; starts: unknown }, []>("SELECT id, starts FROM key_lot").all();
const whole = () => rows().filter(({ starts }) => starts !== null).length;
const inOrder = (numbers: readonly number[]) => [...numbers].sort((a, b) => a - b);

/** Fingerprints from a small range, so that many are equal. */
const anyLots = fc.array(fc.array(fc.oneof(fc.maxSafeNat(), fc.nat(5)), { minLength: 1, maxLength: 1_200 }), {
  minLength: 1,
  maxLength: 9,
});

test("every request of a fingerprint is found, even if equal ones fill blocks, after merges and a restart", async () => {
  const sample = fc.asyncProperty(anyLots, fc.nat(30), async (batches, refusedAt) => {
    opened.close();
    folder.remove();
    folder = temporaryFolder();
    open();
    const model = new Map<number, number[]>();
    let lastId = 0;
    for (const [index, batch] of batches.entries()) {
      const firstId = lastId + 1;
      const keys = batch.map((fingerprint, at): Key => [fingerprint, firstId + at]);
      lastId += batch.length;
      // The disk refuses somewhere in the third lot or the merges behind it, and takes all from then on.
      writesLeft = index === 2 ? refusedAt : null;
      const isStored = await append(keys).then(
        () => true,
        () => false,
      );
      await settleLoop(20);
      if (!isStored) continue;
      for (const [fingerprint, id] of keys) model.set(fingerprint, [...(model.get(fingerprint) ?? []), id]);
    }
    const expectAll = () => {
      for (const [fingerprint, ids] of model) expect(inOrder(lots.find(fingerprint))).toEqual(ids);
      const all = [...model].flatMap(([fingerprint, ids]) => ids.map(() => fingerprint));
      expect(inOrder(lots.fingerprints(0, Number.MAX_SAFE_INTEGER + 1))).toEqual(inOrder(all));
      const middle = inOrder(all)[all.length >> 1] ?? 0;
      expect(inOrder(lots.fingerprints(3, middle))).toEqual(inOrder(all.filter((one) => one >= 3 && one < middle)));
    };
    expectAll();
    opened.close();
    open();
    expectAll();
    while (await commits.write(() => lots.removeSlice(5)));
    expectAll();
    expect(rows().every(({ starts }) => starts !== null)).toBe(true);
  });
  await fc.assert(sample, { numRuns: 25 });
}, 180_000);

test("a key is searched in few lots, however many there were", async () => {
  for (let lot = 0; lot < 64; lot += 1) {
    await append(Array.from({ length: 40 }, (_, index): Key => [Math.random() * 2 ** 53, lot * 40 + index + 1]));
    await until(() => whole() <= 9);
  }
  await until(() => whole() === 1);
});

test("a lot is dropped once all its requests are gone, and its pages are reused", async () => {
  const lotOf = (first: number): Key[] =>
    Array.from({ length: 10_000 }, (_, index): Key => [Math.random() * 2 ** 53, first + index]);
  await append(lotOf(1));
  const kept = lotOf(10_001);
  await append(kept);
  const drop = (id: number) => commits.write(() => lots.dropBefore(id));
  expect([await drop(10_000), await drop(10_001), await drop(10_001)]).toEqual([false, true, false]);
  while (await commits.write(() => lots.removeSlice(7)));
  const pages = () => opened.database.query<{ page_count: number }, []>("PRAGMA page_count").get()?.page_count ?? 0;
  const before = pages();
  await append(lotOf(20_001));
  expect(pages()).toBeLessThanOrEqual(before + 2);
  for (const [fingerprint, id] of kept.slice(0, 100)) expect(lots.find(fingerprint)).toEqual([id]);
});

test("the work of a lot does not grow with what is stored, merges included", async () => {
  const checkpoint = (mode: string) =>
    opened.database.query<{ log: number }, []>(`PRAGMA wal_checkpoint(${mode})`).get()?.log ?? Number.NaN;
  const pagesOf = async (work: () => Promise<void>) => {
    checkpoint("RESTART");
    await work();
    return checkpoint("PASSIVE");
  };
  const count = 20_000;
  const lotOf = (lot: number): Key[] =>
    Array.from({ length: count }, (_, index): Key => [Math.random() * 2 ** 53, lot * count + index + 1]);
  const costs: number[] = [];
  for (let lot = 0; lot < 17; lot += 1) costs.push(await pagesOf(() => append(lotOf(lot)).then(() => settleLoop(400))));
  expect(whole()).toBeLessThan(4);
  // Without a merge: the keys' own blocks, 337 to a page, and a few pages for each of five transactions.
  expect(Math.max(...costs.filter((_, lot) => lot % 4 !== 3))).toBeLessThan(1.6 * (count / 337));
  // With all merges: each key is written two more times by now, and removing costs a fraction of a page for a block.
  const all = costs.reduce((sum, pages) => sum + pages, 0);
  expect(all / (17 * count)).toBeLessThan(0.015);
});

test("keys are found while a merge of their lots is being committed, though remains are removed after it", async () => {
  const keys = Array.from({ length: 40 }, (_, index): Key => [1_000 - index, index + 1]);
  let [stored, lookedAt] = [0, 0];
  const lost: Key[] = [];
  // What retention does, in the same transaction as each write of the lots, and then what a request does.
  lots = new KeyLots(opened.database, (change) => {
    const written = commits.write(change);
    void commits.write(() => {
      lots.removeSlice(100);
      if (whole() > 1) return;
      lookedAt += 1;
      lost.push(...keys.slice(0, stored).filter(([fingerprint, id]) => !lots.find(fingerprint).includes(id)));
    });
    return written;
  });
  for (let lot = 0; lot < 4; lot += 1) {
    await append(keys.slice(10 * lot, 10 * lot + 10));
    stored += 10;
  }
  await until(() => rows().length === 1);
  expect(lookedAt).toBeGreaterThan(0);
  expect(lost).toEqual([]);
  for (const [fingerprint, id] of keys) expect(lots.find(fingerprint)).toEqual([id]);
});
