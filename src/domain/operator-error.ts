/** Every refusal of the operator API, with its HTTP status and its meaning in English. */
import { sentenceOf } from "./coded.ts";
import { type ErrorDetail, englishDetails } from "./error-detail.ts";
import { type OperatorProblem, problemLine } from "./operator-problem.ts";

export type { OperatorProblem } from "./operator-problem.ts";

export const operatorErrors = {
  invalid: { status: 400, meaning: "Something in the request is wrong; `problems` names each." },
  account_not_found: { status: 404, meaning: "There is no such account." },
  key_not_found: { status: 404, meaning: "There is no such key." },
  sender_not_found: { status: 404, meaning: "The account has no such sender." },
  route_not_found: { status: 404, meaning: "There is no such route." },
  plan_not_found: { status: 404, meaning: "There is no such routing plan." },
  plan_rule_not_found: { status: 404, meaning: "The plan has no such rule." },
  network_not_found: { status: 404, meaning: "There is no such network among those that were added." },
  ported_file_not_found: {
    status: 404,
    meaning: "There is no table of ported numbers by this sum in the data folder.",
  },
  number_lookup_not_set: { status: 404, meaning: "Nobody is asked for the networks of numbers." },
  message_not_found: { status: 404, meaning: "There is no message with this tracking code." },
  group_not_found: { status: 404, meaning: "There is no such group." },
  pattern_not_found: { status: 404, meaning: "There is no such pattern." },
  backup_not_found: { status: 404, meaning: "There is no such copy." },
  backup_busy: { status: 409, meaning: "A copy is being made or checked. Wait until that has ended." },
  line_not_found: { status: 404, meaning: "There is no such line." },
  inbound_rule_not_found: { status: 404, meaning: "The line has no such rule." },
  inbound_not_found: { status: 404, meaning: "There is no received message with this tracking code." },
  price_list_not_found: { status: 404, meaning: "There is no such price list." },
  price_not_found: { status: 404, meaning: "The list has no such price." },
  webhook_not_found: { status: 404, meaning: "There is no such webhook, or it is not active." },
  webhook_limit_reached: { status: 409, meaning: "The account has five webhooks, and may have no more." },
  webhook_inactive: { status: 409, meaning: "The webhook is switched off. Switch it on first." },
  event_not_found: { status: 404, meaning: "There is no such event; events are kept for a while only." },
  user_not_found: { status: 404, meaning: "There is no such user." },
  token_not_found: { status: 404, meaning: "There is no such token, or it has been revoked." },
  passkey_not_found: { status: 404, meaning: "There is no such passkey, or it has been removed." },
  confirmation_not_found: {
    status: 404,
    meaning: "There is no such change to confirm: it has ended, or its token has.",
  },
  body_too_large: { status: 413, meaning: "The body of the request is too large." },
  body_too_slow: { status: 408, meaning: "The body of the request came too slowly." },
  confirmations_full: { status: 429, meaning: "As many changes as may wait for a person's confirmation do." },
  operation_not_allowed: { status: 403, meaning: "This token may not do that." },
  token_role: { status: 403, meaning: "A token has its user's role, or a lesser one." },
  token_frees: { status: 403, meaning: "Only an owner can let a token do this without a person's confirmation." },
  user_disabled: { status: 409, meaning: "The user is disabled." },
  token_limit_reached: { status: 409, meaning: "The user has fifty tokens, and may have no more. Revoke one first." },
  passkey_limit_reached: { status: 409, meaning: "You have twenty passkeys, and may have no more. Remove one first." },
  suppression_not_found: { status: 404, meaning: "The number is not on this list." },
  campaign_not_found: { status: 404, meaning: "There is no such campaign." },
  credential_not_found: { status: 404, meaning: "There is no such credential." },
  key_limit_reached: {
    status: 409,
    meaning: "The account has as many keys as your provider allows it. Revoke one first.",
  },
  credential_limit_reached: {
    status: 409,
    meaning: "The account has as many credentials as your provider allows it. Revoke one first.",
  },
  credential_exists: { status: 409, meaning: "There is a credential of this kind and name already." },
  credential_revoked: { status: 409, meaning: "The credential was revoked, and a revoked one stays so." },
  not_found: { status: 404, meaning: "The operator API has no such path." },
  key_revoked: { status: 409, meaning: "The key was revoked, and a revoked key stays so." },
  user_exists: { status: 409, meaning: "There is a user of this name already." },
  owner_exists: { status: 409, meaning: "An owner has a password already. A lost one: peyk user reset NAME" },
  last_owner: { status: 409, meaning: "It is the only owner. Add another one first: peyk user add NAME --role owner" },
  own_reset: {
    status: 409,
    meaning:
      "You cannot reset yourself. Change your password in your settings, or ask another owner. On the server: peyk user reset NAME",
  },
  no_portal: { status: 409, meaning: "No portal is served: set portal_listen." },
  no_portal_user: { status: 409, meaning: "The user is no customer, or is disabled: only customers enter the portal." },
  own_role: { status: 409, meaning: "You cannot change what you yourself may do. Ask another administrator." },
  no_provider: { status: 409, meaning: "No single sign-on is set up where this user signs in: see oidc.issuer." },
  identity_taken: { status: 409, meaning: "This person of the provider is another user here. Unlink that one first." },
  provider_role: {
    status: 409,
    meaning:
      "What this user may do comes from the provider: it is changed there, and passkeys and tokens need oidc.passkeys.",
  },
  last_admin: { status: 409, meaning: "It is the only administrator of the account. Make another one first." },
  colleague_limit_reached: {
    status: 409,
    meaning: "The account has as many people as it may have, counting those who were removed.",
  },
  invitation_limit_reached: { status: 429, meaning: "Too many invitations and addresses for one day. Go on tomorrow." },
  sender_request_limit_reached: { status: 409, meaning: "Ten requests wait already. Wait for an answer first." },
  sender_request_answered: { status: 409, meaning: "It has been answered already." },
  sender_request_not_found: { status: 404, meaning: "There is no such request." },
  mail_not_set: { status: 409, meaning: "No mail server is set, so nothing can be told by mail." },
  sandbox_off: {
    status: 409,
    meaning:
      "Test keys need the setting sandbox.enabled, and the simulator route named sandbox that a start with it adds.",
  },
  sender_exists: { status: 409, meaning: "The account has this sender already." },
  line_exists: { status: 409, meaning: "The line belongs to an account already." },
  route_exists: { status: 409, meaning: "There is a route of this name already." },
  plan_exists: { status: 409, meaning: "There is a routing plan of this name already." },
  plan_in_use: { status: 409, meaning: "Senders use this routing plan." },
  route_in_use: { status: 409, meaning: "Senders use this route." },
  group_exists: { status: 409, meaning: "The account has a group of this code already." },
  pattern_exists: {
    status: 409,
    meaning: "The account has a pattern of this code that was approved already. Give the new text a code of its own.",
  },
  suppression_import_running: {
    status: 409,
    meaning: "Another import of numbers is going on. Try again when it has ended.",
  },
  traces_busy: { status: 409, meaning: "As many traces as may run at once do. Try again when one has ended." },
  erasure_running: { status: 409, meaning: "Another erasure is going on. Try again when it has ended." },
  code_ambiguous: { status: 409, meaning: "Several accounts have this code: say which account is meant." },
  nothing_to_approve: { status: 409, meaning: "It is already approved. Import members first to approve a new list." },
  certificate_unusable: { status: 409, meaning: "The certificate's files cannot be used; the old one is served on." },
  last_route: { status: 409, meaning: "It is the only route. Add another one first, or disable it." },
  not_cancellable: { status: 409, meaning: "It was handed to a route before, or is final." },
  not_resendable: { status: 409, meaning: "Only a message that failed is sent again." },
  resent_already: { status: 409, meaning: "It was sent again before." },
  send_refused: { status: 409, meaning: "The account may not send this." },
  reference_taken: { status: 409, meaning: "The account has another top-up or correction of this reference." },
  price_list_incomplete: {
    status: 409,
    meaning:
      "The list has no price for every number yet. Add one with the prefix *, which counts where no longer one does.",
  },
  price_list_charges: {
    status: 409,
    meaning:
      "Accounts are charged by the list, so it keeps a price for every number. Set another one with the prefix *, or charge them by another list first.",
  },
  no_alert_channel: {
    status: 409,
    meaning: "The settings name no such channel for alerts; they stand under [alerts] in peyk.toml.",
  },
  no_next_secret: {
    status: 409,
    meaning: "No new secret waits to sign. Make one first: peyk webhook rotate-secret ID",
  },
  store_unavailable: {
    status: 503,
    meaning: "The store cannot write right now; nothing was changed. See: peyk doctor",
  },
  internal_error: { status: 500, meaning: "A defect of the service; its log says more." },
} as const satisfies Record<string, { status: number; meaning: string }>;

export type OperatorErrorCode = keyof typeof operatorErrors;

/** Thrown wherever an operator's request cannot be served. */
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

/** All problems of an invalid request, a line each. */
export function refusalText({ code, detail, problems }: Pick<OperatorError, "code" | "detail" | "problems">): string {
  if (detail !== null) return sentenceOf(detail, englishDetails);
  return problems.length === 0 ? operatorErrors[code].meaning : problems.map(problemLine).join("\n");
}
