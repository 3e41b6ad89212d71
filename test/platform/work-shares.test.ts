/** Whoever took more than a share of the time waits for the next turn, and nobody else does. */
import { expect, test } from "bun:test";
import { WorkShares } from "../../src/platform/work-shares.ts";
import { ManualClock } from "../support/manual-clock.ts";

const share = { perSecond: 50, most: 250 };

test("a quarter of a second of work may come at once, and then a twentieth of the time", async () => {
  const clock = new ManualClock();
  const work = new WorkShares<string>(clock, share);
  await work.turn("loud", 250);
  let doneMs = 0;
  let isOver = false;
  const going = (async () => {
    while (!isOver) {
      await work.turn("loud", 1);
      work.done("loud", 1);
      doneMs += 2;
    }
  })();
  for (let atMs = 0; atMs < 2_000; atMs += 1) await clock.advance(1);
  isOver = true;
  await clock.advance(1_000);
  await going;
  expect(doneMs).toBeGreaterThan(90);
  expect(doneMs).toBeLessThan(110);
});

test("what was done is waited for in the order of coming, less if it took less, and by nobody else", async () => {
  const clock = new ManualClock();
  const work = new WorkShares<string>(clock, share);
  work.done("loud", 300);
  const order: string[] = [];
  for (const name of ["first", "second", "third"]) void work.turn("loud", 5).then(() => order.push(name));
  await work.turn("quiet", 250);
  await clock.advance(1_000);
  expect(order).toEqual([]);
  await clock.advance(100);
  expect(order).toEqual(["first"]);
  await clock.advance(200);
  expect(order).toEqual(["first", "second", "third"]);
  work.done("loud", -250);
  await work.turn("loud", 250);
});

test("a debt outlives twenty thousand others, and who owes nothing is forgotten", async () => {
  const clock = new ManualClock();
  const work = new WorkShares<object>(clock, share);
  const loud = {};
  work.done(loud, 1_000);
  const others = Array.from({ length: 20_000 }, () => {
    const other = {};
    work.done(other, -1);
    return new WeakRef(other);
  });
  for (let index = 0; index < 20_000; index += 1) void work.turn({ index }, 1);
  let isOver = false;
  const waiting = work.turn(loud, 0).then(() => {
    isOver = true;
  });
  await clock.advance(14_999);
  expect(isOver).toBe(false);
  await clock.advance(1);
  await waiting;
  Bun.gc(true);
  expect(others.filter((other) => other.deref() !== undefined).length).toBeLessThan(200);
});
