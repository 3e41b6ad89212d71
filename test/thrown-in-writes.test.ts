/**
 * Whatever a write can throw, and who can make it. A write that throws is undone alone, but the rest of its group runs
 * again (`src/store/group-transaction.ts`): what a customer may repeat at will must be returned, or found before.
 */
import { expect, test } from "bun:test";
import { readSource, readSourceTree } from "./support/source-tree.ts";
import { thrownInWrites } from "./support/thrown-in-writes.ts";

/** Judgement first: who can make a write throw this, and how often. */
const judged: Readonly<Record<string, readonly string[]>> = {
  "A customer whose requests race each other: all but the first of one turn. Others are refused before they write.": [
    "src/drop-in/message-callbacks.ts store: ApiError webhook_limit_reached",
    "src/messaging/billing/balance-guard.ts #assertPayable: ApiError balance_exhausted",
    "src/messaging/otp/otp-sender.ts #assertMaySend: ApiError otp_rate_limited",
    "src/messaging/quotas/quota-guard.ts #assertRoom: exceeded",
  ],
  "A customer, and returned by the acceptor: nothing was written yet.": [
    "src/drop-in/keyed-requests.ts #mismatched: ApiError idempotency_key_conflict",
    "src/messaging/messages/accept.ts #replayIn: ApiError api_key_invalid",
    "src/messaging/messages/accept.ts #replayOrRefusal: reason",
    "src/messaging/messages/accept.ts registered: ApiError api_key_invalid",
    "src/messaging/messages/accept.ts registered: ApiError idempotency_key_conflict",
    "src/smpp-server/submit-repeats.ts find: ApiError idempotency_key_conflict",
  ],
  "A customer whose sender or key is taken away while a request is under way; or one that was erased.": [
    "src/messaging/messages/accept.ts rowOf: ApiError sender_not_permitted",
    "src/messaging/otp/otp-challenges.ts #registered: ApiError otp_challenge_not_found",
  ],
  "Caught where it is thrown: no message is sent because of a text from a phone.": [
    "src/messaging/messages/automatic-messages.ts #rowOf: ApiError account_suspended",
    "src/messaging/messages/automatic-messages.ts refusable: reason",
  ],
  "A person at the portal, once per form: each is two entries of the audit, too.": [
    "src/messaging/inbound-rules/rule-service.ts #checked: invalidRequest",
    "src/messaging/inbound-rules/rule-service.ts #rulesOf: OperatorError line_not_found",
    "src/messaging/inbound-rules/rule-service.ts : invalidRequest",
    "src/messaging/inbound-rules/rule-service.ts assertGroup: OperatorError group_not_found",
    "src/messaging/inbound-rules/rule-service.ts present: OperatorError inbound_rule_not_found",
    "src/messaging/directory/account-service.ts : OperatorError key_limit_reached",
    "src/users/user-service.ts #colleague: OperatorError own_role",
    "src/users/user-service.ts #colleague: OperatorError user_not_found",
    "src/users/user-service.ts : OperatorError colleague_limit_reached",
    "src/users/user-service.ts : OperatorError last_admin",
    "src/users/user-service.ts : OperatorError own_role",
    "src/users/user-service.ts : OperatorError provider_role",
    "src/messaging/directory/account-service.ts : OperatorError key_not_found",
    "src/messaging/directory/account-service.ts : OperatorError key_revoked",
    "src/messaging/directory/account-service.ts : OperatorError sender_not_found",
    "src/messaging/directory/credential-service.ts : OperatorError credential_exists",
    "src/messaging/directory/credential-service.ts : OperatorError credential_limit_reached",
    "src/messaging/directory/credential-service.ts : OperatorError credential_not_found",
    "src/messaging/directory/credential-service.ts : OperatorError credential_revoked",
    "src/messaging/directory/credential-service.ts : OperatorError key_not_found",
    "src/messaging/directory/credential-service.ts : OperatorError key_revoked",
    "src/messaging/directory/credential-service.ts accountOf: OperatorError key_not_found",
    "src/messaging/directory/operator-limits.ts refuse: invalidRequest",
    "src/messaging/suppression/suppression-service.ts #numberOf: invalidRequest",
    "src/messaging/suppression/suppression-service.ts : OperatorError suppression_not_found",
    "src/messaging/suppression/suppression-service.ts assertList: OperatorError account_not_found",
    "src/users/user-token-service.ts : OperatorError token_limit_reached",
    "src/users/passkey-service.ts : OperatorError passkey_limit_reached",
    "src/users/passkey-service.ts : OperatorError passkey_not_found",
    "src/users/passkey-service.ts request: OperatorError passkey_not_found",
    "src/users/provider-roles.ts assertMayHaveOwn: OperatorError provider_role",
    "src/users/provider-users.ts : OperatorError identity_taken",
    "src/users/user-token-service.ts : OperatorError token_not_found",
    "src/users/user-token-service.ts : OperatorError token_role",
    "src/users/user-token-service.ts : OperatorError user_disabled",
  ],
  "A person who operates the service, or signs in to it.": [
    "src/inbound/line-service.ts #numberOf: LineRefused line_invalid",
    "src/inbound/line-service.ts insertLine: LineRefused account_not_found",
    "src/inbound/line-service.ts insertLine: LineRefused line_exists",
    "src/inbound/line-service.ts remove: LineRefused line_not_found",
    "src/messaging/billing/balance-service.ts #assertAccount: OperatorError account_not_found",
    "src/messaging/billing/balance-service.ts : OperatorError reference_taken",
    "src/messaging/billing/price-service.ts #list: OperatorError price_list_not_found",
    "src/messaging/billing/price-service.ts setCosts: OperatorError route_not_found",
    "src/messaging/code-reference.ts onlyOne: OperatorError",
    "src/messaging/code-reference.ts onlyOne: OperatorError code_ambiguous",
    "src/messaging/directory/account-service.ts : OperatorError account_not_found",
    "src/messaging/directory/route-limits.ts assertChannel: invalidRequest",
    "src/messaging/directory/route-limits.ts presentRoute: OperatorError route_not_found",
    "src/messaging/directory/route-limits.ts refuseTooLongSender: invalidRequest",
    "src/messaging/directory/route-limits.ts sendingRoute: invalidRequest",
    "src/messaging/directory/route-service.ts #columnsOf: invalidRequest",
    "src/messaging/directory/route-service.ts #refuseCallsOfOther: invalidRequest",
    "src/messaging/directory/route-service.ts : OperatorError last_route",
    "src/messaging/directory/removed-senders.ts assertUnused: OperatorError",
    "src/messaging/directory/route-service.ts : OperatorError route_in_use",
    "src/messaging/directory/route-service.ts : OperatorError route_not_found",
    "src/messaging/directory/route-service.ts insertOrReplace: OperatorError route_exists",
    "src/messaging/directory/route-service.ts refuseUnfitForSenders: invalidRequest",
    "src/messaging/directory/sender-service.ts addSender: invalidRequest",
    "src/messaging/directory/sender-service.ts addSender: OperatorError account_not_found",
    "src/messaging/directory/sender-service.ts addSender: OperatorError sender_exists",
    "src/messaging/directory/sender-service.ts planIdOf: OperatorError plan_not_found",
    "src/messaging/directory/sender-service.ts presentSender: OperatorError account_not_found",
    "src/messaging/directory/sender-service.ts presentSender: OperatorError sender_not_found",
    "src/messaging/groups/group-service.ts : OperatorError account_not_found",
    "src/messaging/groups/group-service.ts : OperatorError group_exists",
    "src/messaging/groups/group-service.ts : OperatorError nothing_to_approve",
    "src/messaging/messages/operator-cancel.ts cancellable: OperatorError message_not_found",
    "src/messaging/messages/operator-cancel.ts cancellable: OperatorError not_cancellable",
    "src/messaging/messages/operator-cancel.ts outcomeOf: reason",
    "src/messaging/messages/resend.ts #reserve: OperatorError not_resendable",
    "src/messaging/messages/resend.ts #reserve: reason",
    "src/messaging/messages/resend.ts assertResendable: OperatorError not_resendable",
    "src/messaging/messages/resend.ts assertResendable: OperatorError resent_already",
    "src/messaging/otp/otp-plans.ts : OperatorError account_not_found",
    "src/messaging/otp/otp-plans.ts : OperatorError pattern_not_found",
    "src/messaging/otp/otp-steps.ts #rowOf: reason",
    "src/messaging/patterns/pattern-service.ts : OperatorError pattern_exists",
    "src/messaging/patterns/pattern-service.ts : OperatorError pattern_not_found",
    "src/messaging/patterns/pattern-service.ts requireAccount: OperatorError account_not_found",
    "src/messaging/patterns/pattern-service.ts requireAccount: OperatorError sender_not_found",
    "src/messaging/quotas/quota-service.ts #assertExists: OperatorError account_not_found",
    "src/messaging/quotas/quota-service.ts #assertExists: OperatorError key_not_found",
    "src/messaging/quotas/quota-service.ts set: OperatorError key_revoked",
    "src/messaging/routing/network-service.ts : OperatorError network_not_found",
    "src/messaging/routing/network-service.ts : invalidLines",
    "src/messaging/routing/plan-service.ts #commit: OperatorError plan_not_found",
    "src/messaging/routing/plan-service.ts #matchOf: invalidRequest",
    "src/messaging/routing/plan-service.ts : OperatorError plan_exists",
    "src/messaging/routing/plan-service.ts : noRule",
    "src/messaging/routing/plan-service.ts presentPlan: OperatorError plan_not_found",
    "src/messaging/routing/plan-service.ts presentRule: noRule",
    "src/messaging/routing/plan-service.ts refuseTooLarge: invalidRequest",
    "src/users/user-service.ts : OperatorError account_not_found",
    "src/users/user-service.ts : OperatorError last_owner",
    "src/users/user-service.ts : OperatorError own_reset",
    "src/users/user-service.ts : OperatorError owner_exists",
    "src/users/user-service.ts : OperatorError user_exists",
    "src/users/user-service.ts existing: OperatorError user_not_found",
    "src/users/provider-users.ts : OperatorError no_provider",
  ],
  "Nobody: a defect, a wrong key file or a damaged database.": [
    "src/domain/phone-number.ts parse: UnknownRegionError",
    "src/domain/template.ts renderTemplate: MissingVariableError",
    "src/domain/text.ts partEnd: NotInAlphabetError",
    "src/domain/tracking-code.ts next: RangeError",
    "src/inbound/join-parts.ts extensionOf: reason",
    "src/messaging/directory/directory.ts accountOf: Error",
    "src/messaging/directory/route-service.ts parseFile: Error A stored route file is no object",
    "src/messaging/messages/accept.ts appendRun: Error",
    "src/messaging/messages/cancel.ts : Error",
    "src/messaging/routing/network-service.ts : Error",
    "src/messaging/suppression/suppression-service.ts present: Error",
    "src/platform/seal.ts open: KeyFileError A sealed secret cannot be opened: the key file is not the one it was sealed with.",
    "src/platform/seal.ts open: KeyFileError A sealed secret has an unknown format.",
    "src/platform/seal.ts opensAll: reason",
    "src/store/campaigns.ts add: Error A campaign was not stored",
    "src/store/columns.ts columnName: Error",
    "src/store/currency.ts keep: Error",
    "src/store/inbound.ts #next: Error",
    "src/store/key-lots.ts append: Error The requests of a lot are too far apart",
    "src/store/ledger.ts #now: Error Nobody has said by which clock the ledger is booked",
    "src/store/messages.ts move: IllegalMove",
    "src/store/orphan-receipts.ts look: Error Orphan receipts are looked for outside of transactions only",
    "src/store/quotas.ts use: Error",
    "src/store/smpp-assemblies.ts open: Error An assembly was not inserted",
    "src/store/staged-runs.ts reserve: Error A reserved run was not returned",
    "src/store/webhooks.ts insert: Error An inserted webhook gave no row",
  ],
  "Nobody: it is caught where the parts of a text from a phone are joined.": [
    "src/domain/gsm7.ts encodeGsm7: NotInAlphabetError",
  ],
  "Nobody: it is thrown around a write, not in it.": [
    "src/users/session-service.ts #seen: reason",
    "src/messaging/messages/accept.ts : outcome",
    "src/messaging/messages/staging.ts #reserve: Error",
    "src/messaging/messages/staging.ts #untilStored: reason",
    "src/messaging/messages/staging.ts : reason",
    "src/smpp-server/segments.ts take: reason",
    "src/smpp-server/segments.ts take: taken",
    "src/webhooks/webhook-service.ts #refusable: outcome",
  ],
};

