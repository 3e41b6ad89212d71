/** The states of a message: the allowed transitions, and the public status of each (docs/api-rules.md, "States"). */
import type { MessageErrorCode, MessageState, PublicStatus } from "./message.ts";

const publicStatusByState: Readonly<Record<MessageState, PublicStatus>> = {
  ready: "queued",
  submitting: "processing",
  retry_wait: "processing",
  uncertain: "processing",
  submitted: "sent",
  delivered: "delivered",
  failed: "failed",
  cancelled: "cancelled",
};

/**
 * Nothing leads back to `ready`, and nothing leads out of a final state. `delivered` only follows `submitted`: a
 * receipt that precedes the submit answer waits for it, so that `sent` is never skipped.
 */
const nextStates: Readonly<Record<MessageState, readonly MessageState[]>> = {
  ready: ["submitting", "failed", "cancelled"],
  submitting: ["submitted", "retry_wait", "uncertain", "failed"],
  retry_wait: ["submitting", "failed"],
  uncertain: ["submitting", "submitted", "retry_wait", "failed"],
  submitted: ["delivered", "failed"],
  delivered: [],
  failed: [],
  cancelled: [],
};

export function publicStatusOf(state: MessageState): PublicStatus {
  return publicStatusByState[state];
}

/** True until the message is first claimed for a route. */
export function isCancellable(state: MessageState): boolean {
  return state === "ready";
}

/** Of the statuses that are reported, the first: only `queued` precedes it, and nothing leads back. */
export const firstReported: PublicStatus = "processing";

/** The reported statuses that another one may follow. */
export const unfinished: readonly PublicStatus[] = ["processing", "sent"];

/** True if nothing can change the message any more. */
export function isFinal(state: MessageState): boolean {
  return nextStates[state].length === 0;
}

/** True if a message may go directly from one state to the other. Staying is not a move. */
export function canMove(from: MessageState, to: MessageState): boolean {
  return nextStates[from].includes(to);
}

/** When a message took each public step, in epoch milliseconds; null for a step not taken. */
export interface MessageTimes {
  submittedAt: number;
  processingAt: number | null;
  sentAt: number | null;
  /** When it became delivered, failed or cancelled. */
  finalAt: number | null;
  state: MessageState;
  errorCode: MessageErrorCode | null;
  /** Attempts that ended without an answer. */
  uncertainAttempts: number;
}

/** One public step (contract, "Message record", history entry), its time in epoch milliseconds. */
export interface HistoryEntry {
  status: PublicStatus;
  note: string;
  changedAt: number;
}

const noteByStatus: Readonly<Record<PublicStatus, string>> = {
  queued: "Accepted and waiting for processing.",
  processing: "Sending is in progress.",
  sent: "Handed over to the network.",
  delivered: "Delivery was confirmed.",
  failed: "Sending or delivery failed.",
  cancelled: "Cancelled before it was handed over.",
};

/** The meaning of each public error code, without naming a carrier. */
export const errorSentences: Readonly<Record<MessageErrorCode, string>> = {
  rejected_by_network: "The network rejected the message.",
  recipient_unreachable: "The recipient could not be reached.",
  recipient_invalid: "The recipient's number does not exist or cannot receive messages.",
  expired: "The message could not be handed over or delivered within its validity.",
  blocked: "The message was blocked.",
  undeliverable: "The network could not deliver the message.",
  route_unavailable: "No route could carry the message.",
  internal: "The service could not process the message.",
};

export function describeError(code: MessageErrorCode): string {
  return errorSentences[code];
}

export const unknownDelivery = "It is not known whether the message was delivered: the network did not answer.";

/** Why a message failed, for its customer; null if it did not. */
export function publicErrorOf({
  state,
  errorCode,
  sentAt,
  uncertainAttempts,
}: Pick<MessageTimes, "state" | "errorCode" | "sentAt" | "uncertainAttempts">): {
  code: MessageErrorCode;
  message: string;
} | null {
  if (state !== "failed" || errorCode === null) return null;
  const isUnknown = errorCode === "undeliverable" && sentAt === null && uncertainAttempts > 0;
  return { code: errorCode, message: isUnknown ? unknownDelivery : describeError(errorCode) };
}

/** How many times the message may have reached the phone, if that is unknown; otherwise null. */
export function possibleArrivals({ sentAt, uncertainAttempts }: Pick<MessageTimes, "sentAt" | "uncertainAttempts">) {
  return uncertainAttempts === 0 ? null : uncertainAttempts + (sentAt === null ? 0 : 1);
}

/** The public steps of a message, oldest first; internal states that look alike from outside are one step. */
export function historyOf(times: MessageTimes): HistoryEntry[] {
  const history = [entry("queued", times.submittedAt)];
  if (times.processingAt !== null) history.push(entry("processing", times.processingAt));
  if (times.sentAt !== null) history.push(entry("sent", times.sentAt));
  if (times.finalAt !== null && isFinal(times.state)) {
    const last = entry(publicStatusOf(times.state), times.finalAt);
    last.note = publicErrorOf(times)?.message ?? last.note;
    history.push(last);
  }
  return history;
}

function entry(status: PublicStatus, changedAt: number): HistoryEntry {
  return { status, note: noteByStatus[status], changedAt };
}
