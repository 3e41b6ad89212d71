/** What a credential may ask without cost before its binds pause. */
import { expect, test } from "bun:test";
import { FreeRequests } from "../../src/smpp-server/free-requests.ts";
import { ManualClock } from "../support/manual-clock.ts";

test("past its free requests, all binds of a credential pause until the same moment", async () => {
  const clock = new ManualClock();
  const free = new FreeRequests(clock, 100);
  for (let count = 0; count < 100; count += 1) expect(free.count()).toBe(0);
  expect(free.count()).toBe(50);
  await clock.advance(8);
  expect(free.count()).toBe(42);
  await clock.advance(42);
  for (let count = 0; count < 5; count += 1) expect(free.count()).toBe(0);
  expect(free.count()).toBe(50);
});

test("a rate of less than twenty a second pauses until one more fits", () => {
  const free = new FreeRequests(new ManualClock(), 10);
  for (let count = 0; count < 10; count += 1) expect(free.count()).toBe(0);
  expect(free.count()).toBe(100);
});