/** What carries out writes, or copies the file: its methods are named like those of tables. */
const beneath =
  /^src\/(platform\/(durable-file|ported-files)|smpp-server\/field-reader|store\/(backup|checkpoint|direct-file|file-growth|group-commit|group-transaction|log-check|log-frames|log-space|migrator|private-copy|write-ahead-log))\.ts /;

test("the list of errors that a write may throw is complete, and contains no other", () => {
  const found = [...thrownInWrites(readSourceTree())].filter((one) => !beneath.test(one));
  expect(found.sort()).toEqual(Object.values(judged).flat().sort());
});

test("a throw is found in a write, in a listener, in their callees, and through callbacks", () => {
  const used = `export function reserve(room: number) { if (room < 1) throw new Full("no_room"); }
    export class Guard { reserve(tables: Tables) { this.#assert(tables); } #assert() { throw new Full("guarded"); } }`;
  const using = `import { reserve } from "./room.ts";
    store.write(({ rooms }) => { rooms.forEach(() => reserve(1)); });
    store.onStatus((message) => { throw new Heard(message); });
    export const outside = () => { throw new Error("outside"); };`;
  const found = thrownInWrites([readSource("src/room.ts", used), readSource("src/use.ts", using)]);
  expect([...found].sort()).toEqual([
    "src/room.ts #assert: Full guarded",
    "src/room.ts reserve: Full no_room",
    "src/use.ts : Heard",
  ]);
});
