/** Whose turn it is: events of one message in order, two at once for a webhook, 64 in all, and room beside those that hang. */
import { afterEach, describe, expect, test } from "bun:test";
import type { TLSSocket } from "node:tls";
import { callbackSettings, cleaning, eventOf, ok, silent, status, statusesOf, urlOf } from "../support/callbacks.ts";
import { okAnswer } from "../support/tls-receiver.ts";
import { until } from "../support/webhook-server.ts";

const cleanUp = cleaning();
afterEach(() => cleanUp.run());
const { receiver, house } = callbackSettings(cleanUp);

describe("order and turns", () => {
  test("while an earlier event of a message fails, its later ones wait; other messages do not", async () => {
    const target = await receiver((socket, request) =>
      (eventOf(request).data.status === "processing" ? status("500 Oops") : ok)(socket, request),
    );
    const made = await house([target]);
    const { rowId } = await made.webhook(urlOf(target));
    await made.message(["submitting", "submitted"]);
    await made.message(["cancelled"]);
    await until(() => made.states(rowId).join() === "waiting,held,delivered");
    for (const seconds of [10, 30]) {
      await made.clock.advance(seconds * 1_000);
      await until(() => made.outcomes.length >= (seconds === 10 ? 3 : 4));
    }
    expect(statusesOf(target)).toEqual(["processing", "cancelled", "processing", "processing"]);
    await made.clock.advance(120_000);
    await until(() => made.states(rowId).join() === "waiting,delivered,delivered");
    expect(statusesOf(target).slice(4)).toEqual(["processing", "sent"]);
  });

  test("an event whose predecessor was delivered follows at once, and the third after the second", async () => {
    const pending: TLSSocket[] = [];
    const target = await receiver((socket) => void pending.push(socket));
    const made = await house([target]);
    const { rowId } = await made.webhook(urlOf(target));
    await made.message(["submitting", "submitted", "delivered"]);
    for (const count of [1, 2, 3]) {
      await until(() => pending.length === count);
      expect(made.deliverer.inFlight).toBe(1);
      pending[count - 1]?.write(okAnswer);
    }
    await until(() => made.states(rowId).join() === "delivered,delivered,delivered");
    expect(statusesOf(target)).toEqual(["processing", "sent", "delivered"]);
  });

  test("at most two at once for one webhook", async () => {
    const pending: TLSSocket[] = [];
    const target = await receiver((socket) => void pending.push(socket));
    const made = await house([target]);
    const { rowId } = await made.webhook(urlOf(target));
    for (let count = 0; count < 7; count += 1) await made.message(["cancelled"]);
    let open = 0;
    for (let answered = 0; answered < 7; answered += 1) {
      await until(() => pending.length > answered);
      await made.clock.advance(1);
      open = Math.max(open, pending.length - answered);
      pending[answered]?.write(okAnswer);
    }
    expect(open).toBe(2);
    await until(() => made.states(rowId).every((state) => state === "delivered"));
  });

  test("64 at once in all, and webhooks that hang never hold more than half of the places", async () => {
    const hanging = await receiver(silent);
    const prompt = await receiver(ok);
    const made = await house([hanging, prompt]);
    const { store } = made;
    const accounts = await store.write((tables) =>
      Array.from(
        { length: 40 },
        (_, index) =>
          tables.accounts.insert({ name: `A${index}`, status: "active", defaultSender: null, createdAt: 1 }).id,
      ),
    );
    for (const account of accounts) await made.webhook(urlOf(hanging), ["message.status"], account);
    for (const account of accounts)
      for (let count = 0; count < 4; count += 1) await made.message(["cancelled"], account);
    await until(() => made.deliverer.inFlight === 64 && hanging.requests.length === 64);
    await made.clock.advance(10_000);
    await until(() => made.outcomes.length === 64);
    const good = await made.webhook(urlOf(prompt));
    for (let count = 0; count < 20; count += 1) await made.message(["cancelled"]);
    await until(
      () => made.states(good.rowId).filter((state) => state === "delivered").length === 20,
      "the good webhook's turn",
    );
    expect(made.deliverer.inFlight).toBeLessThanOrEqual(64);
    await made.clock.advance(10_000);
  }, 15_000);
});
