/** Callbacks of the service: who sent them, and what they say. */
import { createHmac, timingSafeEqual } from "node:crypto";
import { PeykSignatureError } from "./errors.ts";
import type { InboundReceivedEvent, MessageStatusEvent, WebhookTestEvent } from "./generated.ts";

export type WebhookEvent = MessageStatusEvent | InboundReceivedEvent | WebhookTestEvent;

type HeaderValues = Readonly<Record<string, string | readonly string[] | undefined>>;

export interface Callback {
  /** As it came, before any JSON parser. */
  body: Uint8Array | string;
  /** Of `Request`, or those of Node, in any case. */
  headers: { get(name: string): string | null } | HeaderValues;
  /** The webhook's signing secret; the old and the new one while it is replaced. */
  secret: string | readonly string[];
  /** 300 unless given. */
  toleranceSeconds?: number;
  /** For tests: epoch seconds. */
  nowSeconds?: number;
}

function headerOf({ headers }: Callback, name: string): string {
  if (typeof headers.get === "function") return headers.get(name) ?? "";
  for (const [key, value] of Object.entries(headers)) {
    if (key.toLowerCase() === name && typeof value === "string") return value;
  }
  return "";
}

const sign = (secret: string, timestamp: string, body: Uint8Array | string) =>
  createHmac("sha256", secret).update(`${timestamp}.`).update(body).digest();

/** Whether the service signed it, within the tolerance. Compares in constant time. */
export function isAuthentic(callback: Callback): boolean {
  const { body, secret, toleranceSeconds = 300, nowSeconds = Date.now() / 1_000 } = callback;
  const timestamp = headerOf(callback, "x-service-timestamp");
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(nowSeconds - Number(timestamp)) > toleranceSeconds) return false;
  const [, given] = /^v1=([0-9a-f]{64})$/.exec(headerOf(callback, "x-service-signature")) ?? [];
  if (given === undefined) return false;
  const bytes = Buffer.from(given, "hex");
  const secrets = typeof secret === "string" ? [secret] : secret;
  return secrets.filter((one) => timingSafeEqual(sign(one, timestamp, body), bytes)).length > 0;
}

/** The event of a callback. The same `id` may come more than once. @throws PeykSignatureError */
export function verifyWebhook(callback: Callback): WebhookEvent {
  if (!isAuthentic(callback)) throw new PeykSignatureError("The callback's signature or time is wrong");
  const { body } = callback;
  return JSON.parse(typeof body === "string" ? body : new TextDecoder().decode(body));
}

/** The headers of a callback as the service sends them, for tests of a receiver. */
export function signWebhook(secret: string, body: string, nowSeconds = Math.floor(Date.now() / 1_000)) {
  const { id, type }: { id: string; type: string } = JSON.parse(body);
  return {
    "X-Service-Event-Id": id,
    "X-Service-Event": type,
    "X-Service-Timestamp": String(nowSeconds),
    "X-Service-Signature": `v1=${sign(secret, String(nowSeconds), body).toString("hex")}`,
  };
}
