/** English: problems with a single field of an operator's request. */
import { apiErrors } from "../../domain/api-error.ts";
import { counted } from "../../domain/counted.ts";
import { destinationRefusals } from "../../domain/destination-url.ts";
import type { CodedProblem, OperatorProblem, ProblemCode, ProblemValues } from "../../domain/operator-problem.ts";
import { englishRouteFileProblems } from "./route-file-problem.ts";

export type ProblemTexts = { readonly [Code in ProblemCode]: (values: ProblemValues[Code]) => string };

function ranged(what: string, { min, max }: ProblemValues["text"]): string {
  if (max === null) return min === null ? what : `${what} from ${min} on`;
  return min === null ? `${what} up to ${max}` : `${what} from ${min} to ${max}`;
}

const countedFrom = ({ min, max }: ProblemValues["text"], what: string) => {
  if (max === null) return `${min ?? 0} or more ${what}`;
  return (min ?? 0) === 0 ? `at most ${max} ${what}` : `${min} to ${max} ${what}`;
};

const isAny = ({ min, max }: ProblemValues["text"]) => min === null && max === null;

export const englishProblems: ProblemTexts = {
  ...englishRouteFileProblems,
  text: (range) => (isAny(range) ? "must be a text" : `must be a text of ${countedFrom(range, "characters")}`),
  line: (range) => `must be one line of ${countedFrom(range, "characters")}`,
  whole_number: (range) => `must be ${ranged("a whole number", range)}`,
  number: (range) => `must be ${ranged("a number", range)}`,
  list: (range) => (isAny(range) ? "must be a list" : `must be ${countedFrom(range, "entries")}`),
  choice: ({ words }) => `must be one of ${words.join(", ")}`,
  yes_or_no: () => "must be true or false",
  json_object: () => "must be a JSON object",
  sender: () => "must be 5 to 20 Latin letters, digits and signs, without a space at either end",
  country: () => "must be a two-letter country code, such as IR",
  countries: () => "must be a list of different two-letter country codes, such as IR",
  short_name: () => "must be 1 to 63 letters, digits, dots, dashes or underscores, and begin with a letter or digit",
  system_id: () => "must be 1 to 15 Latin letters, digits and signs, without spaces",
  short_password: ({ min }) =>
    `has less than ${min} characters, which only a key that is limited to addresses may have. See: peyk key update --allow-from`,
  not_for_kind: ({ kind }) => `is not for credentials of the kind ${kind}`,
  origin: ({ value }) => `"${value}" is no origin; one looks like http://10.0.0.5:8000`,
  own_path: ({ value }) =>
    `"${value}" is no path such as /sms/send, or another service has it: /in/, /secure/, /cgi-bin/, /send, /rate, /balance, /ping`,
  origin_refused: ({ value }) =>
    `"${value}" is never called: it is link-local, a cloud's metadata, no host, or in webhooks.deny_cidrs`,
  user_name: () => "must be 2 to 64 small Latin letters, digits and . _ @ + -, and begin with a letter or digit",
  time: () => "must be an ISO 8601 time with an offset or Z",
  mobile_number: () => "is no mobile number",
  address: () => "must be a number, in at most 40 characters",
  time_zone: ({ value }) => `"${value}" is no time zone; one looks like Asia/Tehran`,
  quiet_window: ({ value }) => `"${value}" is no window; one looks like 22:00-08:00, or 13:00-16:00 Thu Fri`,
  quiet_hours_full: () => "leave no time of the week in which messages go",
  nothing_to_change: () => "nothing to change",
  unknown_country: ({ value }) => `${value} is no country code`,
  unknown_range: ({ value }) => `${value} is no range: write +98912, or +98912-+98913`,
  unknown_network: ({ value }) => `${value} is no network. See: peyk network list`,
  unknown_account: ({ value }) => `${value} is no account. See: peyk account list`,
  overlapping_ranges: ({ value, other }) => `the range ${value} overlaps ${other}`,
  same_targets: ({ first, second }) =>
    `targets ${first} and ${second} name the same routes: write one, with the sum of their weights`,
  send_window: ({ secondsMin, daysMax }) => `must lie ${secondsMin} seconds to ${daysMax} days ahead`,
  inactive_sender: () => "is no active sender of the account",
  not_mobile: ({ value }) => `${value} is no mobile number`,
  country_not_allowed: ({ value }) => `${value} is of a country that the account may not send to`,
  required: () => "is required",
  unknown_key: ({ meant }) => (meant === null ? "is not a known key" : `is not a known key; did you mean "${meant}"?`),
  key_text: () => "must be text",
  key_length: ({ min, max }) => `must have ${min} to ${max} characters`,
  key_choice: ({ words }) => `must be one of ${words.map((word) => `"${word}"`).join(", ")}`,
  key_object: () => "must be an object",
  key_numbers: ({ countMax, min, max }) => `must be a list of at most ${countMax} whole numbers from ${min} to ${max}`,
  printable_ascii: () => "must be printable ASCII",
  host_name: () => "must be a host name or an IP address",
  host_port: () => "must be a host and a port, such as mail.example.com:587",
  mail_address: () => "must be an e-mail address, such as ops@example.com",
  price_prefix: ({ value }) => `“${value}” is no beginning of a number; one looks like 98912, and * is every number`,
  price_amount: ({ value, max }) => `“${value}” is no price: a whole number from 0 to ${max} is one`,
  price_date: ({ value }) => `“${value}” is no date; one looks like 2026-12-01 or 1405-09-10`,
  price_day_over: ({ value }) =>
    `the price begins on ${value}, which is over: messages since then have their price already`,
  price_repeated: ({ value, line }) => `${value} has a price from the same day in line ${line}`,
  price_head: () => "the first line must name the columns: prefix,price or prefix,price,from",
  no_prices: () => "the file holds no price",
  unreadable_csv: ({ reason }) => reason,
  latin_word: ({ max }) => `must be 1 to ${max} Latin letters, digits and signs without a space`,
  ascii_word: ({ max }) => `must be 1 to ${max} ASCII characters without spaces`,
  control_characters: () => "holds control characters",
  empty_file: () => "the file is empty",
  month: ({ value }) => `"${value}" is no month; one looks like 2026-11 or 1405-08`,
  not_zero: () => "must not be 0",
  token_days: ({ days }) => `lies more than ${days} days ahead`,
  unknown_operation: ({ value }) => `${value} is no operation`,
  in_future: () => "must lie in the future",
  address_ranges: ({ wrong }) => `takes IP addresses and CIDR ranges such as 203.0.113.0/24, not ${wrong.join(", ")}`,
  customer_account: () => "is for the role customer, and required there",
  needs_account: () => "needs an account",
  search_number: () => "is no mobile number, nor four or more last digits of one",
  digits: () => "is no number",
  number_not_mobile: ({ value }) => `"${value}" is no mobile number`,
  line_number: ({ value }) => `"${value}" is no number that messages can be sent to.`,
  plan_rules: ({ max }) => `A plan has at most ${max} rules.`,
  plan_ranges: ({ max }) => `A plan has at most ${max} ranges; import them as a network`,
  no_sender_of_route: () => "is required, as no sender uses the route",
  receive_only_route: ({ route }) => `route ${route} only receives (bind is "receiver")`,
  sender_too_long: ({ sender, route, key }) =>
    `${sender} is too long for route ${route}, which takes fewer letters (${key})`,
  senders_use_route: ({ senders, more }) =>
    `Senders use this route: ${senders.join(", ")}${more === 0 ? "" : ` and ${more} more`}. Give them another route first (peyk sender update), or disable this one.`,
  senders_longer: ({ senders }) => `is less than these senders of the route have: ${senders.join(", ")}`,
  text_length: ({ min, max, length }) => `must have ${min} to ${max} characters, and has ${length}`,
  text_unclean: () => "holds a control character or half of a pair",
  variable_name: ({ name }) => `{{${name}}} is no variable: a name is letters, digits and underscores`,
  variable_unknown: ({ name }) => `the text has no variable {{${name}}}`,
  variable_length: ({ name, max }) => `${name} must be a whole number from 1 to ${max}`,
  quota_exceeded: ({ subject, period, partsMax, left, parts }) =>
    `The ${subject} may send ${counted(partsMax, "part")} a ${period}; ${left} ${left === 1 ? "is" : "are"} left, and the request has ${parts}.`,
  balance_exhausted: () => apiErrors.balance_exhausted.meaning,
  account_suspended: () => apiErrors.account_suspended.meaning,
  idempotency_key_conflict: () => apiErrors.idempotency_key_conflict.meaning,
  callback_destination: ({ reason }) => `${reason}; a private address or plain HTTP is listed by --callback-origin`,
  webhook_url: ({ reason }) => destinationRefusals[reason],
  signing_secret_again: ({ id }) =>
    `checks signatures, and the secret of ${id} is kept as a hash only: make a new credential with this template`,
  not_allowed: () => "is not allowed",
  above_limit: ({ max }) => `At most ${max}: your provider has set this limit.`,
  outside_permissions: ({ words }) => `Only ${words.join(", ")}: your provider has given the key no others.`,
  outside_ranges: ({ ranges }) => `Only from ${ranges.join(", ")}, or parts of it: your provider has set this limit.`,
  after_limit: ({ at }) =>
    `The key ends on ${at.replace("T", " ").replace(".000Z", " UTC")} at the latest: your provider has set this limit.`,
  cursor: () => "is none that a list has given",
  csv_columns: ({ words }) => `holds ${words.slice(0, -1).join(", ")} or ${words.at(-1)}, by commas`,
  csv_too_large: ({ megabytes }) => `must be CSV of at most ${megabytes} MB`,
  asks_otherwise: ({ key }) => `asks for another list than ${key}`,
  no_default_sender: () => "is required, as the account has no default one",
  either_key: ({ first, second, with: beside }) =>
    beside === null ? `takes either ${first} or ${second}` : `takes either ${first}, or ${second} and ${beside}`,
  printable_ascii_length: ({ max }) => `must be 1 to ${max} printable ASCII characters`,
  route_kind: ({ kind }) => `this build cannot run ${kind} routes`,
  csv_header: ({ columns }) => `must be the header: ${columns.join(",")}`,
  too_many_ranges: ({ max }) => `is one of more than ${max} ranges`,
  too_many_networks: ({ max }) => `names one of more than ${max} networks`,
  network_name: ({ max }) => `the network must have a name of 1 to ${max} characters, without a comma`,
  network_encoding: () => "the network's name was not UTF-8",
  range_of_other: ({ value, other, owner }) => `${value} overlaps ${other}, which ${owner} has`,
  range_of_line: ({ value, other, line }) => `${value} overlaps ${other} of line ${line}`,
};

