/** What else than routes decides whether a message may be handed over: asked at its claim, so that a rule of today counts for what waits. */
import type { MessageClass } from "../domain/message.ts";
import type { Reason } from "../domain/reason.ts";
import type { MessageRow } from "../store/messages.ts";
import type { Tables } from "../store/store.ts";

export interface HandoverRules {
  /** Why the message must never be handed over; null where it may. Runs in the transaction of the claim. */
  blocks(tables: Tables, message: MessageRow): Reason | null;
  /** Until when the account's messages of this class wait, in epoch milliseconds; null where they may go. Without I/O. */
  quietUntil(accountId: number, messageClass: MessageClass, now: number): number | null;
}

/** Everything may be handed over. */
export const noHandoverRules: HandoverRules = { blocks: () => null, quietUntil: () => null };
