/**
 * What the erasure of a recipient does to each table that holds texts or octets. A test compares it with the schema: a new table
 * must say here what it may hold of a recipient.
 */

/**
 * `blanked`, `removed`: the rows of the recipient. `hashed`: kept as a keyed hash. `replaced`: the number inside of texts. `expires`:
 * gone by itself within three days. `none`: it holds nothing of recipients.
 */
export type ErasureTreatment = "blanked" | "removed" | "hashed" | "replaced" | "expires" | "none";

export const personalData: Readonly<Record<string, ErasureTreatment>> = {
  message: "blanked",
  timeline: "removed",
  // The carrier's id of a part.
  part: "none",
  orphan_receipt: "removed",
  request: "replaced",
  request_index_secret: "none",
  search_page: "removed",
  event: "removed",
  delivery: "none",
  attempt: "removed",
  inbound: "removed",
  inbound_assembly: "removed",
  inbound_part: "removed",
  // Keyed by what came; forgotten after three days.
  inbound_seen: "expires",
  group_member: "removed",
  otp_send: "removed",
  otp_range: "none",
  suppression_addition: "removed",
  erased_suppression: "hashed",
  erasure: "hashed",
  audit_entry: "replaced",
  account: "none",
  api_key: "none",
  credential: "none",
  // Ids and keyed hashes; the message has the number.
  smpp_submit: "none",
  smpp_assembly: "removed",
  smpp_segment: "removed",
  credential_delivery: "none",
  route: "none",
  sender: "none",
  line: "none",
  approved_group: "none",
  member_list: "none",
  pattern: "none",
  approval: "none",
  message_template: "none",
  webhook: "none",
  hash_key: "none",
  installation: "none",
  rollup: "none",
  plan: "none",
  plan_rule: "none",
  network: "none",
  network_range: "none",
  quota: "none",
  currency: "none",
  price_list: "none",
  price_line: "none",
  account_billing: "none",
  ledger: "none",
  carrier_cursor: "none",
  alert_state: "none",
  refusal: "none",
  console_user: "none",
  recovery_code: "none",
  setup_link: "none",
  session: "none",
};
