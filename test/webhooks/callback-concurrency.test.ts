/** Order and concurrency: events of one message in turn, as many attempts at once as a webhook's receiver takes, 64 in all, half of them for slow ones. */
import { afterEach, describe, expect, test } from "bun:test";
import type { TLSSocket } from "node:tls";
import {
  callbackFixtures,
  createCleanUp,
  eventOf,
  ok,
  silent,
  status,
  statusesOf,
  urlOf,
} from "../support/callbacks.ts";
import { until } from "../support/manual-clock.ts";
import { okResponse } from "../support/tls-receiver.ts";

const cleanUp = createCleanUp();
afterEach(() => cleanUp.run());
const { startReceiver, startServer } = callbackFixtures(cleanUp);

describe("order and concurrency of callbacks", () => {
  test("hold a message's later events back while an earlier one fails, and no other message's", async () => {
    const receiver = await startReceiver((socket, request) =>
      (eventOf(request).data.status === "processing" ? status("500 Oops") : ok)(socket, request),
    );
    const server = await startServer([receiver]);
    const { rowId } = await server.register(urlOf(receiver));
    await server.addMessage(["submitting", "submitted"]);
    await server.addMessage(["cancelled"]);
    await until(() => server.states(rowId).join() === "waiting,held,delivered");
    for (const seconds of [10, 30]) {
      await server.clock.advance(seconds * 1_000);
      await until(() => server.outcomes.length >= (seconds === 10 ? 3 : 4));
    }
    expect(statusesOf(receiver)).toEqual(["processing", "cancelled", "processing", "processing"]);
    await server.clock.advance(120_000);
    await until(() => server.states(rowId).join() === "waiting,delivered,delivered");
    expect(statusesOf(receiver).slice(4)).toEqual(["processing", "sent"]);
  });

  test("let only one event pass another that goes on failing, and keep the third behind the second", async () => {
    const receiver = await startReceiver(status("500 Oops"));
    const { register, addMessage, store, clock, outcomes, states } = await startServer([receiver]);
    const { rowId } = await register(urlOf(receiver));
    const code = await addMessage(["submitting"]);
    const failed = async (times: number, seconds: number) => {
      await clock.advance(seconds * 1_000);
      await until(() => outcomes.length >= times);
    };
    for (const [index, seconds] of [0, 10, 30, 120].entries()) await failed(index + 1, seconds);
    await clock.advance(475_000);
    await store.write(({ messages }) => {
      for (const to of ["submitted", "delivered"] as const) {
        const row = messages.byCodeAnywhere(code);
        if (row !== null) messages.move(row, { to, at: clock.now() });
      }
    });
    await failed(5, 0);
    await failed(6, 5);
    expect(statusesOf(receiver).slice(4)).toEqual(["sent", "processing"]);
    expect(states(rowId)).toEqual(["waiting", "waiting", "held"]);
    await failed(7, 5);
    await failed(8, 30);
    await failed(10, 120);
    expect(statusesOf(receiver).slice(6)).toEqual(["sent", "sent", "sent", "delivered"]);
  });

  test("let an event follow at once after its predecessor was delivered, and the third after the second", async () => {
    const pending: TLSSocket[] = [];
    const receiver = await startReceiver((socket) => void pending.push(socket));
    const server = await startServer([receiver]);
    const { rowId } = await server.register(urlOf(receiver));
    await server.addMessage(["submitting", "submitted", "delivered"]);
    for (const count of [1, 2, 3]) {
      await until(() => pending.length === count);
      expect(server.deliverer.inFlight).toBe(1);
      pending[count - 1]?.write(okResponse);
    }
    await until(() => server.states(rowId).join() === "delivered,delivered,delivered");
    expect(statusesOf(receiver)).toEqual(["processing", "sent", "delivered"]);
  });

  /** The receiver's connections, in the order of their requests; the test answers each. */
  async function busyWebhook(messages: number) {
    const pending: TLSSocket[] = [];
    const receiver = await startReceiver((socket) => void pending.push(socket));
    const server = await startServer([receiver]);
    const { rowId } = await server.register(urlOf(receiver));
    for (let count = 0; count < messages; count += 1) await server.addMessage(["cancelled"]);
    let answered = 0;
    return {
      ...server,
      rowId,
      open: () => pending.length - answered,
      /** Waits until so many are open, and answers the oldest of them. */
      async answer(count: number, response = okResponse) {
        await until(() => pending.length - answered >= count);
        for (const socket of pending.slice(answered, answered + count)) socket.write(response);
        answered += count;
        await until(() => server.outcomes.length >= answered);
      },
      pace: () => server.deliverer.paceOf(rowId),
    };
  }

  test("allow two callbacks at once for a webhook at first, and up to 32 while it answers promptly", async () => {
    const { answer, open, pace, clock, states, rowId } = await busyWebhook(120);
    await until(() => open() === 2);
    expect(pace()).toEqual({ attemptsAtOnce: 2, reason: "first", heldUntil: null });
    let widest = 2;
    for (let left = 120; left > 0; ) {
      const now = Math.min(left, pace().attemptsAtOnce);
      await until(() => open() >= now);
      await clock.advance(1);
      expect(open()).toBe(now);
      widest = Math.max(widest, now);
      await answer(now);
      left -= now;
    }
    expect(widest).toBe(32);
    await until(() => states(rowId).every((state) => state === "delivered"));
    expect(pace()).toEqual({ attemptsAtOnce: 32, reason: "prompt", heldUntil: null });
  });

  test("allow one callback at once after a 429 with Retry-After until it is over, and more afterwards", async () => {
    const { answer, open, pace, clock } = await busyWebhook(60);
    for (const count of [2, 4, 8]) await answer(count);
    await until(() => open() === 16);
    await answer(1, "HTTP/1.1 429 Too Many Requests\r\nRetry-After: 30\r\nContent-Length: 0\r\n\r\n");
    const heldUntil = clock.now() + 30_000;
    expect(pace()).toEqual({ attemptsAtOnce: 1, reason: "throttled", heldUntil });
    await answer(15);
    await until(() => open() === 1);
    await clock.advance(1_000);
    await answer(1);
    expect(pace()).toEqual({ attemptsAtOnce: 1, reason: "throttled", heldUntil });
    await until(() => open() === 1);
    await clock.advance(5_000);
    // The attempt under way is cut off before the time that the receiver named; those after it are one at a time too.
    expect(open()).toBe(1);
    for (let at = clock.now(); at < heldUntil; at = clock.now()) {
      await answer(1);
      await until(() => open() === 1);
      await clock.advance(Math.min(5_000, heldUntil - at));
    }
    await answer(1);
    await until(() => open() > 1);
    expect(pace().heldUntil).toBeNull();
  });

  test("narrow a webhook down to two callbacks at once after errors and silence", async () => {
    const { answer, open, pace, clock } = await busyWebhook(60);
    for (const count of [2, 4, 8]) await answer(count);
    await until(() => open() === 16);
    await answer(1, "HTTP/1.1 500 Oops\r\nContent-Length: 0\r\n\r\n");
    expect(pace()).toEqual({ attemptsAtOnce: 8, reason: "refused", heldUntil: null });
    await until(() => open() === 15);
    await clock.advance(10_000);
    await until(() => pace().reason === "no_answer");
    expect(pace().attemptsAtOnce).toBe(2);
  });

  test("allow two callbacks at once again after a minute without an answer, though one waits to be repeated", async () => {
    const { answer, open, pace, clock, addMessage, deliverer } = await busyWebhook(60);
    for (const count of [2, 4, 8, 16]) await answer(count);
    for (const [count, afterMs] of [
      [30, 12_000],
      [1, 36_000],
      [1, 61_000],
    ] as const) {
      await answer(1, "HTTP/1.1 500 Oops\r\nContent-Length: 0\r\n\r\n");
      await answer(count - 1);
      await clock.advance(afterMs);
    }
    expect([open(), pace().attemptsAtOnce]).toEqual([0, 2]);
    for (let count = 0; count < 10; count += 1) await addMessage(["cancelled"]);
    await until(() => open() > 1);
    expect(deliverer.inFlight).toBe(2);
  });

  test("allow 64 callbacks at once in all, and hanging webhooks never take more than half of the slots", async () => {
    const hanging = await startReceiver(silent);
    const prompt = await startReceiver(ok);
    const server = await startServer([hanging, prompt]);
    const { store } = server;
    const accounts = await store.write((tables) =>
      Array.from(
        { length: 40 },
        (_, index) =>
          tables.accounts.insert({ name: `A${index}`, status: "active", defaultSender: null, createdAt: 1 }).id,
      ),
    );
    for (const account of accounts) await server.register(urlOf(hanging), ["message.status"], account);
    for (const account of accounts)
      for (let count = 0; count < 4; count += 1) await server.addMessage(["cancelled"], account);
    await until(() => server.deliverer.inFlight === 64 && hanging.requests.length === 64);
    await server.clock.advance(10_000);
    await until(() => server.outcomes.length === 64);
    const good = await server.register(urlOf(prompt));
    for (let count = 0; count < 20; count += 1) await server.addMessage(["cancelled"]);
    await until(() => server.states(good.rowId).filter((state) => state === "delivered").length === 20);
    expect(server.deliverer.inFlight).toBeLessThanOrEqual(64);
    await server.clock.advance(10_000);
  }, 180_000);
});
