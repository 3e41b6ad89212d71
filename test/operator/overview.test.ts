/** What is running, and what needs attention, as data. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { LiveFigures } from "../../src/operator/live-figures.ts";
import { silentLog } from "../../src/platform/log.ts";
import { noOutcomes, type OutcomeCounts } from "../../src/store/rollups.ts";
import { createOperatorServer, type OperatorServer } from "../support/operator.ts";

let server: OperatorServer;
beforeEach(async () => {
  server = await createOperatorServer();
});
afterEach(() => server.close());

const overview = async () => (await server.call("GET", "/overview")).body;
const minuteMs = 60_000;

test("a new installation lacks a carrier, an account with a key, and a message, each checked off on its own", async () => {
  expect(await overview()).toMatchObject({ begun: { carrier: false, account: false, message: false }, attention: [] });
  await server.call("POST", "/accounts", { name: "Clinic" });
  await server.call("POST", "/accounts/acc_1/senders", { sender: "30001" });
  await server.call("POST", "/keys", { account: "acc_1", name: "first" });
  await server.storeMessage({ trackingCode: "CODE1" });
  const smpp = { host: "127.0.0.1", port: 2775, systemId: "x", password: "y" };
  await server.call("POST", "/routes", { name: "operator-a", kind: "smpp", options: smpp });
  expect(await overview()).toMatchObject({ begun: { carrier: true, account: true, message: true } });
});

test("a route that is down needs attention if an active sender uses it", async () => {
  await server.call("POST", "/routes", { name: "far", kind: "simulator", options: {} });
  await server.carriers.get("far")?.stop();
  expect(await overview()).toMatchObject({ attention: [] });
  await server.accounts.create("Clinic");
  await server.senders.add(1, "30001", true, ["far"]);
  const down = { kind: "routeDown", route: "far", waiting: 0 };
  expect(await overview()).toMatchObject({ attention: [down, { kind: "simulator" }] });
});

test("a sender that a simulator serves through its routing plan needs attention", async () => {
  await server.call("POST", "/accounts", { name: "Clinic" });
  await server.call("POST", "/routes", { name: "played", kind: "simulator", options: {} });
  const smpp = { host: "127.0.0.1", port: 2775, systemId: "x", password: "y" };
  await server.call("POST", "/routes", { name: "operator-a", kind: "smpp", options: smpp });
  await server.senders.add(1, "30001", true, ["operator-a"]);
  await server.call("POST", "/plans", { name: "iran" });
  await server.call("POST", "/plans/iran/rules", { targets: [{ routes: ["played"] }] });
  expect(await overview()).toMatchObject({ attention: [] });
  await server.call("PATCH", "/accounts/acc_1/senders/30001", { plan: "iran" });
  expect(await overview()).toMatchObject({ attention: [{ kind: "simulator", senders: ["30001"] }] });
});

test("messages waiting for a plan's target count for the target's route", async () => {
  await server.call("POST", "/accounts", { name: "Clinic" });
  for (const name of ["operator-a", "operator-b"]) {
    await server.call("POST", "/routes", { name, kind: "simulator", options: {} });
  }
  await server.senders.add(1, "30001", true, ["operator-a"]);
  await server.call("POST", "/plans", { name: "iran" });
  await server.call("POST", "/plans/iran/rules", { targets: [{ routes: ["operator-b"] }] });
  await server.call("PATCH", "/accounts/acc_1/senders/30001", { plan: "iran" });
  await server.storeMessage({ trackingCode: "CODE1", targetId: 1 });
  await server.storeMessage({ trackingCode: "CODE2" });
  const named = (name: string, waiting: number) => expect.objectContaining({ name, waiting });
  expect(await overview()).toMatchObject({
    routes: expect.arrayContaining([named("operator-a", 1), named("operator-b", 1)]),
  });
});

test("senders that a simulator serves need attention, and a few of them are named", async () => {
  await server.call("POST", "/accounts", { name: "Clinic" });
  for (let count = 0; count < 7; count += 1) {
    await server.call("POST", "/accounts/acc_1/senders", { sender: `3000${count}` });
  }
  const senders = ["30000", "30001", "30002", "30003", "30004"];
  expect(await overview()).toMatchObject({ attention: [{ kind: "simulator", senders, more: 2 }] });
});

test("a restored copy that holds the queue needs attention", async () => {
  const { store, clock } = server;
  await store.write(({ restoreHold }) => restoreHold.hold(clock.now()));
  expect(await overview()).toMatchObject({
    attention: [{ kind: "condition", code: "Held", values: { since: clock.now() } }],
  });
});

test("outcomes are counted in the minute when they occurred", async () => {
  const { clock, store } = server;
  const total = { delivered: 0, sent: 0, cancelled: 0, failed: 0 };
  const live = new LiveFigures({
    clock,
    store,
    log: silentLog,
    running: { state: () => null },
    routeIds: () => [],
    outcomes: () => ({ ...total }),
  });
  live.start();
  Object.assign(total, { delivered: 3, sent: 2 });
  await clock.advance(minuteMs);
  Object.assign(total, { delivered: 4, sent: 0, cancelled: 6, failed: 5 });
  const [first, second] = live.minutes();
  expect([first, second]).toMatchObject([
    { delivered: 3, sent: 2, cancelled: 0, failed: 0 },
    { delivered: 1, sent: -2, cancelled: 6, failed: 5 },
  ]);
  await clock.advance(90 * minuteMs);
  expect(live.minutes()).toHaveLength(60);
  await live.stop();
});

test("the last hour survives a restart, and the time in between is unknown", async () => {
  const { clock, store } = server;
  const running = { state: () => null };
  const started = (total: OutcomeCounts) =>
    new LiveFigures({ clock, log: silentLog, store, running, routeIds: () => [], outcomes: () => ({ ...total }) });
  const firstAt = Math.floor(clock.now() / minuteMs) * minuteMs;
  const total = { ...noOutcomes };
  const killed = started(total);
  killed.start();
  Object.assign(total, { delivered: 3, sent: 4, cancelled: 1 });
  await clock.advance(firstAt + minuteMs - clock.now());
  Object.assign(total, { sent: 2, failed: 2 });
  await killed.save();
  // Lost with the process: it is killed before the minute ends.
  Object.assign(total, { delivered: 9 });
  killed.sample();

  const again = { ...noOutcomes };
  await clock.advance(3 * minuteMs);
  const live = started(again);
  expect(live.minutes()).toEqual([
    { at: firstAt, delivered: 3, sent: 4, cancelled: 1, failed: 0 },
    { at: firstAt + minuteMs, delivered: 0, sent: -2, cancelled: 0, failed: 2 },
    { at: firstAt + 4 * minuteMs, ...noOutcomes },
  ]);
  again.failed = 7;
  await live.stop();
  expect(
    started({ ...noOutcomes })
      .minutes()
      .at(-1),
  ).toMatchObject({ at: firstAt + 4 * minuteMs, failed: 7 });

  await clock.advance(58 * minuteMs);
  const later = started({ ...noOutcomes });
  await later.save();
  expect(store.tables.outcomeMinutes.all().map(({ at }) => (at - firstAt) / minuteMs)).toEqual([4, 62]);
});

test("a cancelled message counts in the minute of its cancellation", async () => {
  await server.accounts.create("Clinic");
  await server.storeMessage({ trackingCode: "CODE1" });
  await server.call("POST", "/messages/cancel", { trackingCodes: ["CODE1"] });
  expect(await overview()).toMatchObject({ outcomes: [{ delivered: 0, sent: 0, cancelled: 1, failed: 0 }] });
});

test("a route's rate covers the last seconds", async () => {
  const { clock, store } = server;
  let partsTaken = 0;
  const running = {
    state: (id: number) => {
      const state = server.running.state(id);
      return state === null ? null : { ...state, partsTaken };
    },
  };
  const outcomes = () => ({ delivered: 0, sent: 0, cancelled: 0, failed: 0 });
  const live = new LiveFigures({ clock, log: silentLog, store, running, routeIds: () => [1], outcomes });
  live.start();
  partsTaken = 100;
  await clock.advance(5_000);
  expect(live.partsPerSecond(1)).toBeCloseTo(20, 1);
  await clock.advance(10_000);
  expect(live.partsPerSecond(1)).toBe(0);
  await live.stop();
});
