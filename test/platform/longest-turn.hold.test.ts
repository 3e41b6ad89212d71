/** The measure behind the tests of holds: a planted hold is found anywhere in the work, whatever blocks the loop. */
import { expect, test } from "bun:test";
import { nextTurn } from "../../src/platform/next-turn.ts";
import { expectNoHold, heldMsMax, longestTurn } from "../support/longest-turn.ts";

const plantedMs = 100;
const nothingStolen = { next: () => 0 };

/** Counts only while this thread runs. */
function compute(ms: number): void {
  const usedMs = () => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1_000;
  };
  // The kernel's figure has steps of up to 4 ms.
  const until = usedMs() + ms + 4;
  while (usedMs() < until) Math.sqrt(ms);
}

/** However soon `sleepSync` wakes. */
function waitFor(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until) Bun.sleepSync(Math.max(1, until - performance.now()));
}

const holds: Record<string, () => void> = {
  computing: () => compute(plantedMs),
  "waiting for a disk or a lock": () => waitFor(plantedMs),
};
const places: Record<string, (hold: () => void) => Promise<void>> = {
  "its first turn": async (hold) => {
    hold();
    await nextTurn();
  },
  "its middle": async (hold) => {
    await nextTurn();
    hold();
    await nextTurn();
  },
  "its last turn": async (hold) => {
    await nextTurn();
    hold();
  },
  "a timer": async (hold) => {
    await Bun.sleep(1);
    hold();
    await nextTurn();
  },
};

for (const [what, hold] of Object.entries(holds)) {
  for (const [place, work] of Object.entries(places)) {
    test(`the check fails work that blocks the event loop for 100 ms by ${what}, in ${place}`, async () => {
      const held: number[] = [];
      const timed = () => {
        const begunAt = performance.now();
        hold();
        held.push(Math.round(performance.now() - begunAt));
      };
      const check = expectNoHold(() => work(timed), { pauseMs: () => 0, stolen: nothingStolen }).then(
        () => `passed, after holds of ${held.join(", ")} ms`,
        String,
      );
      expect(await check).toMatch(/In 10 attempts the work held the event loop for (\d+, ){9}\d+ ms/);
    });
  }
}

test("the check passes pieces of 20 ms with a turn after each, however many", async () => {
  await expectNoHold(async () => {
    for (let piece = 0; piece < 5; piece += 1) {
      compute(20);
      await nextTurn();
    }
  });
});

test("what the host takes while the thread computes does not count, and nothing is taken from a thread that waits", async () => {
  const longest = (work: () => void) =>
    longestTurn(
      async () => {
        await nextTurn();
        work();
      },
      { next: () => plantedMs },
    );
  expect(await longest(() => compute(plantedMs))).toBeLessThan(heldMsMax);
  expect(await longest(() => waitFor(plantedMs))).toBeGreaterThan(heldMsMax);
});

test("time in which the event loop was idle does not count", async () => {
  expect(await longestTurn(() => Bun.sleep(3 * heldMsMax))).toBeLessThan(heldMsMax);
});