/**
 * The English of these is a complete sentence. That of the others says what the field is or must be: "must be text",
 * "is no number".
 */
export const wholeSentences: ReadonlySet<ProblemCode> = new Set([
  "above_limit",
  "outside_permissions",
  "outside_ranges",
  "after_limit",
  "origin",
  "origin_refused",
  "time_zone",
  "quiet_window",
  "nothing_to_change",
  "unknown_country",
  "unknown_range",
  "unknown_network",
  "unknown_account",
  "overlapping_ranges",
  "same_targets",
  "not_mobile",
  "country_not_allowed",
  "price_prefix",
  "price_amount",
  "price_date",
  "price_day_over",
  "price_repeated",
  "price_head",
  "no_prices",
  "unreadable_csv",
  "unknown_placeholder",
  "file_unreadable",
  "file_without_certificate",
  "certificate_damaged",
  "client_certificate",
  "list_alone",
  "value_path",
  "empty_file",
  "month",
  "number_not_mobile",
  "line_number",
  "webhook_url",
  "plan_rules",
  "plan_ranges",
  "receive_only_route",
  "sender_too_long",
  "senders_use_route",
  "variable_name",
  "variable_unknown",
  "variable_length",
  "quota_exceeded",
  "balance_exhausted",
  "account_suspended",
  "idempotency_key_conflict",
  "route_kind",
  "network_name",
  "network_encoding",
  "range_of_other",
  "range_of_line",
]);

export function problemText<Code extends ProblemCode>(
  { code, values }: CodedProblem<Code>,
  texts = englishProblems,
): string {
  return texts[code](values);
}

/** As the operator API answers it. */
export type ToldProblem = { key: string; message: string } & CodedProblem;

export function toldProblem({ key, ...coded }: OperatorProblem): ToldProblem {
  return { key, message: problemText(coded), ...coded };
}

/** An empty key means the request or file as a whole. */
export function problemLine({ key, ...coded }: OperatorProblem): string {
  const text = problemText(coded);
  return key === "" ? text : `${key}: ${text}`;
}
