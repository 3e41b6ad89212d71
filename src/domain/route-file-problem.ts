/** Problems specific to the keys of a route's file, in English. They are codes of an operator's problem. */

interface Most {
  max: number;
}

/** What a key is or must be: "must be text". */
export const routeFileProblems = {
  same_host: () => "is the same as the first host; name another host or another port",
  password_twice: () => "must not stand beside password: write one of the two",
  password_unread: () => "was not read: the command line reads it before the route is added",
  address_rules: ({ max }: Most) => `must be a list of at most ${max} rules`,
  equals_or_prefix: () => 'must hold either "equals" or "prefix"',
  entries_max: ({ max, what }: Most & { what: "conditions" | "fields" | "parameters" }) =>
    `must hold at most ${max} ${what}`,
  tag_name: () => 'must be named by its tag in hexadecimal, such as "0x1400"',
  /** `name`: of the parameter. */
  tag_own: ({ name }: { name: string }) => `is ${name}, which longMessages decides`,
  tag_of_smsc: ({ name }: { name: string }) => `is ${name}, which only an SMSC sends`,
  tags_passed: ({ max }: { max: number }) => `must be at most ${max} tags from "0x1400" to "0x3fff"`,
  tag_of_standard: () => "is a tag of the standard: placeholders stand in tags from 0x1400 on",
  tag_value: () => 'must be text or one of {"hex"}, {"cstring"}, {"int8"}, {"int16"}, {"int32"} with a value that fits',
  octets_max: ({ max }: Most) => `must have at most ${max} octets`,
  /** `known`: those the key accepts, in braces. */
  placeholder_of_tag: ({ name, known }: { name: string; known: readonly string[] }) =>
    `knows no {{${name}}}: the placeholders are ${known.join(", ")}`,
  /** `changed`: the keys that make the file send its secrets elsewhere. */
  secret_again: ({ changed }: { changed: readonly string[] }) =>
    `must be given again, since the file changes ${changed.join(", ")}: a stored secret is never sent to another destination (null takes it away)`,
  /** `key`: the one that was given alone. */
  required_beside: ({ key }: { key: string }) => `is required beside ${key}`,
  table_cells: () => "must be a list of 128 or 256 characters, each a text of one character, or null for none",
  table_hole: ({ missing }: { missing: readonly string[] }) =>
    `has a hole: no octet stands for ${missing.map((cell) => `"${cell}"`).join(", ")}`,
  table_twice: ({ cell }: { cell: string }) => `names "${cell}" twice`,
  caller_addresses: ({ max }: Most) => `must be a list of at most ${max} IP addresses or CIDR ranges`,
  signature_place: () => 'must hold "header" or "field": where the signature is',
  signature_pieces: ({ max }: Most) => `must hold 1 to ${max} pieces`,
  signature_piece: () => 'must be "body", "url", "sortedForm", or one of {"header"}, {"query"}, {"form"}, {"json"}',
  method_without_body: () => "is GET, which has no body",
  request_url: () => "must be an http or https URL without user and fragment, its host without placeholders",
  base_url: () => "must be an http or https URL without user, query and fragment",
  own_url: () => "is required, the base URL of your account",
  callback_url: () => "must be an http or https URL without query, fragment and user",
  callback_secret_missing: () => "is required, for anybody could call back without it",
  calls_of_route: ({ route }: { route: string }) =>
    `must differ from route ${route}'s, or callbackUrl must: their calls could not be told apart`,
  callback_secret: () => "must be 16 or more letters, digits, - and _",
  /** `name`: of the placeholder. */
  header_text: ({ name }: { name: string }) =>
    `must not hold {{${name}}}: a text has line breaks and letters that no header can carry; put it into the body or the query`,
  header_field: () => "must be a header's name with printable ASCII",
  header_name: () => "must be a header's name",
  media_type: () => "must be a media type such as application/json",
  messaging_service: () => "must be MG…",
  code_missing: () => "must hold {{code}}, {{codeSpoken}} or {{text}}",
  for_channels: () => 'is for channels (kind is "channel")',
  kind_stays: () => "cannot change between SMS and a channel: add another route",
  kannel_smsc: () => "must be a Kannel smsc-id",
  /** As written in a file. */
  one_of_forms: ({ forms }: { forms: readonly string[] }) => `must be one of ${forms.join(", ")}`,
  nested_too_deep: ({ max }: Most) => `must not be nested deeper than ${max}`,
  list_missing: ({ key }: { key: string }) => `needs a list in request.body: {"${key}": …}`,
  list_unread: ({ key }: { key: string }) => `is required, as request.body has "${key}"`,
  message_placeholder: () => "must be a placeholder of a message, such as {{trackingCode}}",
  ids_for_questions: () => "is required, as reportPoll asks for the provider's ids",
  asked_ids: () => 'must hold the ids that are asked for: {{ids}}, {"{{each}}": "{{id}}"}, or {{id}} for one',
  needed_by_request: ({ placeholder }: { placeholder: string }) => `is required, as the request has {{${placeholder}}}`,
  asked_lines: ({ max }: Most) => `must be a list of 1 to ${max} numbers as text`,
  condition_empty: () => 'must hold "status", "body" or "json"',
  status_condition: () => 'must be a status from 100 to 599, a class such as "2xx", or a list of them',
  /** `reason`: the parser's message. */
  regular_expression: ({ reason }: { reason: string }) => `must be a regular expression: ${reason}`,
  /** `pattern`: a regular expression. */
  key_pattern: ({ pattern }: { pattern: string }) => `must be ${pattern}`,
  scalar_values: () => "must be text, a number, true or false, or a list of them",
  id_rule: () => 'must be "trackingCode" or one of {"json"}, {"body"}, {"header"}',
  field_rule: () => 'must be a field\'s name or one of {"query"}, {"form"}, {"json"}, {"fixed"}',
  carrier_words: () => "must be a word of the provider's, or a list of them",
  body_of_status: ({ status }: { status: number }) => `must be empty with status ${status}`,
  /** `key`: the one it cannot be combined with. */
  excludes_key: ({ key }: { key: string }) => `cannot stand beside ${key}`,
  charset: ({ value }: { value: string }) => `"${value}" is not the name of a charset, such as utf-8 or windows-1256`,
};

/** Complete sentences. */
export const routeFileSentences = {
  /** `meant`: the placeholder that was probably meant. */
  unknown_placeholder: ({ name, meant }: { name: string; meant: string | null }) =>
    `{{${name}}} is not a placeholder here${meant === null ? "" : `; did you mean {{${meant}}}?`}`,
  file_unreadable: ({ file, reason }: { file: string; reason: string }) => `${file} cannot be read: ${reason}`,
  file_without_certificate: ({ file }: { file: string }) => `${file} holds no PEM certificate`,
  certificate_damaged: ({ file }: { file: string }) => `a certificate in ${file} is damaged`,
  /** `reason`: the certificate parser's message. */
  client_certificate: ({ reason }: { reason: string }) => reason,
  list_alone: ({ key }: { key: string }) =>
    `"${key}" must stand alone in its object, and not in another list of that kind`,
  /** `path`: what was given instead, cut. */
  value_path: ({ path }: { path: string }) =>
    `"${path}" is no path of the call, such as user.phone, nor a 'text' in quotes`,
};
