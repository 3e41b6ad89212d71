/** What a credential may ask without cost before its binds pause. */
import { expect, test } from "bun:test";
import { FreeRequests } from "../../src/smpp-server/free-requests.ts";
import { ManualClock } from "../support/manual-clock.ts";

test("after its free requests all binds of a credential pause until the same moment", async () => {
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

test("a rate below twenty a second pauses until one more request is allowed", () => {
  const free = new FreeRequests(new ManualClock(), 10);
  for (let count = 0; count < 10; count += 1) expect(free.count()).toBe(0);
  expect(free.count()).toBe(100);
});

test("after a second's worth of refusals, a twentieth of the rate is served, plus as many as were accepted", async () => {
  const clock = new ManualClock();
  const free = new FreeRequests(clock, 1_000);
  await clock.advance(5_000);
  for (let count = 0; count < 1_000; count += 1) expect(free.count(true)).toBe(0);
  await clock.advance(1_000);
  for (let count = 0; count < 50; count += 1) expect(free.count(true)).toBe(0);
  expect(free.count(true)).toBe(150);
  // Queries have lost nothing.
  await clock.advance(150);
  for (let count = 0; count < 200; count += 1) expect(free.count()).toBe(0);
  await clock.advance(1_000);
  for (let count = 0; count < 20; count += 1) free.accepted();
  let served = 0;
  while (free.count(true) === 0) served += 1;
  expect(served).toBe(77);
});

test("refusals pause until one more is allowed if that is longer, and accepted requests save up a second's worth", () => {
  const clock = new ManualClock();
  const free = new FreeRequests(clock, 100);
  for (let count = 0; count < 100; count += 1) expect(free.count(true)).toBe(0);
  expect(free.count(true)).toBe(200);
  const saving = new FreeRequests(clock, 10);
  for (let count = 0; count < 1_000; count += 1) saving.accepted();
  for (let count = 0; count < 10; count += 1) expect(saving.count(true)).toBe(0);
  expect(saving.count(true)).toBe(2_000);
});
