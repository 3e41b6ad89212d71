/** Callbacks that must stop or go on: webhooks switched off or removed, suspended accounts, restarts and crashes. */
import { afterEach, describe, expect, test } from "bun:test";
import { forgetOldEvents } from "../../src/webhooks/events.ts";
import {
  attemptsAt,
  callbackFixtures,
  createCleanUp,
  ok,
  silent,
  status,
  statusesOf,
  urlOf,
} from "../support/callbacks.ts";
import { ManualClock, until } from "../support/manual-clock.ts";
import { temporaryFolder } from "../support/test-server.ts";
import { createWebhookServer } from "../support/webhook-server.ts";

const dayMs = 24 * 3_600_000;
const cleanUp = createCleanUp();
afterEach(() => cleanUp.run());
const { startReceiver, startServer } = callbackFixtures(cleanUp);

describe("callbacks stop", () => {
  test("at once for a webhook that is switched off: attempts end, and waiting deliveries never resume", async () => {
    const receiver = await startReceiver(silent);
    const server = await startServer([receiver]);
    const { id, rowId } = await server.register(urlOf(receiver));
    for (let count = 0; count < 5; count += 1) await server.addMessage(["submitting", "submitted"]);
    await until(() => receiver.requests.length === 2);
    await server.service.change(1, id, { isActive: false });
    await until(() => server.states(rowId).every((state) => state === "stopped"));
    expect(server.deliverer.inFlight).toBe(0);
    expect(server.states(rowId).length).toBe(10);
    await server.addMessage(["cancelled"]);
    expect(server.states(rowId).length).toBe(10);
    await server.service.change(1, id, { isActive: true });
    await server.addMessage(["cancelled"]);
    await until(() => receiver.requests.length === 3);
    expect(server.states(rowId)).toEqual([...Array<string>(10).fill("stopped"), "waiting"]);
  });

  test("at once for a webhook that is removed, which gets nothing more", async () => {
    const receiver = await startReceiver(status("500 Oops"));
    const server = await startServer([receiver]);
    const { id, rowId } = await server.register(urlOf(receiver));
    await server.addMessage(["cancelled"]);
    await until(() => attemptsAt(server, rowId).attempts.length === 1);
    await server.service.remove(1, id);
    await until(() => server.states(rowId)[0] === "stopped");
    await server.addMessage(["cancelled"]);
    await server.clock.advance(100_000);
    expect(receiver.requests.length).toBe(1);
    expect(server.states(rowId)).toEqual(["stopped"]);
  });

  test("for a suspended account, and wait until it is resumed", async () => {
    const receiver = await startReceiver(ok);
    let isSuspended = false;
    const server = await startServer([receiver], { isSuspended: (accountId) => isSuspended && accountId === 1 });
    const { rowId } = await server.register(urlOf(receiver));
    const other = await server.register(urlOf(receiver), ["message.status"], 2);
    isSuspended = true;
    server.deliverer.accountChanged(1);
    await server.addMessage(["cancelled"]);
    await server.addMessage(["cancelled"], 2);
    await until(() => server.states(other.rowId)[0] === "delivered");
    expect(server.states(rowId)).toEqual(["waiting"]);
    isSuspended = false;
    server.deliverer.accountChanged(1);
    await until(() => server.states(rowId)[0] === "delivered");
  });

  test("for an account suspended longer than events are kept, which gets the younger ones when it is resumed", async () => {
    const receiver = await startReceiver(ok);
    let isSuspended = true;
    const { deliverer, clock, store, ...server } = await startServer([receiver], { isSuspended: () => isSuspended });
    const { rowId } = await server.register(urlOf(receiver));
    const code = await server.addMessage(["submitting"]);
    clock.jump(2 * dayMs);
    await store.write(({ messages }) => {
      for (const to of ["submitted", "delivered"] as const) {
        const row = messages.byCodeAnywhere(code);
        if (row !== null) messages.move(row, { to, at: clock.now() });
      }
    });
    expect(server.states(rowId)).toEqual(["waiting", "held", "held"]);
    clock.jump(29 * dayMs);
    await forgetOldEvents(store, clock.now(), 30);
    isSuspended = false;
    deliverer.accountChanged(1);
    await until(() => server.states(rowId).join() === "delivered,delivered");
    expect(statusesOf(receiver)).toEqual(["sent", "delivered"]);
  });

  test("with the service, which waits for attempts in flight, ends the rest, and repeats those after its start", async () => {
    const folder = temporaryFolder();
    cleanUp.add(folder.remove);
    const receiver = await startReceiver(silent);
    const clock = new ManualClock();
    const trusted = [`127.0.0.1:${receiver.port}`];
    const before = await createWebhookServer({ clock, trusted, folder: folder.path });
    await before.register(urlOf(receiver));
    await before.addMessage(["cancelled"]);
    await until(() => receiver.requests.length === 1);
    const stopped = before.deliverer.stop(1_000);
    await clock.advance(999);
    expect(before.deliverer.inFlight).toBe(1);
    await clock.advance(1);
    await stopped;
    before.crash();
    const after = await createWebhookServer({ clock, trusted, folder: folder.path });
    cleanUp.add(() => after.crash());
    await until(() => receiver.requests.length === 2);
    expect(receiver.requests[1]?.body).toBe(receiver.requests[0]?.body ?? "");
  });
});

