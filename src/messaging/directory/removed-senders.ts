/** Removed senders, whose waiting messages still need their routes. */
import type { DetailValues } from "../../domain/error-detail.ts";
import { OperatorError } from "../../domain/operator-error.ts";
import type { SenderRow } from "../../store/senders.ts";
import type { Tables } from "../../store/store.ts";

/** Those of the senders that are removed and have messages waiting. */
export function waitingAfterRemoval(tables: Tables, senders: readonly SenderRow[]): SenderRow[] {
  const removed = senders.filter(({ removedAt }) => removedAt !== null);
  if (removed.length === 0) return [];
  const waiting = new Set(tables.queue.lanes().map(({ senderId }) => senderId));
  return removed.filter(({ id }) => waiting.has(id));
}

/** A plan or route goes only once no sender of `users` needs it. Throws `inUse`. */
export function assertUnused(
  tables: Tables,
  users: readonly SenderRow[],
  inUse: "plan_in_use" | "route_in_use",
  byPresent: "senders_use_plan" | "senders_use_route",
): void {
  const present = users.filter(({ removedAt }) => removedAt === null);
  if (present.length > 0) throw new OperatorError(inUse, { code: byPresent, values: sendersTold(present) });
  const waiting = waitingAfterRemoval(tables, users);
  if (waiting.length > 0)
    throw new OperatorError(inUse, { code: "removed_senders_wait", values: sendersTold(waiting) });
}

/** How many of the senders a refusal names. */
const namedMax = 5;

export function sendersTold(users: readonly SenderRow[]): DetailValues["senders_use_plan"] {
  const senders = users.slice(0, namedMax).map(({ sender }) => sender);
  return { senders, more: users.length - senders.length };
}
