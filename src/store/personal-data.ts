/**
 * How erasing a recipient treats each table that holds texts or octets. A test compares this with the schema: a new
 * table must be listed here with what it may hold about a recipient.
 */

/**
 * `blanked`, `removed`: the recipient's rows. `hashed`: kept as a keyed hash. `replaced`: the number inside texts.
 * `expires`: deleted by itself within three days. `none`: holds nothing about recipients.
 */
export type ErasureTreatment = "blanked" | "removed" | "hashed" | "replaced" | "expires" | "none";

export const personalData: Readonly<Record<string, ErasureTreatment>> = {
  message: "blanked",
  // The Send result, without recipient and text.
  message_stub: "none",
  timeline: "removed",
  // The carrier's id of a part.
  part: "none",
  orphan_receipt: "removed",
  request: "replaced",
  request_index_secret: "none",
  // Keyed hashes of Idempotency-Keys.
  key_lot: "none",
  key_block: "none",
  search_page: "removed",
  event: "removed",
  delivery: "none",
  attempt: "removed",
  inbound: "removed",
  inbound_assembly: "removed",
  inbound_part: "removed",
  // Keyed by content; deleted after three days.
  inbound_seen: "expires",
  // Conditions and texts of customers, and where they forward to.
  inbound_rule: "none",
  inbound_rule_day: "none",
  // A number, forgotten after a day.
  inbound_answer: "expires",
  // Until they are done, which takes seconds, or minutes while a list is being sent to.
  group_change: "expires",
  // A tracking code, and an address of the account.
  inbound_mail: "none",
  group_member: "removed",
  otp_send: "removed",
  otp_range: "none",
  otp_plan: "none",
  // With the row of otp_send that it belongs to.
  otp_sequence: "removed",
  otp_end_user: "removed",
  suppression_addition: "removed",
  erased_suppression: "hashed",
  erasure: "hashed",
  audit_entry: "replaced",
  account: "none",
  api_key: "none",
  credential: "none",
  // Ids and keyed hashes; the number is in the message.
  smpp_submit: "none",
  smpp_assembly: "removed",
  smpp_segment: "removed",
  credential_delivery: "none",
  // Names that customers give their campaigns.
  campaign: "none",
  // Keyed hashes, and message ids.
  credential_request: "none",
  route: "none",
  sender: "none",
  line: "none",
  approved_group: "none",
  member_list: "none",
  pattern: "none",
  approval: "none",
  message_template: "none",
  message_tlvs: "removed",
  webhook: "none",
  message_callback: "removed",
  hash_key: "none",
  installation: "none",
  rollup: "none",
  plan: "none",
  plan_rule: "none",
  network: "none",
  network_range: "none",
  // The numbers are in a file, as whoever gave it published them.
  ported_table: "none",
  // The service that is asked for the networks of numbers, and its secrets.
  number_lookup: "none",
  quota: "none",
  currency: "none",
  price_list: "none",
  price_line: "none",
  account_billing: "none",
  ledger: "none",
  carrier_cursor: "none",
  alert_state: "none",
  alert_receiver: "none",
  refusal: "none",
  console_user: "none",
  balance_watch: "none",
  // What customers write about a sender that they ask for.
  sender_request: "none",
  recovery_code: "none",
  setup_link: "none",
  session: "none",
  user_token: "none",
  user_identity: "none",
  passkey: "none",
};
