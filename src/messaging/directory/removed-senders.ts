/** Removed senders, whose waiting messages still need their routes. */
import type { DetailValues } from "../../domain/error-detail.ts";
import type { SenderRow } from "../../store/senders.ts";
import type { Tables } from "../../store/store.ts";

/** Those of the senders that are removed and have messages waiting. */
export function waitingAfterRemoval(tables: Tables, senders: readonly SenderRow[]): SenderRow[] {
  const removed = senders.filter(({ removedAt }) => removedAt !== null);
  if (removed.length === 0) return [];
  const waiting = new Set(tables.queue.lanes().map(({ senderId }) => senderId));
  return removed.filter(({ id }) => waiting.has(id));
}

/** How many of the senders a refusal names. */
const namedMax = 5;

export function sendersTold(users: readonly SenderRow[]): DetailValues["senders_use_plan"] {
  const senders = users.slice(0, namedMax).map(({ sender }) => sender);
  return { senders, more: users.length - senders.length };
}
