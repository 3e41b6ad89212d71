/** How flooding binds share the event loop with each other and with other customers. */
import { expect, test } from "bun:test";
import { nextTurn } from "../../src/platform/next-turn.ts";
import { FreeRequestTurns, freeRequestsPerTurn } from "../../src/smpp-server/free-request-turns.ts";
import { FreeRequests } from "../../src/smpp-server/free-requests.ts";
import { ManualClock } from "../support/manual-clock.ts";

/** Binds with more refused requests than can ever be read: each reads on until it is told to wait. */
class Flood {
  readonly clock = new ManualClock();
  readonly made: number[];
  readonly #turns: FreeRequestTurns;

  constructor(binds: number, perSecond: number) {
    this.#turns = new FreeRequestTurns(this.clock, new FreeRequests(this.clock, perSecond));
    this.made = Array.from({ length: binds }, () => 0);
    for (const bind of this.made.keys()) {
      const turn = this.#turns.of(() => void nextTurn().then(read));
      const read = () => {
        do this.made[bind] = (this.made[bind] ?? 0) + 1;
        while (turn.count());
      };
      read();
    }
  }

  get total(): number {
    return this.made.reduce((sum, count) => sum + count, 0);
  }

  /** How many requests were made in each of this many turns of the event loop. */
  async turns(count: number): Promise<number[]> {
    const perTurn: number[] = [];
    for (let turn = 0; turn < count; turn += 1) {
      const before = this.total;
      await nextTurn();
      perTurn.push(this.total - before);
    }
    return perTurn;
  }
}

test("a flood gets a few requests per turn of the event loop, however many binds it has", async () => {
  for (const binds of [1, 10, 200]) {
    const flood = new Flood(binds, 1_000_000);
    const perTurn = await flood.turns(100);
    expect(Math.max(...perTurn)).toBeLessThanOrEqual(freeRequestsPerTurn);
    // No turn is given away while a bind waits.
    expect(perTurn.filter((count) => count > 0).length).toBeGreaterThan(30);
  }
});

test("the binds of a flood are read in turn, and none gets ahead by more than one turn", async () => {
  const flood = new Flood(10, 1_000_000);
  await flood.turns(200);
  expect(Math.max(...flood.made) - Math.min(...flood.made)).toBeLessThanOrEqual(freeRequestsPerTurn);
});

test("the binds of a flood pause together at its rate, and then the next in order continues", async () => {
  const flood = new Flood(10, 1_000);
  await flood.turns(1_000);
  const full = flood.total;
  // Each bind may find out on its own that the rate is exhausted.
  expect(full).toBeGreaterThanOrEqual(1_000);
  expect(full).toBeLessThanOrEqual(1_010);
  expect(await flood.turns(20)).toEqual(Array.from({ length: 20 }, () => 0));
  for (let pause = 0; pause < 40; pause += 1) {
    await flood.clock.advance(50);
    const perTurn = await flood.turns(40);
    expect(Math.max(...perTurn)).toBeLessThanOrEqual(freeRequestsPerTurn);
  }
  const inTwoSeconds = flood.total - full;
  expect(inTwoSeconds).toBeGreaterThan(1_800);
  expect(inTwoSeconds).toBeLessThanOrEqual(2_100);
  expect(Math.max(...flood.made) - Math.min(...flood.made)).toBeLessThanOrEqual(2 * freeRequestsPerTurn);
});

test("a waiting bind is queued once, and its further requests count", async () => {
  const clock = new ManualClock();
  const free = new FreeRequests(clock, 100);
  let turns = 0;
  const turn = new FreeRequestTurns(clock, free).of(() => {
    turns += 1;
  });
  const counted = Array.from({ length: 20 }, () => turn.count());
  expect(counted.filter((mayGoOn) => mayGoOn).length).toBe(freeRequestsPerTurn - 1);
  for (let count = 0; count < 5; count += 1) await nextTurn();
  expect(turns).toBe(1);
  for (let count = 20; count < 100; count += 1) expect(free.count()).toBe(0);
  expect(free.count()).toBe(50);
});
