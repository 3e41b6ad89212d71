/** The operator drains a route: the command waits until it is done, shows what is missing, and a restart does not forget it. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { runCli } from "../support/cli.ts";
import { until } from "../support/manual-clock.ts";
import { createOperatorServer, type OperatorServer } from "../support/operator.ts";
import { temporaryFolder } from "../support/test-server.ts";

let server: OperatorServer;
beforeEach(async () => {
  server = await createOperatorServer();
  await server.call("POST", "/accounts", { name: "Clinic" });
  await server.call("POST", "/accounts/1/senders", { sender: "30001" });
});
afterEach(() => server.close());

const peyk = (...argv: string[]) => runCli([...argv, "--data-dir", server.folder]);

/** A message that the route took and has not reported on. */
async function sent(trackingCode: string): Promise<void> {
  await server.storeMessage({ trackingCode });
  await server.store.write((tables) => {
    const row = tables.messages.byCodeAnywhere(trackingCode);
    const at = server.clock.now();
    const given = row && tables.messages.move(row, { to: "submitting", at, routeId: 1, attempts: 1 });
    if (given) tables.messages.move(given, { to: "submitted", at });
  });
}

async function reported(trackingCode: string): Promise<void> {
  await server.store.write((tables) => {
    const row = tables.messages.byCodeAnywhere(trackingCode);
    if (row !== null) tables.messages.move(row, { to: "delivered", at: server.clock.now() });
  });
}

test("draining ends at once if nothing is open, and is shown everywhere until undone", async () => {
  expect(await peyk("route", "drain", "simulator")).toMatchObject({
    code: 0,
    out: "Route simulator is drained: every message is answered and reported.\n",
  });
  await server.storeMessage({ trackingCode: "WAITS" });
  const waits = (await peyk("message", "show", "WAITS")).out;
  expect(waits).toContain("takes nothing more until: peyk route undrain simulator");
  expect(waits).toMatch(/Ahead of it +0 messages of its sender/);
  expect((await peyk("route", "list")).out).toMatch(/simulator +simulator +draining/);
  const status = await peyk("status");
  expect(status.out).toContain("! Route simulator takes nothing since 2026-01-05T12:00:00.000Z");
  expect(status.out).toMatch(/simulator +simulator +draining/);
  expect((await peyk("route", "undrain", "simulator")).out).toBe("Route simulator takes messages again.\n");
  expect((await peyk("status")).out).not.toContain("takes nothing");
});

test("draining waits for the receipts of messages that the carrier has", async () => {
  await sent("A");
  let isOver = false;
  const draining = peyk("route", "drain", "simulator", "--json").finally(() => {
    isOver = true;
  });
  await until(() => server.directory.route("simulator")?.drainingSince !== null);
  expect((await server.call("GET", "/routes/simulator/drain")).body).toMatchObject({
    unanswered: 0,
    awaitingReceipts: 1,
    isDrained: false,
  });
  expect(isOver).toBe(false);
  await reported("A");
  expect(JSON.parse((await draining).out)).toMatchObject({ awaitingReceipts: 0, isDrained: true });
});

test("draining stops waiting after its timeout, reports what is missing, and the route stays draining", async () => {
  await sent("A");
  const run = await peyk("route", "drain", "simulator", "--timeout", "0");
  expect(run).toMatchObject({ code: 1, out: "Route simulator waits for 0 answers and 1 receipt.\n" });
  expect(run.err).toContain("peyk route undrain simulator");
  expect(server.directory.route("simulator")?.drainingSince).toBe(server.clock.now());
  expect(await peyk("route", "drain", "simulator", "--no-wait")).toMatchObject({ code: 0 });
  expect((await peyk("route", "drain", "nowhere")).err).toContain("There is no such route");
});

test("draining survives a restart", async () => {
  const folder = temporaryFolder();
  const first = await createOperatorServer({ ...folder, remove: () => {} });
  await first.call("POST", "/routes/simulator/drain");
  await first.close();
  const second = await createOperatorServer(folder);
  expect((await second.call("GET", "/routes/simulator")).body).toMatchObject({
    drainingSince: "2026-01-05T12:00:00.000Z",
  });
  await second.close();
});
