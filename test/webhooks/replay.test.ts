/** What an operator sees of deliveries, and the replay of events. */
import { afterEach, describe, expect, test } from "bun:test";
import { DeliveryService } from "../../src/webhooks/delivery-service.ts";
import { forgetOldEvents } from "../../src/webhooks/events.ts";
import { callbackFixtures, createCleanUp, headerOf, urlOf } from "../support/callbacks.ts";
import { until } from "../support/manual-clock.ts";

const cleanUp = createCleanUp();
afterEach(() => cleanUp.run());
const { startReceiver, startServer } = callbackFixtures(cleanUp);

/** A server with one webhook, whose receiver answers with the status line last set. */
async function startWithWebhook() {
  let line = "200 OK";
  const receiver = await startReceiver(
    (socket) => void socket.write(`HTTP/1.1 ${line}\r\nContent-Length: 5\r\n\r\nhello`),
  );
  const server = await startServer([receiver]);
  const { store, clock, deliverer } = server;
  const deliveryService = new DeliveryService({
    store,
    clock,
    wake: (webhookIds) => deliverer.wake(webhookIds),
    paceOf: (webhookId) => deliverer.paceOf(webhookId),
  });
  const webhook = await server.register(urlOf(receiver));
  const answerWith = (next: string) => {
    line = next;
  };
  const idsSeen = () => receiver.requests.map((request) => headerOf("X-Service-Event-Id", request) ?? "");
  return { ...server, deliveryService, webhook, answerWith, idsSeen };
}

describe("deliveries and attempts", () => {
  test("each delivery has its attempts with time, outcome, duration, address and first bytes", async () => {
    const { addMessage, webhook, deliveryService, states, clock } = await startWithWebhook();
    await addMessage(["submitting", "submitted"]);
    await until(() => states(webhook.rowId).join() === "delivered,delivered");
    const deliveries = deliveryService.deliveries(webhook.id, 10) ?? [];
    expect(deliveries.map(({ step, state }) => [step, state])).toEqual([
      ["sent", "delivered"],
      ["processing", "delivered"],
    ]);
    expect(deliveries[0]?.attemptsMade).toMatchObject([
      { number: 1, at: clock.now(), failure: null, status: 200, address: "127.0.0.1" },
    ]);
    expect(Buffer.from(deliveries[0]?.attemptsMade[0]?.excerpt ?? []).toString()).toBe("hello");
    expect(deliveryService.deliveries(webhook.id, 1)?.length).toBe(1);
    expect(deliveryService.deliveries("nobody", 1)).toBeNull();
  });

  test("a message shows the attempts for each of its steps and webhooks, and no other message's", async () => {
    const { addMessage, webhook, deliveryService, states, clock, answerWith } = await startWithWebhook();
    const code = await addMessage(["submitting"]);
    await until(() => states(webhook.rowId).join() === "delivered");
    answerWith("500 Oops");
    const other = await addMessage(["cancelled"]);
    await until(() => deliveryService.callbacksOf(other).length === 1);
    const attempted = { publicId: webhook.id, at: clock.now() };
    expect(deliveryService.callbacksOf(code)).toMatchObject([
      { ...attempted, step: "processing", failure: null, status: 200 },
    ]);
    expect(deliveryService.callbacksOf(other)).toMatchObject([{ ...attempted, step: "cancelled", status: 500 }]);
    expect(deliveryService.callbacksOf("nobody")).toEqual([]);
  });

  test("the list shows how many deliveries wait and the state of the newest", async () => {
    const { addMessage, webhook, deliveryService, states, clock, answerWith } = await startWithWebhook();
    expect(await deliveryService.list(null)).toMatchObject([
      { webhook: { publicId: webhook.id }, waiting: 0, oldestDueAt: null, latest: null },
    ]);
    answerWith("500 Oops");
    await addMessage(["cancelled"]);
    await until(() => (deliveryService.deliveries(webhook.id, 1)?.[0]?.attempts ?? 0) === 1);
    expect(states(webhook.rowId)).toEqual(["waiting"]);
    expect(await deliveryService.list(1)).toMatchObject([
      { waiting: 1, oldestDueAt: clock.now() + 10_000, latest: { state: "waiting" } },
    ]);
    expect(await deliveryService.list(2)).toEqual([]);
  });
});

