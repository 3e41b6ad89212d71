/** Writes an event and its deliveries into the very transaction that it tells of, for the webhooks that listen. */
import { eventId, inboundEnvelope, statusEnvelope } from "../domain/event.ts";
import type { Clock } from "../platform/clock.ts";
import type { Random } from "../platform/random.ts";
import type { Store } from "../store/store.ts";
import type { WebhookRow } from "../store/webhooks.ts";

export interface EventRecorderDeps {
  clock: Pick<Clock, "now">;
  random: Random;
}

/** UUID version 7 takes so many random bytes. */
const eventIdBytes = 10;

export const newEventId = ({ random }: EventRecorderDeps, now: number): string =>
  eventId(now, random.bytes(eventIdBytes));

const idsOf = (webhooks: readonly WebhookRow[]) => webhooks.map(({ id }) => id);

/** From now on every public status after the first `queued`, and every inbound message, commits together with its event. */
export function recordEvents(store: Store, parts: EventRecorderDeps): void {
  const { webhooks, outbox } = store.tables;

  store.onStatus((message, status, at) => {
    const listening = webhooks.listening(message.accountId, "message.status");
    if (listening.length === 0) return;
    const createdAt = parts.clock.now();
    const publicId = newEventId(parts, createdAt);
    const body = statusEnvelope(publicId, createdAt, { ...message, status, changedAt: at });
    const { accountId, trackingCode } = message;
    const event = { publicId, accountId, kind: "message.status", subject: trackingCode, step: status, body, createdAt };
    outbox.record(event, idsOf(listening));
  });

  store.onInbound((inbound) => {
    const listening = webhooks.listening(inbound.accountId, "inbound.received");
    if (listening.length === 0) return;
    const createdAt = parts.clock.now();
    const publicId = newEventId(parts, createdAt);
    const body = inboundEnvelope(publicId, createdAt, inbound);
    const { accountId, trackingCode } = inbound;
    outbox.record(
      { publicId, accountId, kind: "inbound.received", subject: trackingCode, step: "", body, createdAt },
      idsOf(listening),
    );
  });
}
