/**
 * What besides routes decides whether a message may be handed over. Checked when it is claimed, so that current rules
 * apply to waiting messages.
 */
import type { MessageClass } from "../domain/message.ts";
import type { Reason } from "../domain/reason.ts";
import type { MessageRow } from "../store/messages.ts";
import type { Tables } from "../store/store.ts";

export interface ClaimRules {
  /** Why the message must never be handed over; null if it may be. Runs in the transaction of the claim. */
  blocks(tables: Tables, message: MessageRow): Reason | null;
  /** When the account's messages of this class may go, in epoch milliseconds; null for now. No I/O. */
  quietUntil(accountId: number, messageClass: MessageClass, now: number): number | null;
}
