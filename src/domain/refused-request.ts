/** Why customers' requests are refused, whatever each way in calls it, and what to do, in English: an account's errors. */
import type { ApiErrorCode, FieldCode } from "./api-error.ts";

export const englishRefusals = {
  rate: {
    title: "Too many requests at once",
    advice: "Send more slowly, wait as long as the answer says, or put many recipients into one request.",
  },
  window: {
    title: "Too many unanswered requests",
    advice: "Wait for answers before you send more, or use a larger window.",
  },
  sender: { title: "The sender is not yours", advice: "Send from one of your active senders, or ask for this one." },
  recipient: {
    title: "The recipient is not a mobile number",
    advice: "Write numbers as 09123456789 or +989123456789: no digit missing, none too many.",
  },
  country: {
    title: "The country is not allowed",
    advice: "The account may not send to this country. Ask for it to be allowed.",
  },
  text: {
    title: "The text cannot be sent",
    advice: "It is empty, too long, holds control characters, or uses an unknown variable.",
  },
  schedule: { title: "The time is out of range", advice: "A message is sent at once, or 30 seconds to 30 days ahead." },
  field: { title: "A field is wrong", advice: "The answer names the field and what is wrong with it." },
  malformed: {
    title: "The request cannot be read",
    advice: "Check how it is built: its encoding, its content type, its fields.",
  },
  size: { title: "The request is too large", advice: "Split it into several smaller ones." },
  repeat_key: {
    title: "The repeat key is missing or used",
    advice: "Give each request a new key, and the same key to a repeat only.",
  },
  key: {
    title: "The key may not be used",
    advice: "It has ended or was revoked, or comes from an address that it does not allow.",
  },
  permission: { title: "The key lacks a permission", advice: "Give the key this permission, or use another one." },
  suspended: { title: "The account is suspended", advice: "Nothing is accepted until the account is resumed." },
  quota: {
    title: "The quota is used up",
    advice: "Sending goes on with the next day or month, or with a larger quota.",
  },
  balance: { title: "The balance is too small", advice: "Top up; you can be told before it happens." },
  code: {
    title: "A one-time password was refused",
    advice: "Too many for one recipient, or answered too late or too often.",
  },
  not_found: { title: "What it names does not exist", advice: "Check the code or id: it is unknown to this account." },
  not_possible: {
    title: "It cannot be done any more, not yet, or not at all",
    advice:
      "The message has left, the group or pattern is not approved, or the mail is an automatic one or to another domain.",
  },
  callback: { title: "The callback was refused", advice: "Check the addresses that callbacks go to." },
  service: {
    title: "The service could not take it",
    advice: "Send it again, with the same repeat key, so that nothing is sent twice.",
  },
};

export type RefusalReason = keyof typeof englishRefusals;
export type RefusalTexts = Readonly<Record<RefusalReason, { title: string; advice: string }>>;

const byApiCode: Readonly<Record<Exclude<ApiErrorCode, "validation_failed"> | FieldCode, RefusalReason>> = {
  malformed_json: "malformed",
  idempotency_key_required: "repeat_key",
  idempotency_key_invalid: "repeat_key",
  idempotency_key_conflict: "repeat_key",
  unknown_variable: "text",
  personalisation_unavailable: "text",
  api_key_required: "key",
  api_key_invalid: "key",
  permission_denied: "permission",
  sender_not_permitted: "sender",
  account_suspended: "suspended",
  quota_exceeded: "quota",
  balance_exhausted: "balance",
  not_found: "not_found",
  message_not_found: "not_found",
  group_not_found: "not_found",
  pattern_not_found: "not_found",
  webhook_not_found: "not_found",
  otp_challenge_not_found: "not_found",
  method_not_allowed: "malformed",
  message_not_cancellable: "not_possible",
  group_not_sendable: "not_possible",
  pattern_not_sendable: "not_possible",
  webhook_limit_reached: "callback",
  webhook_inactive: "callback",
  otp_challenge_expired: "code",
  otp_challenge_locked: "code",
  otp_challenge_used: "code",
  otp_rate_limited: "code",
  request_timeout: "service",
  payload_too_large: "size",
  unsupported_media_type: "malformed",
  rate_limit_exceeded: "rate",
  internal_error: "service",
  service_unavailable: "service",
  required: "field",
  invalid_type: "field",
  too_short: "field",
  too_long: "field",
  too_few: "field",
  too_many: "size",
  invalid_format: "field",
  invalid_phone_number: "recipient",
  out_of_range: "field",
  duplicate: "field",
  unknown: "field",
};

/** Of the drop-in protocols, of SMPP and of drafts, where they differ from the API's. */
const byOtherCode: Readonly<Record<string, RefusalReason>> = {
  credential_ended: "key",
  sender_missing: "sender",
  recipient_missing: "recipient",
  recipient_invalid: "recipient",
  not_mobile: "recipient",
  country_not_allowed: "country",
  too_many_messages: "size",
  text_missing: "text",
  text_too_long: "text",
  text_not_clean: "text",
  text_unreadable: "text",
  reference_invalid: "field",
  reference_too_long: "field",
  reference_not_clean: "field",
  schedule_out_of_range: "schedule",
  validity_over: "schedule",
  rate_exceeded: "rate",
  code_limited: "code",
  not_sendable: "not_possible",
  validation_failed: "field",
  key_invalid: "repeat_key",
  key_conflict: "repeat_key",
  callback_refused: "callback",
  malformed: "malformed",
  unavailable: "service",
  defect: "service",
  ESME_RTHROTTLED: "rate",
  ESME_RMSGQFUL: "window",
  ESME_RINVSRCADR: "sender",
  ESME_RINVDSTADR: "recipient",
  ESME_RINVMSGLEN: "text",
  ESME_RINVMSGID: "not_found",
  ESME_RCANCELFAIL: "not_possible",
  ESME_RREPLACEFAIL: "not_possible",
  ESME_RINVBNDSTS: "permission",
  ESME_RALYBND: "malformed",
  ESME_RINVCMDLEN: "malformed",
  ESME_RINVCMDID: "malformed",
  ESME_RINVSERTYP: "malformed",
  ESME_RINVSCHED: "schedule",
  ESME_RINVEXPIRY: "schedule",
  ESME_RINVTLVVAL: "field",
  ESME_RSUBMITFAIL: "field",
  ESME_RSYSERR: "service",
};

const reasons = new Map<string, RefusalReason>(Object.entries({ ...byApiCode, ...byOtherCode }));

/** Null for an unknown code. */
export const refusalReasonOf = (code: string): RefusalReason | null => reasons.get(code) ?? null;
