/**
 * Problems specific to the keys of a route's file: their values, and their text in English. They are codes of an
 * operator's problem.
 */

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
}

export const englishRouteFileProblems: {
  readonly [Code in keyof RouteFileProblemValues]: (values: RouteFileProblemValues[Code]) => string;
} = {
  same_host: () => "is the first host once more; name another host or another port",
  password_twice: () => "must not stand beside password: write one of the two",
  password_unread: () => "was not read: the command line reads it before the route is added",
  address_rules: ({ max }) => `must be a list of at most ${max} rules`,
  equals_or_prefix: () => 'must hold either "equals" or "prefix"',
  entries_max: ({ max, what }) => `must hold at most ${max} ${what}`,
  tag_name: () => 'must be named by its tag in hexadecimal, such as "0x1400"',
  tag_own: ({ name }) => `is ${name}, which longMessages decides`,
  tag_of_smsc: ({ name }) => `is ${name}, which only an SMSC sends`,
  tag_of_standard: () => "is a tag of the standard: placeholders stand in tags from 0x1400 on",
  tag_value: () => 'must be text or one of {"hex"}, {"cstring"}, {"int8"}, {"int16"}, {"int32"} with a value that fits',
  octets_max: ({ max }) => `must have at most ${max} octets`,
  placeholder_of_tag: ({ name, known }) => `knows no {{${name}}}: the placeholders are ${known.join(", ")}`,
  unknown_placeholder: ({ name, meant }) =>
    `{{${name}}} is not a placeholder here${meant === null ? "" : `; did you mean {{${meant}}}?`}`,
  secret_again: ({ changed }) =>
    `must be given again, since the file changes ${changed.join(", ")}: a stored secret is never sent to another destination (null takes it away)`,
  required_beside: ({ key }) => `is required beside ${key}`,
  file_unreadable: ({ file, reason }) => `${file} cannot be read: ${reason}`,
  file_without_certificate: ({ file }) => `${file} holds no PEM certificate`,
  certificate_damaged: ({ file }) => `a certificate in ${file} is damaged`,
  client_certificate: ({ reason }) => reason,
  table_cells: () => "must be a list of 128 or 256 characters, each a text of one character, or null for none",
  table_hole: ({ missing }) => `has a hole: no octet stands for ${missing.map((cell) => `"${cell}"`).join(", ")}`,
  table_twice: ({ cell }) => `names "${cell}" twice`,
  caller_addresses: ({ max }) => `must be a list of at most ${max} IP addresses or CIDR ranges`,
  signature_place: () => 'must hold "header" or "field": where the signature is',
  signature_pieces: ({ max }) => `must hold 1 to ${max} pieces`,
  signature_piece: () => 'must be "body", "url", "sortedForm", or one of {"header"}, {"query"}, {"form"}, {"json"}',
  method_without_body: () => "is GET, which has no body",
  request_url: () => "must be an http or https URL without user and fragment, its host without placeholders",
  base_url: () => "must be an http or https URL without user, query and fragment",
  own_url: () => "is required: the base URL of your account",
  callback_url: () => "must be an http or https URL without query, fragment and user",
  callback_secret_missing: () => "is required, for anybody could call back without it",
  callback_secret: () => "must be 16 or more letters, digits, - and _",
  header_field: () => "must be a header's name with printable ASCII",
  header_name: () => "must be a header's name",
  media_type: () => "must be a media type such as application/json",
  messaging_service: () => "must be MG…",
  kannel_smsc: () => "must be a Kannel smsc-id",
  one_of_forms: ({ forms }) => `must be one of ${forms.join(", ")}`,
  nested_too_deep: ({ max }) => `must not be nested deeper than ${max}`,
  list_alone: ({ key }) => `"${key}" must stand alone in its object, and not in another list of that kind`,
  list_missing: ({ key }) => `needs a list in request.body: {"${key}": …}`,
  list_unread: ({ key }) => `is required, as request.body has "${key}"`,
  message_placeholder: () => "must be a placeholder of a message, such as {{trackingCode}}",
  ids_for_questions: () => "is required, as reportPoll asks for the provider's ids",
  asked_ids: () => 'must hold the ids that are asked for: {{ids}}, {"{{each}}": "{{id}}"}, or {{id}} for one',
  needed_by_request: ({ placeholder }) => `is required, as the request has {{${placeholder}}}`,
  asked_lines: ({ max }) => `must be a list of 1 to ${max} numbers as text`,
  condition_empty: () => 'must hold "status", "body" or "json"',
  status_condition: () => 'must be a status from 100 to 599, a class such as "2xx", or a list of them',
  regular_expression: ({ reason }) => `must be a regular expression: ${reason}`,
  key_pattern: ({ pattern }) => `must be ${pattern}`,
  scalar_values: () => "must be text, a number, true or false, or a list of them",
  id_rule: () => 'must be "trackingCode" or one of {"json"}, {"body"}, {"header"}',
  field_rule: () => 'must be a field\'s name or one of {"query"}, {"form"}, {"json"}, {"fixed"}',
  carrier_words: () => "must be a word of the provider's, or a list of them",
  body_of_status: ({ status }) => `must be empty with status ${status}`,
  excludes_key: ({ key }) => `cannot stand beside ${key}`,
  value_path: ({ path }) => `"${path}" is no path of the call, such as user.phone, nor a 'text' in quotes`,
};
