/** The state of a carrier in `peyk route show`: delivery rate, time to the receipt, and its refusals. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { runCli } from "../support/cli.ts";
import { createOperatorServer, type OperatorServer } from "../support/operator.ts";

let server: OperatorServer;
beforeEach(async () => {
  server = await createOperatorServer();
  await server.call("POST", "/accounts", { name: "Clinic" });
  await server.call("POST", "/accounts/1/senders", { sender: "30001" });
});
afterEach(() => server.close());

async function ended(trackingCode: string, to: "delivered" | "failed", tookMs: number): Promise<void> {
  await server.storeMessage({ trackingCode });
  await server.store.write((tables) => {
    const row = tables.messages.byCodeAnywhere(trackingCode);
    const at = server.clock.now();
    const given = row && tables.messages.move(row, { to: "submitting", at, routeId: 1, attempts: 1 });
    const sent = given && tables.messages.move(given, { to: "submitted", at });
    if (sent) tables.messages.move(sent, { to, at: at + tookMs });
    if (to === "failed") tables.refusals.add(1, "receipt", "stat:UNDELIV err:001", at);
  });
}

test("a route shows its delivery figures over the last hour and day", async () => {
  for (const code of ["A", "B", "C"]) await ended(code, "delivered", 4_000);
  await ended("D", "failed", 9_000);
  const { body } = await server.call("GET", "/routes/simulator");
  expect(body).toMatchObject({
    name: "simulator",
    figures: {
      hour: { messages: 4, delivered: 3, failed: 1, open: 0, deliveryRate: 0.75 },
      day: { messages: 4 },
      refusals: [{ kind: "receipt", code: "stat:UNDELIV err:001", hour: 1, day: 1, week: 1 }],
      refusalsOverTime: [{ at: "2026-01-05T12:00:00.000Z", code: "stat:UNDELIV err:001", messages: 1 }],
    },
  });
  const { out } = await runCli(["route", "show", "simulator", "--data-dir", server.folder]);
  expect(out).toMatch(/LAST +MESSAGES +DELIVERED +FAILED +OPEN +RATE/);
  expect(out).toMatch(/hour +4 +3 +1 +0 +75\.0 % +[34]\.\d s/);
  expect(out).toMatch(/stat:UNDELIV err:001 +receipt +1 +1 +1/);
});

test("a route shows no delivery figures if nothing was sent", async () => {
  const { out } = await runCli(["route", "show", "simulator", "--data-dir", server.folder]);
  expect(out).not.toContain("RATE ");
  expect(out).not.toContain("REFUSED WITH");
});

test("the last day is counted by the hour, for routes and accounts that had messages", async () => {
  await server.call("POST", "/routes", { name: "idle", kind: "simulator", options: {} });
  await ended("A", "delivered", 4_000);
  await server.clock.advance(3 * 3_600_000);
  await ended("B", "failed", 9_000);
  await server.storeMessage({ trackingCode: "C" });
  const hours = (counts: Readonly<Record<number, number>>) =>
    Array.from({ length: 24 }, (_, hour) => counts[hour] ?? 0);
  expect((await server.call("GET", "/figures/hours?by=route")).body).toEqual({
    from: "2026-01-04T16:00:00.000Z",
    rows: [{ name: "simulator", messages: hours({ 20: 1, 23: 1 }), failed: hours({ 23: 1 }) }],
  });
  expect((await server.call("GET", "/figures/hours?by=account")).body).toMatchObject({
    rows: [{ name: "acc_1", messages: hours({ 20: 1, 23: 2 }), failed: hours({ 23: 1 }) }],
  });
});
