/** What else than routes decides whether a message may be handed over: asked at its claim, so that a rule of today counts for what waits. */
import type { Reason } from "../domain/reason.ts";
import type { MessageRow } from "../store/messages.ts";
import type { Tables } from "../store/store.ts";

export interface HandoverRules {
  /** Why the message must never be handed over; null where it may. Runs in the transaction of the claim. */
  blocks(tables: Tables, message: MessageRow): Reason | null;
}

/** Everything may be handed over. */
export const noHandoverRules: HandoverRules = { blocks: () => null };
