/** Events as customers receive them: their kinds, and the envelope that is signed and sent (contract, "Event payloads"). */
import type { PublicStatus } from "./message.ts";

/** The kinds a webhook can subscribe to. */
export const eventKinds = ["message.status", "inbound.received"] as const;
export type EventKind = (typeof eventKinds)[number];

/** Produced only by the test endpoint. */
export const testEventKind = "webhook.test";

export function isEventKind(text: string): text is EventKind {
  return eventKinds.some((kind) => kind === text);
}

/** Times are epoch milliseconds and are sent as ISO 8601. */
export interface StatusChange {
  trackingCode: string;
  clientReference: string | null;
  sender: string;
  recipient: string;
  status: PublicStatus;
  changedAt: number;
}

export interface InboundReceived {
  trackingCode: string;
  sender: string;
  receiver: string;
  message: string;
  receivedAt: number;
}

const iso = (epochMs: number) => new Date(epochMs).toISOString();

function envelope(id: string, type: string, createdAt: number, data: Record<string, unknown>): string {
  return JSON.stringify({ id, type, createdAt: iso(createdAt), data });
}

export function statusEnvelope(id: string, createdAt: number, change: StatusChange): string {
  const { trackingCode, clientReference, sender, recipient, status, changedAt } = change;
  const data = { trackingCode, clientReference, sender, recipient, status, changedAt: iso(changedAt) };
  return envelope(id, "message.status", createdAt, data);
}

export function inboundEnvelope(id: string, createdAt: number, inbound: InboundReceived): string {
  const { trackingCode, sender, receiver, message, receivedAt } = inbound;
  return envelope(id, "inbound.received", createdAt, {
    trackingCode,
    sender,
    receiver,
    message,
    receivedAt: iso(receivedAt),
  });
}

export function testEnvelope(id: string, createdAt: number, webhookId: string): string {
  return envelope(id, testEventKind, createdAt, { webhookId, message: "This is a test event." });
}

/**
 * A version 7 UUID (RFC 9562 §5.7): it increases with time, so that the index over events grows at one end. `random`:
 * 10 bytes.
 */
export function eventId(nowMs: number, random: Uint8Array): string {
  const time = nowMs.toString(16).padStart(12, "0").slice(-12);
  const bytes = Buffer.from(random.subarray(0, 10));
  bytes[0] = ((bytes[0] ?? 0) & 0x0f) | 0x70;
  bytes[2] = ((bytes[2] ?? 0) & 0x3f) | 0x80;
  const rest = bytes.toString("hex");
  return `${time.slice(0, 8)}-${time.slice(8)}-${rest.slice(0, 4)}-${rest.slice(4, 8)}-${rest.slice(8, 20)}`;
}
