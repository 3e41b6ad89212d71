/** Every refusal of the operator API: one row per code, with its HTTP status and meaning. */

import type { OperatorProblem } from "./operator-problem.ts";

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
  message_not_found: { status: 404, meaning: "There is no message with this tracking code." },
  group_not_found: { status: 404, meaning: "There is no such group." },
  pattern_not_found: { status: 404, meaning: "There is no such pattern." },
  backup_not_found: { status: 404, meaning: "There is no such copy." },
  backup_busy: { status: 409, meaning: "A copy is being made or checked. Wait until that has ended." },
  line_not_found: { status: 404, meaning: "There is no such line." },
  inbound_not_found: { status: 404, meaning: "There is no received message with this tracking code." },
  price_list_not_found: { status: 404, meaning: "There is no such price list." },
  price_not_found: { status: 404, meaning: "The list has no such price." },
  webhook_not_found: { status: 404, meaning: "There is no such webhook, or it is not active." },
  webhook_limit_reached: { status: 409, meaning: "The account has five webhooks, and may have no more." },
  webhook_inactive: { status: 409, meaning: "The webhook is switched off. Switch it on first." },
  event_not_found: { status: 404, meaning: "There is no such event; events are kept for a while only." },
  user_not_found: { status: 404, meaning: "There is no such user." },
  suppression_not_found: { status: 404, meaning: "The number is not on this list." },
  campaign_not_found: { status: 404, meaning: "There is no such campaign." },
  credential_not_found: { status: 404, meaning: "There is no such credential." },
  credential_exists: { status: 409, meaning: "There is a credential of this kind and name already." },
  credential_revoked: { status: 409, meaning: "The credential was revoked, and a revoked one stays so." },
  not_found: { status: 404, meaning: "The operator API has no such path." },
  key_revoked: { status: 409, meaning: "The key was revoked, and a revoked key stays so." },
  user_exists: { status: 409, meaning: "There is a user of this name already." },
  owner_exists: {
    status: 409,
    meaning: "An owner has a password already. A lost one: peyk user reset NAME",
  },
  last_owner: { status: 409, meaning: "It is the only owner. Add another one first: peyk user add NAME --role owner" },
  own_reset: {
    status: 409,
    meaning:
      "You cannot reset yourself. Change your password in your settings, or ask another owner. On the server: peyk user reset NAME",
  },
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
  nothing_to_approve: {
    status: 409,
    meaning: "It is approved as it stands. Import members first to approve a new list.",
  },
  certificate_unusable: { status: 409, meaning: "The certificate's files cannot be used; the old one is served on." },
  last_route: { status: 409, meaning: "It is the only route. Add another one first, or disable it." },
  not_cancellable: { status: 409, meaning: "It was handed to a route before, or is final." },
  not_resendable: { status: 409, meaning: "Only a message that failed is sent again." },
  resent_already: { status: 409, meaning: "It was sent again before." },
  send_refused: { status: 409, meaning: "The account may not send this." },
  reference_taken: {
    status: 409,
    meaning: "The account has another top-up or correction of this reference.",
  },
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
  readonly problems: readonly OperatorProblem[];

  constructor(code: OperatorErrorCode, message?: string, problems: readonly OperatorProblem[] = []) {
    super(message ?? operatorErrors[code].meaning);
    this.name = "OperatorError";
    this.code = code;
    this.problems = problems;
  }
}

/** Several fields may be wrong at once; the message contains all of them. */
export function invalidRequest(problems: readonly OperatorProblem[]): OperatorError {
  return new OperatorError("invalid", problems.map(problemLine).join("\n"), problems);
}

/** An empty key means the request or file as a whole. */
export function problemLine({ key, message }: OperatorProblem): string {
  return key === "" ? message : `${key}: ${message}`;
}
