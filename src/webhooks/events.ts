/** Records an event and its deliveries in the same transaction that it reports, and removes old events. */
import { eventId, inboundEnvelope, statusEnvelope } from "../domain/event.ts";
import type { Clock } from "../platform/clock.ts";
import type { Random } from "../platform/random.ts";
import type { Store } from "../store/store.ts";
import type { WebhookRow } from "../store/webhooks.ts";

export interface EventDeps {
  clock: Pick<Clock, "now">;
  random: Random;
}

/** The random part of a UUID version 7. */
const eventIdBytes = 10;

export const newEventId = ({ random }: Pick<EventDeps, "random">, now: number): string =>
  eventId(now, random.bytes(eventIdBytes));

const idsOf = (webhooks: readonly WebhookRow[]) => webhooks.map(({ id }) => id);

/**
 * From now on every public status after the first `queued`, and every inbound message, commits together with its event.
 */
export function recordEvents(store: Store, deps: EventDeps): void {
  const { webhooks, outbox } = store.tables;

  store.onStatus((message, status, at) => {
    const listening = webhooks.listening(message.accountId, "message.status");
    if (listening.length === 0) return;
    const createdAt = deps.clock.now();
    const publicId = newEventId(deps, createdAt);
    const body = statusEnvelope(publicId, createdAt, { ...message, status, changedAt: at });
    const { accountId, trackingCode } = message;
    const event = { publicId, accountId, kind: "message.status", subject: trackingCode, step: status, body, createdAt };
    outbox.record(event, idsOf(listening));
  });

  store.onInbound((inbound) => {
    const listening = webhooks.listening(inbound.accountId, "inbound.received");
    if (listening.length === 0) return;
    const createdAt = deps.clock.now();
    const publicId = newEventId(deps, createdAt);
    const body = inboundEnvelope(publicId, createdAt, inbound);
    const { accountId, trackingCode } = inbound;
    const event = { publicId, accountId, kind: "inbound.received", subject: trackingCode, step: "", body, createdAt };
    outbox.record(event, idsOf(listening));
  });
}

const dayMs = 24 * 3_600_000;
/** Events per transaction, which takes a few milliseconds. */
const eventsPerSlice = 200;

/** A request that names an origin commits its queue and its first message together; no other queue is this young. */
const queueAgeMs = dayMs;
const queuesPerSlice = 100;

/** Removes the queues of origins that no message names any more. Call it after the events were removed. */
export async function forgetUnusedQueues(store: Store, now: number): Promise<void> {
  const slice = () => store.write(({ webhooks }) => webhooks.pruneQueues(now - queueAgeMs, queuesPerSlice));
  while ((await slice()) === queuesPerSlice);
}

/** Removes events older than `days`, with their deliveries and attempts; resolves with the number of events removed. */
export async function forgetOldEvents(store: Store, now: number, days: number): Promise<number> {
  let removed = 0;
  for (let afterId: number | null = 0; afterId !== null; ) {
    const from: number = afterId;
    const slice = await store.write((tables) => tables.eventRetention.prune(from, now - days * dayMs, eventsPerSlice));
    removed += slice.removed;
    afterId = slice.nextId;
  }
  return removed;
}
