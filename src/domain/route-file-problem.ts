/** Problems specific to the keys of a route's file, and their values. They are codes of an operator's problem. */

interface Most {
  max: number;
}

/** The values in each sentence. */
export interface RouteFileProblemValues {
  same_host: object;
  password_twice: object;
  password_unread: object;
  address_rules: Most;
  equals_or_prefix: object;
  entries_max: Most & { what: "conditions" | "fields" | "parameters" };
  tag_name: object;
  /** `name`: of the parameter. */
  tag_own: { name: string };
  tag_of_smsc: { name: string };
  tag_of_standard: object;
  tags_passed: { max: number };
  tag_value: object;
  octets_max: Most;
  /** `known`: those the key accepts, in braces. */
  placeholder_of_tag: { name: string; known: readonly string[] };
  /** `meant`: the placeholder that was probably meant. */
  unknown_placeholder: { name: string; meant: string | null };
  /** `changed`: the keys that make the file send its secrets elsewhere. */
  secret_again: { changed: readonly string[] };
  /** `key`: the one that was given alone. */
  required_beside: { key: string };
  file_unreadable: { file: string; reason: string };
  file_without_certificate: { file: string };
  certificate_damaged: { file: string };
  /** `reason`: the certificate parser's message. */
  client_certificate: { reason: string };
  table_cells: object;
  table_hole: { missing: readonly string[] };
  table_twice: { cell: string };
  caller_addresses: Most;
  signature_place: object;
  signature_pieces: Most;
  signature_piece: object;
  method_without_body: object;
  request_url: object;
  base_url: object;
  own_url: object;
  callback_url: object;
  callback_secret_missing: object;
  callback_secret: object;
  header_field: object;
  /** `name`: of the placeholder. */
  header_text: { name: string };
  header_name: object;
  media_type: object;
  messaging_service: object;
  kannel_smsc: object;
  /** As written in a file. */
  one_of_forms: { forms: readonly string[] };
  nested_too_deep: Most;
  list_alone: { key: string };
  list_missing: { key: string };
  list_unread: { key: string };
  message_placeholder: object;
  ids_for_questions: object;
  asked_ids: object;
  needed_by_request: { placeholder: string };
  asked_lines: Most;
  condition_empty: object;
  status_condition: object;
  /** `reason`: the parser's message. */
  regular_expression: { reason: string };
  /** `pattern`: a regular expression. */
  key_pattern: { pattern: string };
  scalar_values: object;
  id_rule: object;
  field_rule: object;
  carrier_words: object;
  body_of_status: { status: number };
  /** `key`: the one it cannot be combined with. */
  excludes_key: { key: string };
  /** `path`: what was given instead, cut. */
  value_path: { path: string };
  charset: { value: string };
}
