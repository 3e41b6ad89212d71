/** Cancels a message that has not been handed to a route; the database decides the race with the dispatcher. */
import { ApiError } from "../../domain/api-error.ts";
import type { Reason } from "../../domain/reason.ts";
import { isCancellable } from "../../domain/status.ts";
import type { MessageRow } from "../../store/messages.ts";
import type { Store, Tables } from "../../store/store.ts";

/** Messages per transaction where many are cancelled: it takes 0.4 ms, or 4 if two webhooks are notified of each. */
export const cancelledPerWrite = 50;

/** `reason`: recorded for operators; null where the customer cancels. */
export function cancelRow(tables: Tables, row: MessageRow, at: number, reason: Reason | null): void {
  if (reason !== null) tables.timeline.add(row.id, { at, kind: "cancelled", routeId: null, reason });
  tables.messages.move(row, { to: "cancelled", at });
}

/** Contract, "Cancel result", with the time in epoch milliseconds. */
export interface CancelResult {
  trackingCode: string;
  status: "cancelled";
  cancelledAt: number;
}

function resultOf(message: MessageRow): CancelResult {
  return { trackingCode: message.trackingCode, status: "cancelled", cancelledAt: message.finalAt ?? message.updatedAt };
}

export type Canceller = ReturnType<typeof canceller>;

export function canceller(store: Store, clock: { now(): number }) {
  return {
    /** Throws `message_not_found` and `message_not_cancellable`. A second cancel returns the first result again. */
    async cancel(accountId: number, trackingCode: string): Promise<CancelResult> {
      // A refusal is returned: thrown, it would make the rest of its group run again.
      const outcome = await store.write((tables) => {
        const message = tables.messages.byCode(accountId, trackingCode);
        if (message === null) return "message_not_found";
        if (message.state === "cancelled") return resultOf(message);
        if (!isCancellable(message.state)) return "message_not_cancellable";
        const cancelled = tables.messages.move(message, { to: "cancelled", at: clock.now() });
        if (cancelled === null) throw new Error(`Message ${trackingCode} changed inside its own transaction`);
        return resultOf(cancelled);
      });
      if (typeof outcome === "string") throw new ApiError(outcome);
      return outcome;
    },
  };
}
