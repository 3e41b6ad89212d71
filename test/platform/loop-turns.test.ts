/** Work that waits for its turn: accounts take turns, and a turn is as long as it may be. */
import { expect, test } from "bun:test";
import { LoopTurns } from "../../src/platform/loop-turns.ts";
import { nextTurn } from "../../src/platform/next-turn.ts";

/** Runs everything, and returns what ran in each turn of the event loop. */
async function turnsOf(turns: LoopTurns, tasks: readonly [name: string, owner: number, weight?: number][]) {
  const ran: string[][] = [];
  let [current, left]: [string[], number] = [[], tasks.length];
  for (const [name, owner, weight] of tasks)
    turns.add(
      () => {
        current.push(name);
        left -= 1;
      },
      owner,
      weight,
    );
  while (left > 0) {
    await nextTurn();
    if (current.length > 0) ran.push(current);
    current = [];
  }
  return ran;
}

test("one piece of work runs per turn, in turns among accounts, however many one of them has", async () => {
  const many: [string, number][] = ["a1", "a2", "a3", "a4"].map((name) => [name, 1]);
  const ran = await turnsOf(new LoopTurns(), [...many, ["b1", 2], ["c1", 3], ["b2", 2]]);
  expect(ran).toEqual([["a1"], ["b1"], ["c1"], ["a2"], ["b2"], ["a3"], ["a4"]]);
});

test("light pieces share a turn until they add up to its weight", async () => {
  const ran = await turnsOf(new LoopTurns(10), [
    ["a1", 1, 4],
    ["a2", 1, 4],
    ["b1", 2, 4],
    ["a3", 1, 30],
    ["a4", 1, 9],
    ["a5", 1, 1],
  ]);
  expect(ran).toEqual([["a1", "b1", "a2"], ["a3"], ["a4", "a5"]]);
});

test("a piece over several turns makes the next wait, and work added meanwhile gets its turn", async () => {
  const turns = new LoopTurns();
  const order: string[] = [];
  const ended = Promise.withResolvers<void>();
  turns.add(async () => {
    order.push("begins");
    turns.add(() => {
      order.push("added");
      ended.resolve();
    }, 2);
    await nextTurn();
    await nextTurn();
    order.push("ends");
  });
  await turns.next();
  order.push("next");
  await ended.promise;
  expect(order).toEqual(["begins", "ends", "next", "added"]);
});

test("a piece that throws, at once or later, does not stop the turns of the others", async () => {
  const told: string[] = [];
  const note = ({ message }: Error) => void told.push(message);
  process.on("warning", note);
  const turns = new LoopTurns();
  turns.add(() => {
    throw new Error("at once");
  }, 1);
  turns.add(async () => {
    await nextTurn();
    throw new Error("later");
  }, 1);
  await turns.next(2);
  await turns.next(1);
  await turns.next(2);
  await nextTurn();
  process.off("warning", note);
  expect(told).toEqual(["at once", "later"]);
});
