/** Order and concurrency: events of one message in turn, two attempts at once for a webhook, 64 in all, half of them for slow ones. */
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

describe("order and concurrency", () => {
  test("while an earlier event of a message fails, its later ones wait; other messages do not", async () => {
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

  test("an event whose predecessor was delivered follows at once, and the third after the second", async () => {
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

  test("at most two at once for one webhook", async () => {
    const pending: TLSSocket[] = [];
    const receiver = await startReceiver((socket) => void pending.push(socket));
    const server = await startServer([receiver]);
    const { rowId } = await server.register(urlOf(receiver));
    for (let count = 0; count < 7; count += 1) await server.addMessage(["cancelled"]);
    let open = 0;
    for (let answered = 0; answered < 7; answered += 1) {
      await until(() => pending.length > answered);
      await server.clock.advance(1);
      open = Math.max(open, pending.length - answered);
      pending[answered]?.write(okResponse);
    }
    expect(open).toBe(2);
    await until(() => server.states(rowId).every((state) => state === "delivered"));
  });

  test("64 at once in all, and webhooks that hang never hold more than half of the slots", async () => {
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
  }, 15_000);
});