describe("a replay", () => {
  test("delivers one event again under its own id, and its schedule starts over", async () => {
    const { addMessage, webhook, deliveryService, states, idsSeen, clock, answerWith } = await startWithWebhook();
    answerWith("500 Oops");
    await addMessage(["cancelled"]);
    for (const [index, seconds] of [10, 30, 120, 480, 1_800, 3_600, 3_600].entries()) {
      await until(() => deliveryService.deliveries(webhook.id, 1)?.[0]?.attempts === index + 1);
      await clock.advance(seconds * 1_000);
    }
    await until(() => states(webhook.rowId)[0] === "failed");
    expect(await deliveryService.replayEvent(idsSeen()[0] ?? "")).toBe(1);
    await until(() => deliveryService.deliveries(webhook.id, 1)?.[0]?.attempts === 9);
    expect(deliveryService.deliveries(webhook.id, 1)?.[0]?.dueAt).toBe(clock.now() + 10_000);
    answerWith("200 OK");
    await clock.advance(10_000);
    await until(() => states(webhook.rowId)[0] === "delivered");
    expect([idsSeen().length, new Set(idsSeen()).size]).toEqual([10, 1]);
    expect(deliveryService.deliveries(webhook.id, 1)?.[0]?.attemptsMade.map(({ number }) => number)).toEqual([
      1, 2, 3, 4, 5, 6, 7, 8, 9, 10,
    ]);
  });

  test("of an unknown event is null", async () => {
    const { deliveryService } = await startWithWebhook();
    expect(await deliveryService.replayEvent("01a1fa60-707e-749d-b535-f01a26142351")).toBeNull();
  });

  test("delivers everything since a time again, delivered or not, and nothing older", async () => {
    const { addMessage, webhook, deliveryService, states, idsSeen, clock } = await startWithWebhook();
    const send = async () => {
      await addMessage(["cancelled"]);
      const count = idsSeen().length;
      await until(() => idsSeen().length >= count && states(webhook.rowId).every((state) => state === "delivered"));
    };
    await send();
    await clock.advance(60_000);
    const since = clock.now();
    for (let count = 0; count < 3; count += 1) await send();
    const before = idsSeen();
    expect(await deliveryService.replaySince(webhook.id, since)).toBe(3);
    await until(() => idsSeen().length === 7);
    expect(new Set(idsSeen().slice(4))).toEqual(new Set(before.slice(1)));
    expect(await deliveryService.replaySince(webhook.id, clock.now() + 1)).toBe(0);
    expect(await deliveryService.replaySince("nobody", since)).toBeNull();
  });

  test("delivers what was stopped with its webhook once that is on again, and is not stopped a second time", async () => {
    const server = await startWithWebhook();
    const { addMessage, webhook, deliveryService, states, answerWith } = server;
    answerWith("500 Oops");
    await addMessage(["cancelled"]);
    await until(() => deliveryService.deliveries(webhook.id, 1)?.[0]?.attempts === 1);
    await server.store.write((tables) => {
      const row = tables.webhooks.byId(webhook.rowId);
      if (row !== null) tables.webhooks.change(row, { events: row.events, active: false, at: 1 });
    });
    expect(await deliveryService.replaySince(webhook.id, 0)).toBeNull();
    await server.store.write((tables) => {
      const row = tables.webhooks.byId(webhook.rowId);
      if (row !== null) tables.webhooks.change(row, { events: row.events, active: true, at: 2 });
    });
    answerWith("200 OK");
    expect(await deliveryService.replaySince(webhook.id, 0)).toBe(1);
    server.deliverer.changed(webhook.rowId);
    await until(() => states(webhook.rowId)[0] === "delivered");
  });
});

describe("retention of events", () => {
  test("removes old events with deliveries and attempts, but keeps the newest, so that no row id is reused", async () => {
    const { addMessage, webhook, deliveryService, states, store, clock } = await startWithWebhook();
    for (let count = 0; count < 3; count += 1) await addMessage(["cancelled"]);
    await until(() => states(webhook.rowId).join() === "delivered,delivered,delivered");
    expect(await forgetOldEvents(store, clock.now() + 30 * 86_400_000, 30)).toBe(0);
    expect(await forgetOldEvents(store, clock.now() + 30 * 86_400_000 + 1, 30)).toBe(2);
    expect(deliveryService.deliveries(webhook.id, 10)?.length).toBe(1);
  });
});
