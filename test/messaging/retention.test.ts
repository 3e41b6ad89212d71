/** What is deleted, what is kept, and for how long. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { messageClasses } from "../../src/domain/message.ts";
import { forgetOld } from "../../src/messaging/messages/retention.ts";
import { createTestServer, type TestServer } from "../support/test-server.ts";

const dayMs = 24 * 3_600_000;
const settings = { messageDays: 90, idempotencyDays: 30, rollupDays: 730 };
let server: TestServer;
beforeEach(async () => {
  server = await createTestServer();
  await server.start();
});
afterEach(() => server.stop());

/** The newest message keeps its row: see ids.test.ts. */
const sendNewest = () => server.send({ sendAt: server.clock.now() + 200 * dayMs });
const exists = (code: string) => server.store.tables.messages.byCodeAnywhere(code) !== null;

test("messages are deleted after their time, to the day, with their parts and timeline", async () => {
  const code = await server.send({ recipient: "+989121234504" });
  await sendNewest();
  await server.clock.advance(60_000);
  server.clock.jump(90 * dayMs - 60_000);
  expect(await forgetOld(server.store, server.clock.now(), settings)).toBe(0);
  expect(exists(code)).toBe(true);
  server.clock.jump(1);
  expect(await forgetOld(server.store, server.clock.now(), settings)).toBe(1);
  expect(exists(code)).toBe(false);
  expect(server.store.tables.parts.ofMessage(1)).toEqual([]);
  expect(server.store.tables.timeline.ofMessage(1)).toEqual([]);
});

test("a message that is not finished is kept, however old", async () => {
  const sendAt = server.clock.now() + 100 * dayMs;
  const waiting = await server.send({ sendAt, class: messageClasses.bulk });
  const [first] = (await server.sendAll([{ recipient: "+989121234500" }])).results;
  await sendNewest();
  await server.clock.advance(1_000);
  server.clock.jump(91 * dayMs);
  expect(await forgetOld(server.store, server.clock.now(), settings)).toBe(1);
  expect([exists(waiting), exists(first?.trackingCode ?? "")]).toEqual([true, false]);
});

test("a scheduled message counts from its time, and a recently sent one waits for its receipt", async () => {
  const sendAt = server.clock.now() + 100 * dayMs;
  const scheduled = await server.send({ sendAt, recipient: "+989121234500" });
  server.clock.jump(100 * dayMs);
  await server.clock.advance(61_000);
  expect(server.statusOf(scheduled)).toBe("delivered");
  expect(await forgetOld(server.store, server.clock.now(), settings)).toBe(0);
  expect(exists(scheduled)).toBe(true);
  await sendNewest();
  server.clock.jump(91 * dayMs);
  expect(await forgetOld(server.store, server.clock.now(), settings)).toBe(1);
});

test("more than one slice is deleted in one run", async () => {
  await server.sendAll(Array.from({ length: 450 }, () => ({ recipient: "+989121234500" })));
  await sendNewest();
  await server.clock.advance(2_000);
  server.clock.jump(91 * dayMs);
  expect(await forgetOld(server.store, server.clock.now(), settings)).toBe(450);
});

test("a key is remembered for its time, even if its message is deleted earlier", async () => {
  const first = await server.send({ key: "one key" });
  server.clock.jump(30 * dayMs);
  await forgetOld(server.store, server.clock.now(), settings);
  expect(await server.send({ key: "one key" })).toBe(first);
  server.clock.jump(1);
  await forgetOld(server.store, server.clock.now(), settings);
  const second = await server.send({ key: "one key" });
  expect(second).not.toBe(first);
  await server.clock.advance(1_000);
  await sendNewest();
  server.clock.jump(8 * dayMs);
  await forgetOld(server.store, server.clock.now(), { messageDays: 7, idempotencyDays: 30, rollupDays: 730 });
  expect(exists(second)).toBe(false);
  expect(await server.send({ key: "one key" })).toBe(second);
});
