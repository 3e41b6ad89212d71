/** Requests of one customer that come at once, each of them allowed, do not hold the event loop together. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { type Api, sender, startApi } from "../support/api.ts";
import { createInboundServer, line } from "../support/inbound.ts";
import { expectNoHold } from "../support/longest-turn.ts";
import { createSendingServer, requestOf } from "../support/sending-server.ts";
import { senderOf } from "../support/test-server.ts";

let api: Api;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

test("forty batches of 500 messages do not block the event loop", async () => {
  const messages = Array.from({ length: 500 }, (_, index) => ({
    recipient: `0912${String(1_000_000 + index)}`,
    message: `Message ${index}`,
  }));
  const body = JSON.stringify({ sender, messages });
  const send = () =>
    api.fetch("/v1/messages/batch", {
      method: "POST",
      headers: { "X-API-Key": api.apiKey, "Idempotency-Key": crypto.randomUUID(), "Content-Type": "application/json" },
      body,
    });
  await expectNoHold(async () => {
    const statuses = await Promise.all(Array.from({ length: 40 }, async () => (await send()).status));
    expect(statuses).toEqual(Array(40).fill(202));
  });
}, 180_000);

test("sends to a group whose last member lacks a name do not block the event loop", async () => {
  const server = await createSendingServer();
  try {
    const members = Array.from({ length: 2_000 }, (_, at) => `0912${1_000_000 + at},${at < 1_999 ? "Sara" : ""}`);
    await server.approvedGroup("many", ["mobile,firstName", ...members].join("\n"));
    const message = { sender: senderOf(1), message: "Hello {{firstName}}" };
    const send = () => {
      const request = requestOf("POST /v1/approved-groups/many/messages");
      return server.groupSender.send(server.caller(), request, "many", message);
    };
    await expectNoHold(async () => {
      const outcomes = await Promise.allSettled(Array.from({ length: 150 }, send));
      expect(outcomes.map(({ status }) => status)).toEqual(Array(150).fill("rejected"));
    });
  } finally {
    await server.stop();
  }
}, 180_000);

test("polls of inbound messages that find nothing do not block the event loop", async () => {
  const server = await createInboundServer();
  try {
    await server.store.write(({ inbound }) => {
      for (let at = 0; at < 30_000; at += 1) {
        const parts = { partCount: 1, partsReceived: 1, octets: null };
        const message = { trackingCode: `in-${at}`, routeId: 1, sender: "+989121234567", receiver: line, text: "x" };
        inbound.makeAvailable(inbound.insert({ ...message, ...parts, receivedAt: at }), 1, at);
      }
    });
    const filter = { sender: "+989350000000", receiver: null, from: null, to: null };
    const read = () => server.inbound.inbox.read(1, 0, filter, 100);
    await expectNoHold(async () => {
      const pages = await Promise.all(Array.from({ length: 150 }, read));
      expect(pages.map(({ messages }) => messages.length)).toEqual(Array(150).fill(0));
    });
  } finally {
    await server.stop();
  }
}, 180_000);