describe("after a restart", () => {
  test("the retry schedule continues as it was, not sooner, with the same event id", async () => {
    const folder = temporaryFolder();
    cleanUp.add(folder.remove);
    const receiver = await startReceiver((socket, request) =>
      (receiver.requests.length < 3 ? status("500 Oops") : ok)(socket, request),
    );
    const clock = new ManualClock();
    const trusted = [`127.0.0.1:${receiver.port}`];
    const before = await createWebhookServer({ clock, trusted, folder: folder.path });
    const { rowId } = await before.register(urlOf(receiver));
    await before.addMessage(["cancelled"]);
    await until(() => attemptsAt(before, rowId).attempts.length === 1);
    await clock.advance(10_000);
    await until(() => attemptsAt(before, rowId).attempts.length === 2);
    before.crash();
    const after = await createWebhookServer({ clock, trusted, folder: folder.path });
    cleanUp.add(() => after.crash());
    await clock.advance(29_999);
    expect(receiver.requests.length).toBe(2);
    await clock.advance(1);
    await until(() => after.states(rowId)[0] === "delivered");
    expect(new Set(receiver.requests.map(({ body }) => body)).size).toBe(1);
    expect(attemptsAt(after, rowId).attempts.map(({ number }) => number)).toEqual([1, 2, 3]);
  });

  test("deliveries stopped before a crash stay stopped, even if the webhook was switched on again", async () => {
    const folder = temporaryFolder();
    cleanUp.add(folder.remove);
    const receiver = await startReceiver(silent);
    const clock = new ManualClock();
    const trusted = [`127.0.0.1:${receiver.port}`];
    const before = await createWebhookServer({ clock, trusted, folder: folder.path });
    const { rowId } = await before.register(urlOf(receiver));
    await before.addMessage(["cancelled"]);
    await before.addMessage(["cancelled"]);
    await until(() => receiver.requests.length === 2);
    const row = before.store.tables.webhooks.byId(rowId);
    if (row === null) throw new Error("missing");
    await before.deliverer.stop(0);
    await before.store.write((tables) => tables.webhooks.change(row, { events: row.events, active: false, at: 1 }));
    const off = before.store.tables.webhooks.byId(rowId);
    if (off === null) throw new Error("missing");
    await before.store.write((tables) => tables.webhooks.change(off, { events: off.events, active: true, at: 2 }));
    before.crash();
    const after = await createWebhookServer({ clock, trusted, folder: folder.path });
    cleanUp.add(() => after.crash());
    await until(() => after.states(rowId).every((state) => state === "stopped"));
    expect(receiver.requests.length).toBe(2);
  });
});
