/** A message's status pill, the reason for it and what can be done, limited to what the reader may know. */
import type { PublicStatus } from "../../../domain/message.ts";
import type { Reason } from "../../../domain/reason.ts";
import { unknownDelivery } from "../../../domain/status.ts";
import type { MessageAnswer, MessageSummaryAnswer } from "../../../operator/messages.ts";
import type { PillState } from "../../components/pill.tsx";
import type { MessageReason } from "../../page/message-reason.ts";
import type { Viewer } from "../../page/viewer.ts";

export type ReadBy = "staff" | "customer";

export const readByOf = ({ accountId }: Pick<Viewer, "accountId">): ReadBy =>
  accountId === null ? "staff" : "customer";

export const isCancellableNow = ({ state }: Pick<MessageAnswer, "state">): boolean => state === "ready";
export const isResendable = ({ state, class: name }: Pick<MessageAnswer, "state" | "class">): boolean =>
  state === "failed" && name !== "otp";

type Message = Pick<
  MessageSummaryAnswer,
  "state" | "possibleArrivals" | "error" | "route" | "waitReason" | "submittedAt" | "sendAt" | "sentAt" | "finalAt"
>;

export const epochOf = (iso: string): number => Date.parse(iso);
export const epochOrNull = (iso: string | null): number | null => (iso === null ? null : Date.parse(iso));

/** For the public statuses, which callbacks and filters use. */
export const statusPills = {
  queued: "waiting",
  processing: "sending",
  sent: "sent",
  delivered: "delivered",
  failed: "failed",
  cancelled: "cancelled",
} as const satisfies Record<PublicStatus, PillState>;

type Standing = Pick<Message, "state" | "waitReason" | "possibleArrivals">;

export function pillOf({ state, waitReason, possibleArrivals }: Standing, readBy: ReadBy): PillState {
  switch (state) {
    case "ready":
      return waitReason?.code === "waits_due" ? "scheduled" : "waiting";
    case "submitting":
    case "retry_wait":
      return "sending";
    case "uncertain":
      return readBy === "staff" ? "unsure" : "sending";
    case "submitted":
      return readBy === "staff" && (possibleArrivals ?? 0) > 1 ? "unsure" : "sent";
    default:
      return state;
  }
}

export function reasonOf(message: Message, readBy: ReadBy): MessageReason | null {
  const { state, error, route, waitReason, sentAt, finalAt } = message;
  switch (state) {
    case "ready":
    case "retry_wait":
    case "uncertain":
      if (waitReason === null) return readBy === "customer" ? { kind: "inQueue" } : null;
      return waitOf(waitReason, readBy);
    case "submitting":
      return { kind: "handingOver", route: readBy === "staff" ? route : null };
    case "submitted":
      return sentAt === null ? null : { kind: "noReceipt", handedOverAt: epochOf(sentAt) };
    case "delivered":
      return finalAt === null ? null : { kind: "delivered", afterMs: epochOf(finalAt) - dueFrom(message) };
    case "failed":
      return error === null ? null : failureOf(error);
    case "cancelled":
      return { kind: "cancelled" };
  }
}

export function failureOf({ code, message }: NonNullable<Message["error"]>): MessageReason {
  return message === unknownDelivery ? { kind: "deliveryUnknown" } : { kind: "failed", error: code };
}

/** When it could have been sent at the earliest. */
const dueFrom = ({ submittedAt, sendAt }: Pick<Message, "submittedAt" | "sendAt">): number =>
  epochOf(sendAt ?? submittedAt);

/** Customers never see a route. */
function waitOf(reason: Reason, readBy: ReadBy): MessageReason {
  if (reason.code === "waits_due") return { kind: "scheduled", at: reason.at };
  if (readBy === "staff") return { kind: "told", reason };
  return { kind: reason.code === "waits_account_suspended" ? "accountSuspended" : "inQueue" };
}

/** A masked code is as long as the code: its length is not shown either. */
export const hiddenCode = (maskedText: string): string => maskedText.replace(/\*+/g, "••••••");
