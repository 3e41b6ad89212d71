/** Everything an operator may see of a message, including its history. */
import { type MessageState, messageClasses, messageStates, type PublicStatus } from "../../domain/message.ts";
import { OperatorError } from "../../domain/operator-error.ts";
import { visibleText } from "../../domain/sealed-text.ts";
import { historyOf, publicStatusOf } from "../../domain/status.ts";
import type { MessageRow } from "../../store/messages.ts";
import type { PartRow, ReceiptState } from "../../store/parts.ts";
import type { Store } from "../../store/store.ts";
import type { Directory } from "../directory/directory.ts";
import { aheadOf, type QueueAhead } from "./queue-depth.ts";

export type MessageService = ReturnType<typeof messageService>;

export function messageService(store: Store, directory: Directory) {
  const { messages, timeline, parts, orphanReceipts, queue, otpSteps, otpSends } = store.tables;
  const routeName = (id: number | null) => (id === null ? null : (directory.routeById(id)?.name ?? null));

  /** The challenge that it belongs to, if that has further steps: each with its message, null for one without. */
  function otpStepsOf(id: number) {
    const sequence = otpSteps.sequenceOf(id);
    if (sequence === null) return null;
    const { messageId, steps, begun, dueAt, outcome, endedAt } = sequence;
    const began = otpSteps.stepsOf(messageId);
    const further = steps.map(({ by, channel }, position) => {
      const step = began.find((one) => one.position === position);
      const row = step === undefined ? null : messages.byId(step.messageId);
      return { by, channel, beganAt: step?.beganAt ?? null, row, isPassed: position < begun };
    });
    const row = messages.byId(messageId);
    const first = { by: "sms" as const, channel: undefined, beganAt: row?.submittedAt ?? null, row, isPassed: true };
    const verifiedAt = otpSends.challengeOfMessage(messageId)?.verifiedAt ?? null;
    return { steps: [first, ...further], dueAt, outcome, endedAt, verifiedAt };
  }

  return {
    /** Throws `message_not_found`. */
    show(trackingCode: string) {
      const row = messages.byCodeAnywhere(trackingCode);
      if (row === null) throw new OperatorError("message_not_found");
      return {
        row,
        resentOf: row.resentOf === null ? null : (messages.byId(row.resentOf)?.trackingCode ?? null),
        text: row.class === messageClasses.otp ? null : row.text,
        maskedText: maskedTextOf(row),
        otpSteps: row.class === messageClasses.otp ? otpStepsOf(row.id) : null,
        history: historyOf(row),
        parts: parts.ofMessage(row.id).map((part) => ({
          ...part,
          receipt: receiptOf(part, row),
          routeName: routeName(part.routeId),
        })),
        timeline: timeline.ofMessage(row.id).map((entry) => ({ ...entry, routeName: routeName(entry.routeId) })),
      };
    },

    /** For a message that is due. */
    ahead: (row: MessageRow, dueAt: number, now: number): QueueAhead => aheadOf(queue, row, { dueAt, id: row.id }, now),

    /** The newest receipts of a route that match no message, newest first. */
    unmatchedReceipts: (routeId: number) => orphanReceipts.unmatched(routeId, unmatchedMax),

    routeName,
  };
}

/** Enough to see how a carrier formats its ids. */
const unmatchedMax = 20;

const masked = /\*{2,}/;

/** What everybody may read of its text: of a one-time password only what was stored with its code masked. */
export function maskedTextOf({ class: messageClass, text }: Pick<MessageRow, "class" | "text">): string {
  if (messageClass !== messageClasses.otp) return text;
  const visible = visibleText(text);
  return masked.test(visible) ? visible : "******";
}

/** The final receipt of a single-part message is not stored separately: it is the message's state. */
function receiptOf({ receipt }: PartRow, { partCount, state }: MessageRow): ReceiptState | null {
  return partCount === 1 && (state === "delivered" || state === "failed") ? state : receipt;
}

export function statesOf(status: PublicStatus): MessageState[] {
  return messageStates.filter((state) => publicStatusOf(state) === status);
}
