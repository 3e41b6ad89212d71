/** A route that delivers too little is passed over for the sender's next one, tried again with a few messages, and comes back. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { type MessageClass, messageClasses } from "../../src/domain/message.ts";
import { silentLog } from "../../src/platform/log.ts";
import { ReadThread } from "../../src/reports/read-thread.ts";
import { Reports } from "../../src/reports/reports.ts";
import { watchDeliveryRates } from "../../src/server/services.ts";
import { until } from "../support/manual-clock.ts";
import { ScriptedProvider } from "../support/scripted-provider.ts";
import { createTestServer, type TestServer } from "../support/test-server.ts";

const minuteMs = 60_000;
const failover = { belowDeliveryRate: 0.8, overMs: 60 * minuteMs, minimum: 20 };
let server: TestServer;
let readThread: ReadThread;
let watch: ReturnType<typeof watchDeliveryRates>;
let providers: ScriptedProvider[];

beforeEach(async () => {
  providers = [];
  server = await createTestServer({
    routes: [{ failover }, {}],
    build: ({ id }, events) => {
      const provider = new ScriptedProvider(events, { window: 1_000 });
      providers[id - 1] = provider;
      return provider;
    },
  });
  await server.start();
  readThread = new ReadThread(server.store.path, server.clock);
  const reports = new Reports(readThread);
  const routing = { running: server.routes, dispatcher: server.dispatch };
  watch = watchDeliveryRates({ reports, routing, clock: server.clock, log: silentLog });
});
afterEach(async () => {
  await readThread.stop();
  await server.stop();
});

/** Sends this many and returns how many took each route; those of the first route get a receipt, `failed` of them a bad one. */
async function send(count: number, failed = 0, messageClass: MessageClass = messageClasses.single): Promise<number[]> {
  const before = providers.map((provider) => provider.submissions.length);
  await server.sendAll(Array.from({ length: count }, () => ({ class: messageClass })));
  const taken = () => providers.map((provider, index) => provider.submissions.length - (before[index] ?? 0));
  await until(() => taken().reduce((sum, one) => sum + one, 0) === count);
  await server.clock.advance(50);
  const [first] = providers;
  for (const [index, { messageId }] of (first?.submissions.slice(before[0]) ?? []).entries()) {
    const state = index < failed ? "failed" : "delivered";
    await first?.events.receipt({ ids: [`${messageId}-1`], state, detail: "stat:X", at: server.clock.now() });
  }
  return taken();
}

const warnings = () => server.routes.state(1)?.health.warnings ?? [];

test("a route that delivers below its limit is passed over for the next route until its trial succeeds", async () => {
  expect(await send(20, 8)).toEqual([20, 0]);
  await watch.look();
  expect(warnings()).toEqual([expect.stringContaining("It delivered 60.0 % of its messages, less than 80.0 %")]);
  expect(server.routes.state(2)?.health.warnings ?? []).toEqual([]);
  expect(await send(10)).toEqual([0, 10]);

  // Better than none.
  providers[1]?.goDown();
  expect(await send(3)).toEqual([3, 0]);
  providers[1]?.comeUp();

  await server.clock.advance(61 * minuteMs);
  await watch.look();
  expect(warnings()).toEqual([expect.stringContaining("tried with one message in ten")]);
  expect(await send(20, 0, messageClasses.otp)).toEqual([0, 20]);
  await server.clock.advance(15 * minuteMs);
  expect(await send(100)).toEqual([10, 90]);
  await watch.look();
  expect(warnings()).toEqual([]);
  expect(await send(5)).toEqual([5, 0]);
});

test("a route whose receipts come late is passed over, but not for what waited while it was down", async () => {
  const late = async () => {
    const [first] = providers;
    const from = first?.submissions.length ?? 0;
    await server.sendAll(Array.from({ length: 20 }, () => ({})));
    await until(() => first?.submissions.length === from + 20);
    await server.clock.advance(6 * minuteMs);
    return async () => {
      for (const { messageId } of first?.submissions.slice(from) ?? [])
        await first?.events.receipt({
          ids: [`${messageId}-1`],
          state: "delivered",
          detail: "",
          at: server.clock.now(),
        });
      await watch.look();
    };
  };
  const afterDown = await late();
  providers[0]?.goDown();
  providers[0]?.comeUp();
  await afterDown();
  expect(warnings()).toEqual([]);
  await server.clock.advance(11 * minuteMs);
  await (await late())();
  expect(warnings()).toEqual([expect.stringContaining("100.0 % of its receipts came more than five minutes late")]);
  expect(await send(10)).toEqual([0, 10]);
});

test("few messages or none do not decide whether a route is passed over", async () => {
  await send(19, 19);
  await watch.look();
  expect(warnings()).toEqual([]);
  expect(await send(1)).toEqual([1, 0]);
});
