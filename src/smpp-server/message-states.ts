/** SMPP's names for the states of messages (3.4 §5.2.28 and Appendix B). */
import type { MessageErrorCode, MessageState } from "../domain/message.ts";

export const messageState = {
  enroute: 1,
  delivered: 2,
  expired: 3,
  deleted: 4,
  undeliverable: 5,
  rejected: 8,
} as const;

const words = new Map<number, string>([
  [messageState.enroute, "ENROUTE"],
  [messageState.delivered, "DELIVRD"],
  [messageState.expired, "EXPIRED"],
  [messageState.deleted, "DELETED"],
  [messageState.undeliverable, "UNDELIV"],
  [messageState.rejected, "REJECTD"],
]);

export const receiptWord = (state: number): string => words.get(state) ?? "UNKNOWN";

const failures: Partial<Record<MessageErrorCode, number>> = {
  expired: messageState.expired,
  rejected_by_network: messageState.rejected,
  blocked: messageState.rejected,
};

/** The message_state of one of our messages; `enroute` until it is final. */
export function messageStateOf({
  state,
  errorCode,
}: {
  state: MessageState;
  errorCode: MessageErrorCode | null;
}): number {
  if (state === "delivered") return messageState.delivered;
  if (state === "cancelled") return messageState.deleted;
  if (state !== "failed") return messageState.enroute;
  return (errorCode === null ? undefined : failures[errorCode]) ?? messageState.undeliverable;
}

/**
 * True if registered_delivery (§5.2.17) asks for a receipt of this final state: all, failures only, or successes only.
 */
export function asksFor(registeredDelivery: number, state: number): boolean {
  const asked = registeredDelivery & 0x03;
  if (asked === 1) return true;
  if (asked === 2) return state !== messageState.delivered;
  return asked === 3 && state === messageState.delivered;
}
