/** What the shipper guarantees: one entry for all pending commits, an unknown outcome settled before anybody is answered, and no writes past another leader. */
import { beforeEach, expect, test } from "bun:test";
import { epochKey } from "../../src/cluster/entry.ts";
import { Shipper, stalledMs } from "../../src/cluster/shipper.ts";
import { silentLog } from "../../src/platform/log.ts";
import type { ChangedPages } from "../../src/store/log-frames.ts";
import { ManualClock, settleLoop } from "../support/manual-clock.ts";
import { MemoryEngine } from "../support/memory-engine.ts";

const firstSum = new Uint8Array(32).fill(9);
const key = epochKey(new Uint8Array(32).fill(1), new Uint8Array(16), "log");

let engine: MemoryEngine;
let clock: ManualClock;
let lost: string[];
let shipper: Shipper;

beforeEach(() => {
  engine = new MemoryEngine(firstSum);
  clock = new ManualClock();
  lost = [];
  shipper = new Shipper({
    writer: engine,
    clock,
    log: silentLog,
    begin: { epoch: 1, sequence: 0, sum: firstSum },
    key,
    lost: (why) => lost.push(why),
    began: () => {},
    checkpointed: () => {},
    closed: () => true,
  });
});

const page = (number: number, content: number): ChangedPages => ({
  pageBytes: 512,
  pageCount: 10,
  pages: new Map([[number, new Uint8Array(512).fill(content)]]),
});

function commit(pages: ChangedPages | null): { isKept: boolean } {
  const told = { isKept: false };
  shipper.committed(pages, () => {
    told.isKept = true;
  });
  return told;
}

test("a commit is acknowledged once its entry is stored; commits made meanwhile share the next entry", async () => {
  engine.hold();
  const first = commit(page(1, 1));
  await settleLoop();
  const later = [commit(page(2, 2)), commit(page(2, 3)), commit(page(3, 4))];
  await settleLoop();
  expect([first, ...later].map(({ isKept }) => isKept)).toEqual([false, false, false, false]);
  engine.release();
  await settleLoop();
  expect([first, ...later].map(({ isKept }) => isKept)).toEqual([true, true, true, true]);
  expect(engine.entries.map(({ sequence }) => sequence)).toEqual([1, 2]);
  expect(shipper.isDrained).toBe(true);
});

test("a commit without changes is acknowledged after those before it", async () => {
  engine.hold();
  const first = commit(page(1, 1));
  await settleLoop();
  const empty = commit(null);
  await settleLoop();
  expect(empty.isKept).toBe(false);
  engine.release();
  await settleLoop();
  expect([first.isKept, empty.isKept, engine.entries.length]).toEqual([true, true, 1]);
});

test("an append whose answer was lost is found, and acknowledged only after one more commit", async () => {
  engine.fates = ["stored, answer lost"];
  const told = commit(page(1, 1));
  await settleLoop();
  expect([told.isKept, engine.confirmations, engine.entries.length]).toEqual([true, 1, 1]);
});

test("a lost append is repeated byte for byte, and acknowledged only after one more commit", async () => {
  engine.fates = ["lost"];
  const told = commit(page(1, 1));
  await settleLoop();
  expect([told.isKept, engine.confirmations, engine.entries.length]).toEqual([true, 1, 1]);
  commit(page(1, 2));
  await settleLoop();
  expect(engine.entries).toHaveLength(2);
});

test("a leader of an older epoch acknowledges nothing more", async () => {
  engine.newestEpoch = 2;
  const told = commit(page(1, 1));
  await settleLoop();
  expect(lost).toEqual(["another node leads, in epoch 2"]);
  const later = commit(page(1, 2));
  await settleLoop();
  expect([told.isKept, later.isKept, shipper.isDrained, engine.entries.length]).toEqual([false, false, false, 0]);
});

test("an engine that lost entries it had acknowledged receives them again", async () => {
  for (const content of [1, 2, 3]) {
    commit(page(content, content));
    await settleLoop();
  }
  const kept = [...engine.entries];
  engine.entries.length = 1;
  const told = commit(page(4, 4));
  for (let tries = 0; tries < 5; tries += 1) await clock.advance(200);
  expect(told.isKept).toBe(true);
  expect(engine.entries.slice(0, 3)).toEqual(kept);
  expect(engine.entries).toHaveLength(4);
});

test("an engine that holds another leader's entries ends this leader", async () => {
  commit(page(1, 1));
  await settleLoop();
  engine.entries[0] = { epoch: 1, sequence: 1, pieces: [], sum: new Uint8Array(32) };
  const told = commit(page(2, 2));
  await settleLoop();
  expect([told.isKept, lost.length]).toEqual([false, 1]);
});

test("an engine that is silent for two seconds stops new writes, is asked over a new connection, and recovers", async () => {
  engine.hold();
  const told = commit(page(1, 1));
  await clock.advance(stalledMs - 1);
  expect(shipper.refusal()).toBeNull();
  await clock.advance(1);
  expect(shipper.refusal()).toContain("does not answer");
  expect(engine.reconnects).toBe(0);
  await clock.advance(3_000);
  expect(engine.reconnects).toBe(1);
  engine.release();
  await settleLoop();
  expect([told.isKept, shipper.refusal()]).toEqual([true, null]);
});

test("a large commit is sent in pieces, and the last piece makes it an entry", async () => {
  const pages = new Map<number, Uint8Array>();
  for (let number = 1; number <= 2_050; number += 1) pages.set(number, new Uint8Array(512));
  const told = commit({ pageBytes: 512, pageCount: 2_050, pages });
  await settleLoop();
  expect(engine.pieces.map(({ piece }) => piece)).toEqual([0, 1]);
  expect([told.isKept, engine.entries[0]?.pieces.length]).toEqual([true, 3]);
});
