/** What stops and what goes on: webhooks switched off or removed, suspended accounts, restarts and crashes. */
import { afterEach, describe, expect, test } from "bun:test";
import { attemptsAt, callbackSettings, cleaning, ok, silent, status, urlOf } from "../support/callbacks.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { temporaryFolder } from "../support/test-server.ts";
import { createWebhookServer, until } from "../support/webhook-server.ts";

const cleanUp = cleaning();
afterEach(() => cleanUp.run());
const { receiver, house } = callbackSettings(cleanUp);

describe("stopping", () => {
  test("a webhook that is switched off stops at once: what was under way is cut, what waited is ended, and stays so", async () => {
    const target = await receiver(silent);
    const made = await house([target]);
    const { id, rowId } = await made.webhook(urlOf(target));
    for (let count = 0; count < 5; count += 1) await made.message(["submitting", "submitted"]);
    await until(() => target.requests.length === 2);
    await made.desk.change(1, id, { isActive: false });
    await until(() => made.states(rowId).every((state) => state === "stopped"));
    expect(made.deliverer.inFlight).toBe(0);
    expect(made.states(rowId).length).toBe(10);
    await made.message(["cancelled"]);
    expect(made.states(rowId).length).toBe(10);
    await made.desk.change(1, id, { isActive: true });
    await made.message(["cancelled"]);
    await until(() => target.requests.length === 3);
    expect(made.states(rowId)).toEqual([...Array<string>(10).fill("stopped"), "waiting"]);
  });

  test("a removed webhook stops at once and hears nothing more", async () => {
    const target = await receiver(status("500 Oops"));
    const made = await house([target]);
    const { id, rowId } = await made.webhook(urlOf(target));
    await made.message(["cancelled"]);
    await until(() => attemptsAt(made, rowId).attempts.length === 1);
    await made.desk.remove(1, id);
    await until(() => made.states(rowId)[0] === "stopped");
    await made.message(["cancelled"]);
    await made.clock.advance(100_000);
    expect(target.requests.length).toBe(1);
    expect(made.states(rowId)).toEqual(["stopped"]);
  });

  test("while an account is suspended its callbacks wait; after that they go on", async () => {
    const target = await receiver(ok);
    let isSuspended = false;
    const made = await house([target], { isSuspended: (accountId) => isSuspended && accountId === 1 });
    const { rowId } = await made.webhook(urlOf(target));
    const other = await made.webhook(urlOf(target), ["message.status"], 2);
    isSuspended = true;
    made.deliverer.accountChanged(1);
    await made.message(["cancelled"]);
    await made.message(["cancelled"], 2);
    await until(() => made.states(other.rowId)[0] === "delivered");
    expect(made.states(rowId)).toEqual(["waiting"]);
    isSuspended = false;
    made.deliverer.accountChanged(1);
    await until(() => made.states(rowId)[0] === "delivered");
  });

  test("a service that stops lets what is under way end, cuts the rest, and sends that again after its start", async () => {
    const folder = temporaryFolder();
    cleanUp.add(folder.remove);
    const target = await receiver(silent);
    const clock = new ManualClock();
    const trusted = [`127.0.0.1:${target.port}`];
    const before = await createWebhookServer({ clock, trusted, folder: folder.path });
    await before.webhook(urlOf(target));
    await before.message(["cancelled"]);
    await until(() => target.requests.length === 1);
    const stopped = before.deliverer.stop(1_000);
    await clock.advance(999);
    expect(before.deliverer.inFlight).toBe(1);
    await clock.advance(1);
    await stopped;
    before.crash();
    const after = await createWebhookServer({ clock, trusted, folder: folder.path });
    cleanUp.add(() => after.crash());
    await until(() => target.requests.length === 2);
    expect(target.requests[1]?.body).toBe(target.requests[0]?.body ?? "");
  });
});

describe("over a restart", () => {
  test("the backoff goes on where it was: not sooner, and with the same event id", async () => {
    const folder = temporaryFolder();
    cleanUp.add(folder.remove);
    const target = await receiver((socket, request) =>
      (target.requests.length < 3 ? status("500 Oops") : ok)(socket, request),
    );
    const clock = new ManualClock();
    const trusted = [`127.0.0.1:${target.port}`];
    const before = await createWebhookServer({ clock, trusted, folder: folder.path });
    const { rowId } = await before.webhook(urlOf(target));
    await before.message(["cancelled"]);
    await until(() => attemptsAt(before, rowId).attempts.length === 1);
    await clock.advance(10_000);
    await until(() => attemptsAt(before, rowId).attempts.length === 2);
    before.crash();
    const after = await createWebhookServer({ clock, trusted, folder: folder.path });
    cleanUp.add(() => after.crash());
    await clock.advance(29_999);
    expect(target.requests.length).toBe(2);
    await clock.advance(1);
    await until(() => after.states(rowId)[0] === "delivered");
    expect(new Set(target.requests.map(({ body }) => body)).size).toBe(1);
    expect(attemptsAt(after, rowId).attempts.map(({ number }) => number)).toEqual([1, 2, 3]);
  });

  test("what was switched off before a crash stays ended after it, also when it was switched on again", async () => {
    const folder = temporaryFolder();
    cleanUp.add(folder.remove);
    const target = await receiver(silent);
    const clock = new ManualClock();
    const trusted = [`127.0.0.1:${target.port}`];
    const before = await createWebhookServer({ clock, trusted, folder: folder.path });
    const { rowId } = await before.webhook(urlOf(target));
    await before.message(["cancelled"]);
    await before.message(["cancelled"]);
    await until(() => target.requests.length === 2);
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
    expect(target.requests.length).toBe(2);
  });
});
