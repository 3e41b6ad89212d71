/** The migrations of this build, in order, embedded in the binary. */
import spine from "../../migrations/0001_spine.sql" with { type: "text" };
import inbound from "../../migrations/0002_inbound.sql" with { type: "text" };
import webhooks from "../../migrations/0003_webhooks.sql" with { type: "text" };
import groups from "../../migrations/0004_groups_patterns_otp.sql" with { type: "text" };
import countries from "../../migrations/0005_countries.sql" with { type: "text" };
import uncertainAttempts from "../../migrations/0006_uncertain_attempts.sql" with { type: "text" };
import keyAddresses from "../../migrations/0007_key_addresses.sql" with { type: "text" };
import webhookSecretRotation from "../../migrations/0008_webhook_secret_rotation.sql" with { type: "text" };
import receiptIds from "../../migrations/0009_receipt_ids.sql" with { type: "text" };
import installation from "../../migrations/0010_installation.sql" with { type: "text" };
import messageTerms from "../../migrations/0011_message_terms.sql" with { type: "text" };
import rollups from "../../migrations/0012_rollups.sql" with { type: "text" };
import hashKeys from "../../migrations/0013_hash_keys.sql" with { type: "text" };
import keyedFingerprints from "../../migrations/0014_keyed_fingerprints.sql" with { type: "text" };
import resends from "../../migrations/0015_resends.sql" with { type: "text" };
import wallClock from "../../migrations/0016_wall_clock.sql" with { type: "text" };
import webhookHealth from "../../migrations/0017_webhook_health.sql" with { type: "text" };
import searchIndex from "../../migrations/0018_search_index.sql" with { type: "text" };
import audit from "../../migrations/0019_audit.sql" with { type: "text" };
import users from "../../migrations/0020_users.sql" with { type: "text" };
import accountTimeZone from "../../migrations/0021_account_time_zone.sql" with { type: "text" };
import quotas from "../../migrations/0022_quotas.sql" with { type: "text" };
import drainingRoutes from "../../migrations/0023_draining_routes.sql" with { type: "text" };
import templateIds from "../../migrations/0024_template_ids.sql" with { type: "text" };
import suppression from "../../migrations/0025_suppression.sql" with { type: "text" };
import userLook from "../../migrations/0026_user_look.sql" with { type: "text" };
import awaitedReceipts from "../../migrations/0027_awaited_receipts.sql" with { type: "text" };
import testKeys from "../../migrations/0028_test_keys.sql" with { type: "text" };
import routingPlans from "../../migrations/0029_routing_plans.sql" with { type: "text" };
import quietHours from "../../migrations/0030_quiet_hours.sql" with { type: "text" };
import prices from "../../migrations/0031_prices.sql" with { type: "text" };
import carrierCursors from "../../migrations/0032_carrier_cursors.sql" with { type: "text" };
import alerts from "../../migrations/0033_alerts.sql" with { type: "text" };
import erasures from "../../migrations/0034_erasures.sql" with { type: "text" };
import accountRetention from "../../migrations/0035_account_retention.sql" with { type: "text" };
import ledgerReferences from "../../migrations/0036_ledger_references.sql" with { type: "text" };
import refusals from "../../migrations/0037_refusals.sql" with { type: "text" };
import accountNotes from "../../migrations/0038_account_notes.sql" with { type: "text" };
import priceVersions from "../../migrations/0039_price_versions.sql" with { type: "text" };
import targetShares from "../../migrations/0040_target_shares.sql" with { type: "text" };
import searchTimes from "../../migrations/0041_search_times.sql" with { type: "text" };
import failedMessages from "../../migrations/0042_failed_messages.sql" with { type: "text" };
import currency from "../../migrations/0043_currency.sql" with { type: "text" };
import idsComeOnce from "../../migrations/0044_ids_come_once.sql" with { type: "text" };
import credentials from "../../migrations/0045_credentials.sql" with { type: "text" };
import wrongCodes from "../../migrations/0046_wrong_codes.sql" with { type: "text" };
import bookedTime from "../../migrations/0047_booked_time.sql" with { type: "text" };
import priority from "../../migrations/0048_priority.sql" with { type: "text" };
import credentialRequests from "../../migrations/0049_credential_requests.sql" with { type: "text" };
import signingSecrets from "../../migrations/0050_signing_secrets.sql" with { type: "text" };
import messageCallbacks from "../../migrations/0051_message_callbacks.sql" with { type: "text" };
import forwards from "../../migrations/0052_forwards.sql" with { type: "text" };
import campaigns from "../../migrations/0053_campaigns.sql" with { type: "text" };
import callbackQueues from "../../migrations/0054_callback_queues.sql" with { type: "text" };
import alertReceivers from "../../migrations/0055_alert_receivers.sql" with { type: "text" };
import outcomeMinutes from "../../migrations/0056_outcome_minutes.sql" with { type: "text" };
import incompleteMessages from "../../migrations/0057_incomplete_messages.sql" with { type: "text" };
import customerLimits from "../../migrations/0058_customer_limits.sql" with { type: "text" };
import messageStubs from "../../migrations/0059_message_stubs.sql" with { type: "text" };
import plainChecks from "../../migrations/0060_plain_checks.sql" with { type: "text" };
import keyLots from "../../migrations/0061_key_lots.sql" with { type: "text" };
import userTokens from "../../migrations/0062_user_tokens.sql" with { type: "text" };
import colleagues from "../../migrations/0063_colleagues.sql" with { type: "text" };
import waysIn from "../../migrations/0064_ways_in.sql" with { type: "text" };
import messageTlvs from "../../migrations/0065_message_tlvs.sql" with { type: "text" };
import passkeys from "../../migrations/0066_passkeys.sql" with { type: "text" };
import inboundRules from "../../migrations/0067_inbound_rules.sql" with { type: "text" };
import portedNumbers from "../../migrations/0068_ported_numbers.sql" with { type: "text" };
import otpSteps from "../../migrations/0069_otp_steps.sql" with { type: "text" };
import inboundRuleDays from "../../migrations/0070_inbound_rule_days.sql" with { type: "text" };
import otpEndUsers from "../../migrations/0071_otp_end_users.sql" with { type: "text" };
import numberLookup from "../../migrations/0072_number_lookup.sql" with { type: "text" };
import chargedBySource from "../../migrations/0073_charged_by_source.sql" with { type: "text" };
import receiptNumbers from "../../migrations/0074_receipt_numbers.sql" with { type: "text" };

