/** Mails of an account wait for each other once they took their share, and nobody else's wait for them. */
import { expect, test } from "bun:test";
import { AccountWork, mailCosts } from "../../src/drop-in/smtp/account-work.ts";
import { LoopTurns } from "../../src/platform/loop-turns.ts";
import { ManualClock } from "../support/manual-clock.ts";

/** Of one small mail: three commands, the mail, and what reading it took. */
const smallMailMs = 3 * mailCosts.commandMs + mailCosts.mailMs + 0.1;

async function mails(work: AccountWork, clock: ManualClock, untilMs: number): Promise<number> {
  let count = 0;
  let isOver = false;
  const going = (async () => {
    while (!isOver) {
      await work.turn(smallMailMs - 0.1);
      work.done(0.1);
      count += 1;
    }
  })();
  for (let atMs = 0; atMs < untilMs; atMs += 1) await clock.advance(1);
  isOver = true;
  await clock.advance(1_000);
  await going;
  return count;
}

test("an account's mails take a quarter of a second of work at once, and then a twentieth of the time", async () => {
  const clock = new ManualClock();
  const work = new AccountWork(clock, new LoopTurns(), 1);
  for (let count = 0; count < Math.floor(250 / smallMailMs); count += 1) await work.turn(smallMailMs);
  const inTwoSeconds = await mails(work, clock, 2_000);
  expect(inTwoSeconds * smallMailMs).toBeGreaterThan(80);
  expect(inTwoSeconds * smallMailMs).toBeLessThan(120);
});

test("what a mail took to read is waited for by the account's next, in the order of their coming, and by nobody else's", async () => {
  const clock = new ManualClock();
  const turns = new LoopTurns();
  const [loud, quiet] = [new AccountWork(clock, turns, 1), new AccountWork(clock, turns, 2)];
  loud.done(300);
  const order: string[] = [];
  const next = ["first", "second", "third"].map((name) => loud.turn(5).then(() => order.push(name)));
  await quiet.turn(5);
  expect(order).toEqual([]);
  await clock.advance(1_000 + 100);
  await next[0];
  await clock.advance(400);
  await Promise.all(next);
  expect(order).toEqual(["first", "second", "third"]);
});

test("octets that send nothing are 64 KB at once and 8 KB a second, and none are lost by a mail that is accepted", async () => {
  const clock = new ManualClock();
  const work = new AccountWork(clock, new LoopTurns(), 1);
  expect([work.mayIdle(64 * 1024), work.mayIdle(1)]).toEqual([true, false]);
  await clock.advance(1_000);
  expect([work.mayIdle(8 * 1024), work.mayIdle(1)]).toEqual([true, false]);
  work.giveBackIdle(100);
  expect([work.mayIdle(100), work.mayIdle(1)]).toEqual([true, false]);
});
