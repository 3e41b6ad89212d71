/** Envelopes as in the contract, and event ids that grow with time. */
import { describe, expect, test } from "bun:test";
import { randomBytes } from "node:crypto";
import { eventId, inboundEnvelope, isEventKind, statusEnvelope, testEnvelope } from "../../src/domain/event.ts";

const at = Date.parse("2026-11-20T15:36:00.000Z");
const id = "01a1fa60-707e-749d-b535-f01a26142351";

describe("an event envelope is written as documented", () => {
  test("message.status", () => {
    const change = {
      trackingCode: "t",
      clientReference: null,
      sender: "30001",
      recipient: "+989120000010",
      status: "sent",
      changedAt: at,
    } as const;
    expect(JSON.parse(statusEnvelope(id, at + 5, change))).toEqual({
      id,
      type: "message.status",
      createdAt: "2026-11-20T15:36:00.005Z",
      data: { ...change, changedAt: "2026-11-20T15:36:00.000Z" },
    });
  });

  test("inbound.received", () => {
    const inbound = {
      trackingCode: "t",
      sender: "+989120000010",
      receiver: "30001",
      message: "سلام\n🙂",
      receivedAt: at,
    };
    expect(JSON.parse(inboundEnvelope(id, at, inbound))).toEqual({
      id,
      type: "inbound.received",
      createdAt: "2026-11-20T15:36:00.000Z",
      data: { ...inbound, receivedAt: "2026-11-20T15:36:00.000Z" },
    });
  });

  test("webhook.test", () => {
    expect(JSON.parse(testEnvelope(id, at, "w"))).toMatchObject({
      id,
      type: "webhook.test",
      data: { webhookId: "w", message: expect.any(String) },
    });
  });

  test("a webhook cannot subscribe to the test event", () => {
    expect(["message.status", "inbound.received", "webhook.test", ""].map(isEventKind)).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });
});

describe("event ids", () => {
  test("are version 7 UUIDs that carry their time and sort by it", () => {
    const ids = [0, 1, at, at + 1, 2 ** 48 - 1].map((now) => eventId(now, randomBytes(10)));
    for (const made of ids)
      expect(made).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect([...ids].sort()).toEqual(ids);
    expect(Number.parseInt((ids[2] ?? "").replaceAll("-", "").slice(0, 12), 16)).toBe(at);
  });
});