export interface Migration {
  number: number;
  name: string;
  sql: string;
}

export const migrations: readonly Migration[] = [
  { number: 1, name: "spine", sql: spine },
  { number: 2, name: "inbound", sql: inbound },
  { number: 3, name: "webhooks", sql: webhooks },
  { number: 4, name: "groups_patterns_otp", sql: groups },
  { number: 5, name: "countries", sql: countries },
  { number: 6, name: "uncertain_attempts", sql: uncertainAttempts },
  { number: 7, name: "key_addresses", sql: keyAddresses },
  { number: 8, name: "webhook_secret_rotation", sql: webhookSecretRotation },
  { number: 9, name: "receipt_ids", sql: receiptIds },
  { number: 10, name: "installation", sql: installation },
  { number: 11, name: "message_terms", sql: messageTerms },
  { number: 12, name: "rollups", sql: rollups },
  { number: 13, name: "hash_keys", sql: hashKeys },
  { number: 14, name: "keyed_fingerprints", sql: keyedFingerprints },
  { number: 15, name: "resends", sql: resends },
  { number: 16, name: "wall_clock", sql: wallClock },
  { number: 17, name: "webhook_health", sql: webhookHealth },
  { number: 18, name: "search_index", sql: searchIndex },
  { number: 19, name: "audit", sql: audit },
  { number: 20, name: "users", sql: users },
  { number: 21, name: "account_time_zone", sql: accountTimeZone },
  { number: 22, name: "quotas", sql: quotas },
  { number: 23, name: "draining_routes", sql: drainingRoutes },
  { number: 24, name: "template_ids", sql: templateIds },
  { number: 25, name: "suppression", sql: suppression },
  { number: 26, name: "user_look", sql: userLook },
  { number: 27, name: "awaited_receipts", sql: awaitedReceipts },
  { number: 28, name: "test_keys", sql: testKeys },
  { number: 29, name: "routing_plans", sql: routingPlans },
  { number: 30, name: "quiet_hours", sql: quietHours },
  { number: 31, name: "prices", sql: prices },
  { number: 32, name: "carrier_cursors", sql: carrierCursors },
  { number: 33, name: "alerts", sql: alerts },
  { number: 34, name: "erasures", sql: erasures },
  { number: 35, name: "account_retention", sql: accountRetention },
  { number: 36, name: "ledger_references", sql: ledgerReferences },
  { number: 37, name: "refusals", sql: refusals },
  { number: 38, name: "account_notes", sql: accountNotes },
  { number: 39, name: "price_versions", sql: priceVersions },
  { number: 40, name: "target_shares", sql: targetShares },
  { number: 41, name: "search_times", sql: searchTimes },
  { number: 42, name: "failed_messages", sql: failedMessages },
  { number: 43, name: "currency", sql: currency },
  { number: 44, name: "ids_come_once", sql: idsComeOnce },
  { number: 45, name: "credentials", sql: credentials },
  { number: 46, name: "wrong_codes", sql: wrongCodes },
  { number: 47, name: "booked_time", sql: bookedTime },
  { number: 48, name: "priority", sql: priority },
  { number: 49, name: "credential_requests", sql: credentialRequests },
  { number: 50, name: "signing_secrets", sql: signingSecrets },
  { number: 51, name: "message_callbacks", sql: messageCallbacks },
  { number: 52, name: "forwards", sql: forwards },
  { number: 53, name: "campaigns", sql: campaigns },
  { number: 54, name: "callback_queues", sql: callbackQueues },
  { number: 55, name: "alert_receivers", sql: alertReceivers },
  { number: 56, name: "outcome_minutes", sql: outcomeMinutes },
  { number: 57, name: "incomplete_messages", sql: incompleteMessages },
  { number: 58, name: "customer_limits", sql: customerLimits },
  { number: 59, name: "message_stubs", sql: messageStubs },
  { number: 60, name: "plain_checks", sql: plainChecks },
  { number: 61, name: "key_lots", sql: keyLots },
  { number: 62, name: "user_tokens", sql: userTokens },
  { number: 63, name: "colleagues", sql: colleagues },
  { number: 64, name: "ways_in", sql: waysIn },
  { number: 65, name: "message_tlvs", sql: messageTlvs },
  { number: 66, name: "passkeys", sql: passkeys },
  { number: 67, name: "inbound_rules", sql: inboundRules },
  { number: 68, name: "ported_numbers", sql: portedNumbers },
  { number: 69, name: "otp_steps", sql: otpSteps },
  { number: 70, name: "inbound_rule_days", sql: inboundRuleDays },
  { number: 71, name: "otp_end_users", sql: otpEndUsers },
  { number: 72, name: "number_lookup", sql: numberLookup },
  { number: 73, name: "charged_by_source", sql: chargedBySource },
  { number: 74, name: "receipt_numbers", sql: receiptNumbers },
];
