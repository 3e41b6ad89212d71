/** Data for the page of one message: its state and the reason, its story in order of time, its facts. */
import { publicStatuses } from "../../../domain/message.ts";
import { roleMay } from "../../../domain/roles.ts";
import type { MessageAnswer } from "../../../operator/messages.ts";
import type { Locale } from "../../locale.ts";
import type { ConsoleApi } from "../../page/console-api.ts";
import type { Viewer } from "../../page/viewer.ts";
import type { MessageView } from "./message.tsx";
import { epochOf, epochOrNull, failureOf, pillOf, type ReadBy, reasonOf, statusPills } from "./message-state.ts";
import { type MessageEvent, type TellingKind, tellingKinds } from "./message-step.ts";

/** Replaces a text that contains a one-time password. */
const maskedText = "••••••";

export const messageAnswered = (api: ConsoleApi, trackingCode: string): Promise<MessageAnswer> =>
  api("GET /messages/:trackingCode", { trackingCode });

export const readByOf = ({ accountId }: Pick<Viewer, "accountId">): ReadBy =>
  accountId === null ? "staff" : "customer";

export const isCancellableNow = ({ state }: Pick<MessageAnswer, "state">): boolean => state === "ready";
export const isResendable = ({ state, class: name }: Pick<MessageAnswer, "state" | "class">): boolean =>
  state === "failed" && name !== "otp";

export function messageViewOf(
  message: MessageAnswer,
  viewer: Pick<Viewer, "accountId" | "role">,
  { format }: Locale,
): MessageView {
  const readBy = readByOf(viewer);
  const isStaff = readBy === "staff";
  const resent = message.timeline.find(({ reason }) => reason.code === "resent_as")?.reason;
  return {
    code: message.trackingCode,
    to: message.recipient,
    state: pillOf(message, readBy),
    reason: reasonOf(message, readBy),
    ahead: message.ahead,
    events: storyOf(message, readBy, format.now),
    text: message.message ?? maskedText,
    masked: message.message === null,
    encoding: message.encoding,
    characters: message.characterCount,
    parts: message.partCount,
    sender: message.sender,
    account: isStaff ? { id: message.account, name: message.accountName ?? message.account } : null,
    key: message.key,
    campaign: message.campaign,
    reference: message.clientReference,
    route: isStaff ? message.route : null,
    cost:
      message.price === null || message.charge === null
        ? null
        : { amount: message.price, currency: message.currency, charge: message.charge },
    carrierIds: isStaff ? message.parts.flatMap(({ providerId }) => providerId ?? []) : [],
    resendOf: message.resentOf,
    resentAs: resent?.code === "resent_as" ? resent.trackingCode : null,
    possibleArrivals: message.possibleArrivals,
    validUntil: ["queued", "processing"].includes(message.status) ? epochOf(message.validUntil) : null,
    mayCancel: isCancellableNow(message) && roleMay(viewer.role, "messages.cancel"),
    mayResend: isResendable(message) && roleMay(viewer.role, "messages.resend"),
    curl: `curl ${message.url} -H 'X-API-Key: …'`,
  };
}

/** Oldest first. Customers only see the public steps, and the calls to their own webhooks. */
function storyOf(message: MessageAnswer, readBy: ReadBy, now: number): MessageEvent[] {
  const events: MessageEvent[] = [
    ...(readBy === "staff" ? message.timeline.map(toldEvent) : []),
    ...message.history.map((step) => publicEvent(step, message, readBy)),
    ...message.callbacks.map(callbackEvent),
    ...nextEvent(message, readBy, now),
  ];
  return withGaps(events.toSorted((a, b) => a.at - b.at || placeOf(a) - placeOf(b)));
}

/** Order of events at the same moment: accepted first, then notified, then final. */
function placeOf({ kind }: MessageEvent): number {
  if (kind === "accepted") return 0;
  return kind === "claimed" ? 1 : kind === "told" ? 2 : kind === "next" ? 5 : kind === "callback" ? 4 : 3;
}

function publicEvent(
  { status, changedAt }: MessageAnswer["history"][number],
  message: MessageAnswer,
  readBy: ReadBy,
): MessageEvent {
  const at = epochOf(changedAt);
  switch (status) {
    case "queued":
      return { kind: "accepted", at, key: message.key };
    case "processing":
      return { kind: "claimed", at };
    case "sent":
      return { kind: "taken", at, route: readBy === "staff" ? message.route : null, parts: message.partCount };
    case "delivered":
      return { kind: "delivered", at, afterMs: at - epochOf(message.sentAt ?? changedAt) };
    case "failed":
      return { kind: "failed", at, reason: failureOf(message.error ?? { code: "internal", message: "" }) };
    case "cancelled":
      return { kind: "cancelled", at };
  }
}

const isTellingKind = (kind: string): kind is TellingKind => tellingKinds.some((known) => known === kind);

function toldEvent({ at, kind, route, reason }: MessageAnswer["timeline"][number]): MessageEvent {
  const entry = isTellingKind(kind) ? kind : null;
  return { kind: "told", at: epochOf(at), entry, route, reason: { kind: "told", reason } };
}

function callbackEvent({
  url,
  step,
  at,
  outcome,
  status,
  durationMs,
}: MessageAnswer["callbacks"][number]): MessageEvent {
  const of = publicStatuses.find((known) => known === step) ?? "sent";
  const host = URL.parse(url)?.host ?? url;
  return {
    kind: "callback",
    at: epochOf(at),
    host,
    of: statusPills[of],
    status,
    tookMs: durationMs,
    taken: outcome === "delivered",
  };
}

function nextEvent(message: MessageAnswer, readBy: ReadBy, now: number): MessageEvent[] {
  const isOpen = !["delivered", "failed", "cancelled"].includes(message.status);
  const reason = isOpen ? reasonOf(message, readBy) : null;
  if (reason === null) return [];
  const at = Math.max(now, epochOrNull(message.updatedAt) ?? now);
  return [{ kind: "next", at, reason, ahead: message.ahead }];
}

function withGaps(events: readonly MessageEvent[]): MessageEvent[] {
  return events.map((event, index) => {
    const before = events[index - 1];
    return before === undefined ? event : { ...event, waitedMs: event.at - before.at };
  });
}
