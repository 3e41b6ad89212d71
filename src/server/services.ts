/** What customers can do, put together: accept, cancel, track, groups, patterns, one-time passwords. */

import { approvedSending } from "../messaging/approved-sending.ts";
import { acceptor, type Waiting } from "../messaging/messages/accept.ts";
import { canceller } from "../messaging/messages/cancel.ts";
import { tracker } from "../messaging/messages/track.ts";
import type { Routing } from "./routing.ts";
import type { ServerStorage } from "./storage.ts";

const hourMs = 3_600_000;

export type Services = ReturnType<typeof openServices>;

export function openServices(ground: ServerStorage, { dispatch, texts }: Routing) {
  const { store, clock, random, log, directory, metrics, settings, key, codes } = ground;
  const accepted = (waiting: readonly Waiting[]) => {
    metrics.accepted(waiting);
    dispatch.accepted(waiting);
  };
  const accept = acceptor({
    store,
    clock,
    senders: directory,
    trackingCodes: codes,
    validityMs: settings.messages.validityHours * hourMs,
    mismatch: settings.idempotency.mismatch,
    accepted,
    mismatched: ({ apiKeyId }, { operation }) =>
      log.warn({ apiKeyId, operation }, "idempotency key reused with another payload"),
  });
  const parts = { store, clock, random, log, directory, settings, key, texts, accepted };
  return {
    acceptor: accept,
    canceller: canceller(store, clock),
    tracker: tracker(store),
    approved: approvedSending({ ...parts, acceptor: accept }),
  };
}
