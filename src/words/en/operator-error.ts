/** English: refusals of the operator API. */
import type { OperatorError, OperatorErrorCode } from "../../domain/operator-error.ts";
import { detailText, englishDetails } from "./error-detail.ts";
import { problemLine } from "./operator-problem.ts";

export const englishErrors: Readonly<Record<OperatorErrorCode, string>> = {
  invalid: "Something in the request is wrong; `problems` names each.",
  account_not_found: "There is no such account.",
  key_not_found: "There is no such key.",
  sender_not_found: "The account has no such sender.",
  route_not_found: "There is no such route.",
  plan_not_found: "There is no such routing plan.",
  plan_rule_not_found: "The plan has no such rule.",
  network_not_found: "There is no such network among those that were added.",
  message_not_found: "There is no message with this tracking code.",
  group_not_found: "There is no such group.",
  pattern_not_found: "There is no such pattern.",
  backup_not_found: "There is no such copy.",
  backup_busy: "A copy is being made or checked. Wait until that has ended.",
  line_not_found: "There is no such line.",
  inbound_not_found: "There is no received message with this tracking code.",
  price_list_not_found: "There is no such price list.",
  price_not_found: "The list has no such price.",
  webhook_not_found: "There is no such webhook, or it is not active.",
  webhook_limit_reached: "The account has five webhooks, and may have no more.",
  webhook_inactive: "The webhook is switched off. Switch it on first.",
  event_not_found: "There is no such event; events are kept for a while only.",
  user_not_found: "There is no such user.",
  token_not_found: "There is no such token, or it has been revoked.",
  confirmation_not_found: "There is no such change to confirm: it has ended, or its token has.",
  body_too_large: "The body of the request is too large.",
  body_too_slow: "The body of the request came too slowly.",
  confirmations_full: "As many changes as may wait for a person's confirmation do.",
  operation_not_allowed: "This token may not do that.",
  token_role: "A token has its user's role, or a lesser one.",
  token_frees: "Only an owner can let a token do this without a person's confirmation.",
  user_disabled: "The user is disabled.",
  token_limit_reached: "The user has fifty tokens, and may have no more. Revoke one first.",
  suppression_not_found: "The number is not on this list.",
  campaign_not_found: "There is no such campaign.",
  credential_not_found: "There is no such credential.",
  key_limit_reached: "The account has as many keys as your provider allows it. Revoke one first.",
  credential_limit_reached: "The account has as many credentials as your provider allows it. Revoke one first.",
  credential_exists: "There is a credential of this kind and name already.",
  credential_revoked: "The credential was revoked, and a revoked one stays so.",
  not_found: "The operator API has no such path.",
  key_revoked: "The key was revoked, and a revoked key stays so.",
  user_exists: "There is a user of this name already.",
  owner_exists: "An owner has a password already. A lost one: peyk user reset NAME",
  last_owner: "It is the only owner. Add another one first: peyk user add NAME --role owner",
  own_reset:
    "You cannot reset yourself. Change your password in your settings, or ask another owner. On the server: peyk user reset NAME",
  sandbox_off:
    "Test keys need the setting sandbox.enabled, and the simulator route named sandbox that a start with it adds.",
  sender_exists: "The account has this sender already.",
  line_exists: "The line belongs to an account already.",
  route_exists: "There is a route of this name already.",
  plan_exists: "There is a routing plan of this name already.",
  plan_in_use: "Senders use this routing plan.",
  route_in_use: "Senders use this route.",
  group_exists: "The account has a group of this code already.",
  pattern_exists:
    "The account has a pattern of this code that was approved already. Give the new text a code of its own.",
  suppression_import_running: "Another import of numbers is going on. Try again when it has ended.",
  traces_busy: "As many traces as may run at once do. Try again when one has ended.",
  erasure_running: "Another erasure is going on. Try again when it has ended.",
  code_ambiguous: "Several accounts have this code: say which account is meant.",
  nothing_to_approve: "It is already approved. Import members first to approve a new list.",
  certificate_unusable: "The certificate's files cannot be used; the old one is served on.",
  last_route: "It is the only route. Add another one first, or disable it.",
  not_cancellable: "It was handed to a route before, or is final.",
  not_resendable: "Only a message that failed is sent again.",
  resent_already: "It was sent again before.",
  send_refused: "The account may not send this.",
  reference_taken: "The account has another top-up or correction of this reference.",
  price_list_incomplete:
    "The list has no price for every number yet. Add one with the prefix *, which counts where no longer one does.",
  price_list_charges:
    "Accounts are charged by the list, so it keeps a price for every number. Set another one with the prefix *, or charge them by another list first.",
  no_alert_channel: "The settings name no such channel for alerts; they stand under [alerts] in peyk.toml.",
  no_next_secret: "No new secret waits to sign. Make one first: peyk webhook rotate-secret ID",
  store_unavailable: "The store cannot write right now; nothing was changed. See: peyk doctor",
  internal_error: "A defect of the service; its log says more.",
};

/** All problems of an invalid request, a line each. */
export function refusalText({ code, detail, problems }: Pick<OperatorError, "code" | "detail" | "problems">): string {
  if (detail !== null) return detailText(detail, englishDetails);
  return problems.length === 0 ? englishErrors[code] : problems.map(problemLine).join("\n");
}
