/** The registry of the public API's errors: one row per code, with its HTTP status and meaning. */

export const apiErrors = {
  malformed_json: { status: 400, meaning: "The body is not valid JSON in UTF-8." },
  validation_failed: { status: 400, meaning: "One or more fields are wrong; `errors` names each." },
  idempotency_key_required: { status: 400, meaning: "This operation needs an Idempotency-Key header." },
  idempotency_key_invalid: {
    status: 400,
    meaning: "The Idempotency-Key is longer than 100 characters, not printable ASCII, or there twice.",
  },
  unknown_variable: { status: 400, meaning: "The text uses a variable that does not exist." },
  personalisation_unavailable: { status: 400, meaning: "Some members lack a value for a variable of the text." },
  api_key_required: { status: 401, meaning: "The X-API-Key header is missing." },
  api_key_invalid: { status: 401, meaning: "The API key is unknown, revoked, expired or disabled." },
  permission_denied: { status: 403, meaning: "The key lacks the permission that this operation needs." },
  sender_not_permitted: { status: 403, meaning: "The sender is not an active sender of the account." },
  account_suspended: { status: 403, meaning: "The account is suspended." },
  quota_exceeded: {
    status: 403,
    meaning:
      "The account or the key has sent what it may in a day or a month; `Retry-After` says when the next one begins.",
  },
  balance_exhausted: { status: 403, meaning: "The account's balance does not cover the request." },
  not_found: { status: 404, meaning: "No such path." },
  message_not_found: { status: 404, meaning: "The account has no message with this tracking code." },
  group_not_found: { status: 404, meaning: "The account has no group with this code." },
  pattern_not_found: { status: 404, meaning: "The account has no pattern with this code." },
  webhook_not_found: { status: 404, meaning: "The account has no webhook with this id." },
  otp_challenge_not_found: { status: 404, meaning: "The account has no challenge with this id." },
  method_not_allowed: {
    status: 405,
    meaning: "The path does not take this method; `Allow` lists those that it takes.",
  },
  message_not_cancellable: { status: 409, meaning: "The message is past the stage in which it can be cancelled." },
  group_not_sendable: { status: 409, meaning: "The group is not approved, or is suspended, or is empty." },
  pattern_not_sendable: { status: 409, meaning: "The pattern is not approved or not active." },
  idempotency_key_conflict: { status: 409, meaning: "The Idempotency-Key already stands for another operation." },
  webhook_limit_reached: { status: 409, meaning: "The account has as many webhooks as it may have." },
  webhook_inactive: { status: 409, meaning: "The webhook is not active." },
  otp_challenge_expired: { status: 409, meaning: "The challenge has expired or was replaced by a newer one." },
  otp_challenge_locked: { status: 409, meaning: "The challenge was answered wrongly too often." },
  otp_challenge_used: { status: 409, meaning: "The challenge has been verified already." },
  request_timeout: { status: 408, meaning: "The body did not arrive in time." },
  payload_too_large: { status: 413, meaning: "The body is larger than the operation takes." },
  unsupported_media_type: { status: 415, meaning: "The body must be application/json without a Content-Encoding." },
  rate_limit_exceeded: { status: 429, meaning: "Too many requests; `Retry-After` says when to go on." },
  otp_rate_limited: {
    status: 429,
    meaning: "Too many one-time passwords for this recipient; `Retry-After` says when to go on.",
  },
  internal_error: {
    status: 500,
    meaning: "A defect of the service; the correlation id helps its operator to find it.",
  },
  service_unavailable: {
    status: 503,
    meaning: "The service cannot store anything right now; retry with the same Idempotency-Key.",
  },
} as const satisfies Record<string, { status: number; meaning: string }>;

export type ApiErrorCode = keyof typeof apiErrors;

/** Codes for a problem with a single field. */
export const fieldCodes = [
  "required",
  "invalid_type",
  "too_short",
  "too_long",
  "too_few",
  "too_many",
  "invalid_format",
  "invalid_phone_number",
  "out_of_range",
  "duplicate",
  "unknown",
] as const;
export type FieldCode = (typeof fieldCodes)[number];

export interface FieldProblem {
  /** A path such as `messages[3].recipient`. */
  field: string;
  code: FieldCode;
  message: string;
}

/** Thrown wherever a request cannot be served; one mapper turns it into the contract's response. */
export class ApiError extends Error {
  readonly code: ApiErrorCode;
  readonly problems: readonly FieldProblem[];
  /** Whole seconds after which a retry makes sense (429, 503, a quota). */
  readonly retryAfterSeconds: number | null;
  /** The sender that is not permitted; otherwise empty. */
  readonly sender: string;

  constructor(
    code: ApiErrorCode,
    options: {
      message?: string;
      problems?: readonly FieldProblem[];
      retryAfterSeconds?: number;
      sender?: string;
    } = {},
  ) {
    super(options.message ?? apiErrors[code].meaning);
    this.name = "ApiError";
    this.code = code;
    this.problems = options.problems ?? [];
    this.retryAfterSeconds = options.retryAfterSeconds ?? null;
    this.sender = options.sender ?? "";
  }
}

/** One or more fields are wrong. */
export function invalid(problems: readonly FieldProblem[]): ApiError {
  return new ApiError("validation_failed", { problems });
}
