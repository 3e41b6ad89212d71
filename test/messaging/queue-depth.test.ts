/** How many messages wait, per lane and class, and how many stand ahead of one. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { messageClasses } from "../../src/domain/message.ts";
import type { Draft } from "../../src/messaging/messages/accept.ts";
import { aheadOf, laneDepths, queueDepths } from "../../src/messaging/messages/queue-depth.ts";
import { createTestServer, type TestServer } from "../support/test-server.ts";

let server: TestServer;
beforeEach(async () => {
  server = await createTestServer();
});
afterEach(() => server.stop());

const hourMs = 3_600_000;
const { bulk, single } = messageClasses;
const wait = (count: number, draft: Partial<Draft> = {}, account = 1) =>
  server.sendAll(
    Array.from({ length: count }, () => ({ class: bulk, ...draft })),
    account,
  );
const queue = () => server.store.tables.queue;
const counts = (counted?: number) =>
  laneDepths(queue(), counted).map(({ senderId, waiting, cut }) => [senderId, waiting, cut]);

test("each lane tells what waits in it and since when, and a class is the sum of its lanes", async () => {
  const at = server.clock.now();
  expect(queueDepths(laneDepths(queue())).map(({ waiting, oldestDueAt }) => [waiting, oldestDueAt])).toEqual(
    Array.from({ length: 3 }, () => [0, null]),
  );
  await wait(3, { sendAt: at + hourMs });
  await wait(2, { sendAt: at + 2 * hourMs }, 2);
  await wait(1, { class: single });
  const depths = queueDepths(laneDepths(queue()));
  expect(depths.find((depth) => depth.class === "bulk")).toEqual({
    ...{ class: "bulk", waiting: 5, more: false, oldestDueAt: at + hourMs },
  });
  expect(depths.find((depth) => depth.class === "single")).toMatchObject({ waiting: 1, oldestDueAt: at });
  expect(depths.find((depth) => depth.class === "otp")).toEqual({
    ...{ class: "otp", waiting: 0, more: false, oldestDueAt: null },
  });
});

test("counting ends at a number for all lanes, of which each still tells its first", async () => {
  await wait(3);
  await wait(4, {}, 2);
  expect(counts()).toEqual([
    [1, 3, false],
    [2, 4, false],
  ]);
  expect(counts(7)).toEqual([
    [1, 3, false],
    [2, 4, true],
  ]);
  expect(counts(5)).toEqual([
    [1, 3, false],
    [2, 2, true],
  ]);
  expect(counts(0)).toEqual([
    [1, 1, true],
    [2, 1, true],
  ]);
  const [depth] = queueDepths(laneDepths(queue(), 5)).filter((one) => one.class === "bulk");
  expect(depth).toMatchObject({ waiting: 5, more: true });
});

test("a lane is counted to ten thousand, and so is what stands ahead of a message", async () => {
  for (let batch = 0; batch < 20; batch += 1) await wait(500);
  expect(laneDepths(queue())).toMatchObject([{ waiting: 10_000, cut: true }]);
  const now = server.clock.now();
  const lane = laneDepths(queue())[0];
  if (lane === undefined) throw new Error("There is no lane");
  const ahead = (id: number) => aheadOf(queue(), lane, { dueAt: now, id }, now);
  expect(ahead(1)).toEqual({ messages: 0, more: false });
  expect(ahead(10_001)).toEqual({ messages: 10_000, more: false });
  await wait(1);
  expect(ahead(10_002)).toEqual({ messages: 10_000, more: true });
});

test("what is due at a higher priority stands ahead, and what is not due or of a lower one does not", async () => {
  const now = server.clock.now();
  await wait(2, { priority: 0 });
  await wait(3, { priority: 1 });
  await wait(4, { priority: 3 });
  await wait(5, { priority: 3, sendAt: now + hourMs });
  const ahead = (priority: number) =>
    aheadOf(queue(), { senderId: 1, class: bulk, targetId: 0, priority }, { dueAt: now, id: 2 }, now);
  expect([0, 1, 2, 3].map((priority) => ahead(priority).messages)).toEqual([1 + 3 + 4, 4, 4, 0]);
});
