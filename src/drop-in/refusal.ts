/** Why a request to a drop-in protocol is refused: each protocol has a table with its own answer for every code. */
import { ApiError, type ApiErrorCode } from "../domain/api-error.ts";
import { dropInLimits } from "../domain/drop-in-credential.ts";
import { messageLimits } from "../domain/message.ts";
import { sendWindowText } from "../domain/send-window.ts";
import type { DraftProblem } from "../messaging/messages/draft.ts";

export const tooManyMessages = `A request may have at most ${dropInLimits.messagesMax} messages.`;

export const refusalCodes = [
  "account_suspended",
  "permission_denied",
  /** The credential or its key was revoked while the request was under way. */
  "credential_ended",
  "sender_missing",
  "sender_not_permitted",
  "recipient_missing",
  "recipient_invalid",
  "country_not_allowed",
  "too_many_messages",
  "text_missing",
  "text_too_long",
  "text_not_clean",
  "reference_invalid",
  "schedule_out_of_range",
  "rate_exceeded",
  "quota_exceeded",
  "balance_exhausted",
  "code_limited",
  "not_sendable",
  /** Something that only a pattern or a group asks for. */
  "validation_failed",
  "key_invalid",
  "key_conflict",
  "callback_refused",
  "unavailable",
  "defect",
] as const;
export type DropInRefusalCode = (typeof refusalCodes)[number];

export interface DropInRefusal {
  refused: DropInRefusalCode;
  /** In English, for people who read the answer or the log; no text, number or secret. */
  words: string;
  /** Null if waiting does not help, or the time is unknown. */
  retryAfterSeconds: number | null;
}

export const refuse = (
  refused: DropInRefusalCode,
  words: string,
  retryAfterSeconds: number | null = null,
): DropInRefusal => ({ refused, words, retryAfterSeconds });

const recipientInvalid = refuse("recipient_invalid", "A recipient is no mobile number.");
const textNotClean = refuse("text_not_clean", "The text holds control characters or does not decode.");
const referenceInvalid = refuse(
  "reference_invalid",
  `The reference may have at most ${messageLimits.referenceMax} characters, all printable.`,
);

const byDraftProblem: Readonly<Record<DraftProblem, DropInRefusal>> = {
  sender_missing: refuse("sender_missing", "The request names no sender, and the account has no default sender."),
  sender_not_permitted: refuse("sender_not_permitted", "The sender is not an active sender of the account."),
  not_mobile: recipientInvalid,
  country_not_allowed: refuse("country_not_allowed", "A recipient is in a country that the account may not send to."),
  text_unreadable: textNotClean,
  text_missing: refuse("text_missing", "The text is empty."),
  text_too_long: refuse("text_too_long", `The text may have at most ${messageLimits.textMax} characters.`),
  text_not_clean: textNotClean,
  reference_too_long: referenceInvalid,
  reference_not_clean: referenceInvalid,
  schedule_out_of_range: refuse("schedule_out_of_range", `A message is sent at once or ${sendWindowText} ahead.`),
  validity_over: refuse("schedule_out_of_range", "The validity ends before the message is due."),
};

export const draftRefusal = (problem: DraftProblem): DropInRefusal => byDraftProblem[problem];

/** Problems with a request's fields were found earlier; these concern accounts, limits and keys. */
const byApiCode: Partial<Record<ApiErrorCode, DropInRefusalCode>> = {
  api_key_invalid: "credential_ended",
  account_suspended: "account_suspended",
  permission_denied: "permission_denied",
  sender_not_permitted: "sender_not_permitted",
  quota_exceeded: "quota_exceeded",
  balance_exhausted: "balance_exhausted",
  otp_rate_limited: "code_limited",
  pattern_not_found: "not_sendable",
  pattern_not_sendable: "not_sendable",
  group_not_found: "not_sendable",
  group_not_sendable: "not_sendable",
  webhook_limit_reached: "callback_refused",
  idempotency_key_conflict: "key_conflict",
  rate_limit_exceeded: "rate_exceeded",
  service_unavailable: "unavailable",
};

/** Null for a defect. */
export function refusedByApi(reason: unknown): DropInRefusal | null {
  if (!(reason instanceof ApiError)) return null;
  if (reason.code === "validation_failed") {
    const words = reason.problems.map(({ message }) => message).join(" ");
    return refuse("validation_failed", words === "" ? reason.message : words);
  }
  const refused = byApiCode[reason.code];
  return refused === undefined ? null : refuse(refused, reason.message, reason.retryAfterSeconds);
}
