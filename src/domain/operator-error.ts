/** Every refusal of the operator API, with its HTTP status. */
import type { ErrorDetail } from "./error-detail.ts";
import type { OperatorProblem } from "./operator-problem.ts";

export type { OperatorProblem } from "./operator-problem.ts";

export const operatorErrors = {
  invalid: { status: 400 },
  account_not_found: { status: 404 },
  key_not_found: { status: 404 },
  sender_not_found: { status: 404 },
  route_not_found: { status: 404 },
  plan_not_found: { status: 404 },
  plan_rule_not_found: { status: 404 },
  network_not_found: { status: 404 },
  message_not_found: { status: 404 },
  group_not_found: { status: 404 },
  pattern_not_found: { status: 404 },
  backup_not_found: { status: 404 },
  backup_busy: { status: 409 },
  line_not_found: { status: 404 },
  inbound_not_found: { status: 404 },
  price_list_not_found: { status: 404 },
  price_not_found: { status: 404 },
  webhook_not_found: { status: 404 },
  webhook_limit_reached: { status: 409 },
  webhook_inactive: { status: 409 },
  event_not_found: { status: 404 },
  user_not_found: { status: 404 },
  token_not_found: { status: 404 },
  passkey_not_found: { status: 404 },
  confirmation_not_found: { status: 404 },
  body_too_large: { status: 413 },
  body_too_slow: { status: 408 },
  confirmations_full: { status: 429 },
  operation_not_allowed: { status: 403 },
  token_role: { status: 403 },
  token_frees: { status: 403 },
  user_disabled: { status: 409 },
  token_limit_reached: { status: 409 },
  passkey_limit_reached: { status: 409 },
  suppression_not_found: { status: 404 },
  campaign_not_found: { status: 404 },
  credential_not_found: { status: 404 },
  key_limit_reached: { status: 409 },
  credential_limit_reached: { status: 409 },
  credential_exists: { status: 409 },
  credential_revoked: { status: 409 },
  not_found: { status: 404 },
  key_revoked: { status: 409 },
  user_exists: { status: 409 },
  owner_exists: { status: 409 },
  last_owner: { status: 409 },
  own_reset: { status: 409 },
  no_portal: { status: 409 },
  no_portal_user: { status: 409 },
  own_role: { status: 409 },
  no_provider: { status: 409 },
  identity_taken: { status: 409 },
  provider_role: { status: 409 },
  last_admin: { status: 409 },
  colleague_limit_reached: { status: 409 },
  invitation_limit_reached: { status: 429 },
  sender_request_limit_reached: { status: 409 },
  sender_request_answered: { status: 409 },
  sender_request_not_found: { status: 404 },
  mail_not_set: { status: 409 },
  sandbox_off: { status: 409 },
  sender_exists: { status: 409 },
  line_exists: { status: 409 },
  route_exists: { status: 409 },
  plan_exists: { status: 409 },
  plan_in_use: { status: 409 },
  route_in_use: { status: 409 },
  group_exists: { status: 409 },
  pattern_exists: { status: 409 },
  suppression_import_running: { status: 409 },
  traces_busy: { status: 409 },
  erasure_running: { status: 409 },
  code_ambiguous: { status: 409 },
  nothing_to_approve: { status: 409 },
  certificate_unusable: { status: 409 },
  last_route: { status: 409 },
  not_cancellable: { status: 409 },
  not_resendable: { status: 409 },
  resent_already: { status: 409 },
  send_refused: { status: 409 },
  reference_taken: { status: 409 },
  price_list_incomplete: { status: 409 },
  price_list_charges: { status: 409 },
  no_alert_channel: { status: 409 },
  no_next_secret: { status: 409 },
  store_unavailable: { status: 503 },
  internal_error: { status: 500 },
} as const satisfies Record<string, { status: number }>;

export type OperatorErrorCode = keyof typeof operatorErrors;

/** Thrown wherever an operator's request cannot be served. `src/words` says what a code means. */
export class OperatorError extends Error {
  readonly code: OperatorErrorCode;
  /** More exact than the meaning of the code. */
  readonly detail: ErrorDetail | null;
  readonly problems: readonly OperatorProblem[];

  constructor(code: OperatorErrorCode, detail: ErrorDetail | null = null, problems: readonly OperatorProblem[] = []) {
    super(detail === null ? code : `${code}: ${detail.code}`);
    this.name = "OperatorError";
    this.code = code;
    this.detail = detail;
    this.problems = problems;
  }
}

/** Several fields may be wrong at once. */
export function invalidRequest(problems: readonly OperatorProblem[]): OperatorError {
  return new OperatorError("invalid", null, problems);
}
