/** What an operator sees of deliveries, and events that are delivered once more. */
import { afterEach, describe, expect, test } from "bun:test";
import { deliveryService } from "../../src/webhooks/delivery-service.ts";
import { forgetOldEvents } from "../../src/webhooks/retention.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { tlsReceiver } from "../support/tls-receiver.ts";
import { createWebhookServer, receiverPair, until } from "../support/webhook-server.ts";

const cleanUps: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

/** A receiver whose answer can be changed, a house, and one webhook. */
async function setting() {
  let line = "200 OK";
  const target = await tlsReceiver(
    receiverPair,
    (socket) => void socket.write(`HTTP/1.1 ${line}\r\nContent-Length: 5\r\n\r\nhello`),
  );
  cleanUps.push(() => target.stop());
  const clock = new ManualClock();
  const house = await createWebhookServer({ clock, trusted: [`127.0.0.1:${target.port}`] });
  cleanUps.push(() => house.stop());
  const desk = deliveryService({ store: house.store, clock, wake: (ids) => house.deliverer.wake(ids) });
  const webhook = await house.webhook(`https://127.0.0.1:${target.port}/`);
  const answerWith = (next: string) => {
    line = next;
  };
  const idsSeen = () => target.requests.map(({ head }) => /X-Service-Event-Id: (\S+)/.exec(head)?.[1] ?? "");
  return { ...house, clock, target, desk, hook: webhook, answerWith, idsSeen };
}

describe("looking", () => {
  test("each delivery has its attempts with time, outcome, duration, address and first bytes", async () => {
    const { message, hook, desk, states, clock } = await setting();
    await message(["submitting", "submitted"]);
    await until(() => states(hook.rowId).join() === "delivered,delivered");
    const deliveries = desk.deliveries(hook.id, 10) ?? [];
    expect(deliveries.map(({ step, state }) => [step, state])).toEqual([
      ["sent", "delivered"],
      ["processing", "delivered"],
    ]);
    expect(deliveries[0]?.attemptsMade).toMatchObject([
      { number: 1, at: clock.now(), failure: null, status: 200, address: "127.0.0.1" },
    ]);
    expect(Buffer.from(deliveries[0]?.attemptsMade[0]?.excerpt ?? []).toString()).toBe("hello");
    expect(desk.deliveries(hook.id, 1)?.length).toBe(1);
    expect(desk.deliveries("nobody", 1)).toBeNull();
  });

  test("the list says what waits and what became of the newest event", async () => {
    const { message, hook, desk, states, clock, answerWith } = await setting();
    expect(desk.list(null)).toMatchObject([
      { webhook: { publicId: hook.id }, waiting: 0, oldestDueAt: null, latest: null },
    ]);
    answerWith("500 Oops");
    await message(["cancelled"]);
    await until(() => (desk.deliveries(hook.id, 1)?.[0]?.attempts ?? 0) === 1);
    expect(states(hook.rowId)).toEqual(["waiting"]);
    expect(desk.list(1)).toMatchObject([
      { waiting: 1, oldestDueAt: clock.now() + 10_000, latest: { state: "waiting" } },
    ]);
    expect(desk.list(2)).toEqual([]);
  });
});

describe("replaying", () => {
  test("one event goes again under its own id, and its schedule begins anew", async () => {
    const { message, hook, desk, states, idsSeen, clock, answerWith } = await setting();
    answerWith("500 Oops");
    await message(["cancelled"]);
    for (const [index, seconds] of [10, 30, 120, 480, 1_800, 3_600, 3_600].entries()) {
      await until(() => desk.deliveries(hook.id, 1)?.[0]?.attempts === index + 1);
      await clock.advance(seconds * 1_000);
    }
    await until(() => states(hook.rowId)[0] === "failed");
    expect(await desk.replayEvent(idsSeen()[0] ?? "")).toBe(1);
    await until(() => desk.deliveries(hook.id, 1)?.[0]?.attempts === 9);
    expect(desk.deliveries(hook.id, 1)?.[0]?.dueAt).toBe(clock.now() + 10_000);
    answerWith("200 OK");
    await clock.advance(10_000);
    await until(() => states(hook.rowId)[0] === "delivered");
    expect([idsSeen().length, new Set(idsSeen()).size]).toEqual([10, 1]);
    expect(desk.deliveries(hook.id, 1)?.[0]?.attemptsMade.map(({ number }) => number)).toEqual([
      1, 2, 3, 4, 5, 6, 7, 8, 9, 10,
    ]);
  });

  test("an event that never was is told apart", async () => {
    const { desk } = await setting();
    expect(await desk.replayEvent("01a1fa60-707e-749d-b535-f01a26142351")).toBeNull();
  });

  test("everything since a time goes again, delivered or not, and nothing older", async () => {
    const { message, hook, desk, states, idsSeen, clock } = await setting();
    const send = async () => {
      await message(["cancelled"]);
      const count = idsSeen().length;
      await until(() => idsSeen().length >= count && states(hook.rowId).every((state) => state === "delivered"));
    };
    await send();
    await clock.advance(60_000);
    const since = clock.now();
    for (let count = 0; count < 3; count += 1) await send();
    const before = idsSeen();
    expect(await desk.replaySince(hook.id, since)).toBe(3);
    await until(() => idsSeen().length === 7);
    expect(new Set(idsSeen().slice(4))).toEqual(new Set(before.slice(1)));
    expect(await desk.replaySince(hook.id, clock.now() + 1)).toBe(0);
    expect(await desk.replaySince("nobody", since)).toBeNull();
  });

  test("what ended with a webhook that was switched off can be replayed once it is on again, and survives a start", async () => {
    const house = await setting();
    const { message, hook, desk, states, answerWith } = house;
    answerWith("500 Oops");
    await message(["cancelled"]);
    await until(() => desk.deliveries(hook.id, 1)?.[0]?.attempts === 1);
    await house.store.write((tables) => {
      const row = tables.webhooks.byId(hook.rowId);
      if (row !== null) tables.webhooks.change(row, { events: row.events, active: false, at: 1 });
    });
    expect(await desk.replaySince(hook.id, 0)).toBeNull();
    await house.store.write((tables) => {
      const row = tables.webhooks.byId(hook.rowId);
      if (row !== null) tables.webhooks.change(row, { events: row.events, active: true, at: 2 });
    });
    answerWith("200 OK");
    expect(await desk.replaySince(hook.id, 0)).toBe(1);
    house.deliverer.changed(hook.rowId);
    await until(() => states(hook.rowId)[0] === "delivered");
  });
});

describe("retention", () => {
  test("old events go with their deliveries and attempts; the newest stays, so that no id is given twice", async () => {
    const { message, hook, desk, states, store, clock } = await setting();
    for (let count = 0; count < 3; count += 1) await message(["cancelled"]);
    await until(() => states(hook.rowId).join() === "delivered,delivered,delivered");
    expect(await forgetOldEvents(store, clock.now() + 30 * 86_400_000, 30)).toBe(0);
    expect(await forgetOldEvents(store, clock.now() + 30 * 86_400_000 + 1, 30)).toBe(2);
    expect(desk.deliveries(hook.id, 10)?.length).toBe(1);
  });
});
