/** The content of callbacks: headers, envelope and signature, and only the events that a webhook subscribed to. */
import { afterEach, describe, expect, test } from "bun:test";
import { createHmac } from "node:crypto";
import { callbackFixtures, createCleanUp, eventOf, headerOf, ok, statusesOf, urlOf } from "../support/callbacks.ts";
import { until } from "../support/manual-clock.ts";

const cleanUp = createCleanUp();
afterEach(() => cleanUp.run());
const { startReceiver, startServer } = callbackFixtures(cleanUp);

describe("the content of callbacks", () => {
  test("is each status change after the first, in order, with the documented headers and a valid signature", async () => {
    const receiver = await startReceiver(ok);
    const { register, addMessage, clock, states } = await startServer([receiver]);
    const { secret, rowId } = await register(urlOf(receiver));
    const trackingCode = await addMessage(["submitting", "submitted", "delivered"]);
    await until(() => states(rowId).join() === "delivered,delivered,delivered");
    expect(statusesOf(receiver)).toEqual(["processing", "sent", "delivered"]);
    for (const request of receiver.requests) {
      const event = eventOf(request);
      const timestamp = headerOf("X-Service-Timestamp", request);
      expect(headerOf("X-Service-Event-Id", request)).toBe(event.id);
      expect(headerOf("X-Service-Event", request)).toBe("message.status");
      expect(timestamp).toBe(String(Math.floor(clock.now() / 1000)));
      const expected = createHmac("sha256", secret).update(`${timestamp}.${request.body}`).digest("hex");
      expect(headerOf("X-Service-Signature", request)).toBe(`v1=${expected}`);
      expect(headerOf("Content-Type", request)).toBe("application/json");
    }
    const { id, ...event } = eventOf(receiver.requests[0] ?? { head: "", body: "{}", connection: 0 });
    const at = new Date(clock.now()).toISOString();
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(event).toEqual({
      type: "message.status",
      createdAt: at,
      data: {
        trackingCode,
        clientReference: null,
        sender: "30001",
        recipient: "+989120000010",
        status: "processing",
        changedAt: at,
      },
    });
  });

  test("is signed for each webhook of the account, and nothing goes to another account or kind", async () => {
    const receiver = await startReceiver(ok);
    const { register, addMessage } = await startServer([receiver]);
    const first = await register(urlOf(receiver, "/1"));
    const second = await register(urlOf(receiver, "/2"));
    await register(urlOf(receiver, "/inbound"), ["inbound.received"]);
    await register(urlOf(receiver, "/stranger"), ["message.status"], 2);
    await addMessage(["cancelled"]);
    await until(() => receiver.requests.length === 2);
    const byPath = new Map(receiver.requests.map((request) => [request.head.split(" ")[1], request]));
    expect([...byPath.keys()].sort()).toEqual(["/1", "/2"]);
    for (const [path, { secret }] of [
      ["/1", first],
      ["/2", second],
    ] as const) {
      const request = byPath.get(path);
      if (request === undefined) throw new Error("missing");
      const payload = `${headerOf("X-Service-Timestamp", request)}.${request.body}`;
      expect(headerOf("X-Service-Signature", request)).toBe(
        `v1=${createHmac("sha256", secret).update(payload).digest("hex")}`,
      );
    }
  });

  test("is not recorded for an account without webhooks", async () => {
    const { addMessage, store } = await startServer([]);
    await addMessage(["submitting", "submitted"]);
    expect(store.tables.outbox.waitingWebhooks()).toEqual([]);
  });

  test("does not include a status change that was rolled back", async () => {
    const receiver = await startReceiver(ok);
    const { register, addMessage, store, states } = await startServer([receiver]);
    const { rowId } = await register(urlOf(receiver));
    const code = await addMessage([]);
    const change = store.write((tables) => {
      const row = tables.messages.byCodeAnywhere(code);
      if (row !== null) tables.messages.move(row, { to: "cancelled", at: 1 });
      throw new Error("no");
    });
    await expect(change).rejects.toThrow("no");
    expect(states(rowId)).toEqual([]);
  });

  test("includes a test event only for the webhook under test", async () => {
    const receiver = await startReceiver(ok);
    const { register, service } = await startServer([receiver]);
    const first = await register(urlOf(receiver, "/1"));
    await register(urlOf(receiver, "/2"));
    const eventId = await service.test(1, first.id);
    await until(() => receiver.requests.length === 1);
    const [request] = receiver.requests;
    if (request === undefined) throw new Error("missing");
    expect(request.head).toStartWith("POST /1 ");
    expect(eventOf(request)).toMatchObject({ id: eventId, type: "webhook.test", data: { webhookId: first.id } });
    expect(headerOf("X-Service-Event", request)).toBe("webhook.test");
  });
});
