import { expect, test } from "bun:test";
import { nextTurn } from "../../src/platform/next-turn.ts";
import { TurnShare } from "../../src/platform/turn-share.ts";

/** Pieces that take this many milliseconds each, and the turn of the event loop in which each ran. */
async function turnsOf(pieces: readonly number[]): Promise<number[]> {
  let now = 0;
  let turn = 0;
  let isOver = false;
  const counting = (async () => {
    for (; !isOver; turn += 1) await nextTurn();
  })();
  const share = new TurnShare({ monotonic: () => now }, 3);
  const ran = await Promise.all(
    pieces.map((tookMs) =>
      share.run(() => {
        now += tookMs;
        return turn;
      }),
    ),
  );
  isOver = true;
  await counting;
  return ran;
}

test("short pieces of work run in one turn", async () => {
  expect(new Set(await turnsOf([1, 1, 1, 1])).size).toBe(1);
});

test("work after long pieces waits for later turns, one for each", async () => {
  const [first = 0, second = 0, third = 0, fourth = 0] = await turnsOf([5, 2, 4, 1]);
  expect(second).toBeGreaterThan(first);
  // Two and four together fill the turn's share, and the next one does not fit.
  expect(third).toBe(second);
  expect(fourth).toBeGreaterThan(third);
});
