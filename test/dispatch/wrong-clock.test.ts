/** A clock that may be wrong: due messages go out, expired ones are held, and nothing is deleted. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { forgetOld } from "../../src/messaging/messages/retention.ts";
import { ClockWatch } from "../../src/platform/clock-watch.ts";
import { forgetWhileBelieved } from "../../src/server/jobs.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { createTestServer, type TestServer } from "../support/test-server.ts";

const dayMs = 24 * 3_600_000;
const settings = { messageDays: 90, idempotencyDays: 30, rollupDays: 730 };
let server: TestServer;
let watch: ClockWatch;

beforeEach(async () => {
  const clock = new ManualClock();
  watch = new ClockWatch({ clock, before: null, agreedAt: () => null, changed: () => {} });
  server = await createTestServer({ clock, mayExpire: () => watch.doubt() === null });
  await server.start();
});
afterEach(() => server.stop());

const forget = () =>
  forgetWhileBelieved([() => forgetOld(server.store, server.clock.now(), settings)], () => watch.doubt());

test("a clock three days ahead holds waiting messages, which fail only once the time is confirmed", async () => {
  const scheduled = await server.send({ sendAt: server.clock.now() + 3_600_000 });
  server.clock.jump(3 * dayMs);
  await server.clock.advance(180_000);
  expect(server.historyOf(scheduled)).toEqual(["queued"]);
  watch.confirm();
  await server.clock.advance(61_000);
  expect(server.historyOf(scheduled)).toEqual(["queued", "failed"]);
});

test("a message is sent at its time after the clock was set right", async () => {
  const scheduled = await server.send({ sendAt: server.clock.now() + 3_600_000, recipient: "+989121234500" });
  server.clock.jump(3 * dayMs);
  await server.clock.advance(120_000);
  server.clock.jump(-3 * dayMs);
  expect(server.historyOf(scheduled)).toEqual(["queued"]);
  await server.clock.advance(3_600_000);
  expect(server.statusOf(scheduled)).toBe("delivered");
});

test("messages that are due by the clock are sent meanwhile", async () => {
  server.clock.jump(3 * dayMs);
  const fresh = await server.send({ recipient: "+989121234500" });
  const soon = await server.send({ sendAt: server.clock.now() + 60_000, recipient: "+989121234500" });
  await server.clock.advance(120_000);
  expect([server.statusOf(fresh), server.statusOf(soon)]).toEqual(["delivered", "delivered"]);
});

test("a clock a hundred days ahead deletes no message and no key until the time is confirmed", async () => {
  const done = await server.send({ recipient: "+989121234500", key: "one key" });
  // The newest message of all keeps its row.
  await server.send({ recipient: "+989121234500" });
  await server.clock.advance(60_000);
  server.clock.jump(100 * dayMs);
  await forget();
  expect(server.statusOf(done)).toBe("delivered");
  expect(await server.send({ recipient: "+989121234500", key: "one key" })).toBe(done);
  watch.confirm();
  await forget();
  expect(() => server.statusOf(done)).toThrow();
});
