/** A message's states, classes, encodings and public errors. */

/** Public statuses, a stable contract (contract, "States and transitions"). */
export const publicStatuses = ["queued", "processing", "sent", "delivered", "failed", "cancelled"] as const;
export type PublicStatus = (typeof publicStatuses)[number];

/**
 * Internal states as stored. `ready` includes scheduled messages, whose due time is in the future. `uncertain`: handed
 * to a route, but it is unknown whether the route took it.
 */
export const messageStates = [
  "ready",
  "submitting",
  "retry_wait",
  "uncertain",
  "submitted",
  "delivered",
  "failed",
  "cancelled",
] as const;
export type MessageState = (typeof messageStates)[number];

/** Contract, "Limits", in code points. A text's limit applies both before and after values are filled in. */
export const messageLimits = { senderMin: 5, senderMax: 20, recipientMax: 20, textMax: 2000, referenceMax: 120 };

/** Order of service: one-time passwords, then single and pattern sends, then scheduled, batch and group. */
export const messageClasses = { otp: 0, single: 1, bulk: 2 } as const;
export type MessageClassName = keyof typeof messageClasses;
export type MessageClass = (typeof messageClasses)[MessageClassName];
/** As used in commands and answers. */
export const messageClassNames = ["otp", "single", "bulk"] as const satisfies readonly MessageClassName[];

/** Priorities range from 0 to this, as in SMPP. */
export const priorityMax = 3;

/** `otp`, `single` or `bulk`. */
export function className(value: number): string {
  return Object.entries(messageClasses).find(([, number]) => number === value)?.[0] ?? String(value);
}

export const isMessageClass = (value: number): value is MessageClass =>
  Object.values(messageClasses).some((one) => one === value);

/** `Latin`: GSM 03.38. `Persian`: UCS-2 with at least one Arabic-script letter. `Unicode`: any other UCS-2. */
export const messageEncodings = ["Latin", "Persian", "Unicode"] as const;
export type MessageEncoding = (typeof messageEncodings)[number];

/** Why a message failed, without naming a provider (docs/api-rules.md, "Messages"). */
export const messageErrorCodes = [
  "rejected_by_network",
  "recipient_unreachable",
  "recipient_invalid",
  "expired",
  "blocked",
  "undeliverable",
  "route_unavailable",
  "internal",
] as const;
export type MessageErrorCode = (typeof messageErrorCodes)[number];
