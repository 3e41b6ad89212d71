/**
 * Problems with a single field of an operator's request: a code, its values, and its text in English. Another language
 * is another table.
 */

import { apiErrors } from "./api-error.ts";
import { counted } from "./counted.ts";
import { type DestinationRefusal, destinationRefusals } from "./destination-url.ts";
import { englishRouteFileProblems, type RouteFileProblemValues } from "./route-file-problem.ts";

/** Both ends inclusive; null if there is no limit. */
interface Range {
  min: number | null;
  max: number | null;
}

/** The values in each sentence. */
export interface ProblemValues extends RouteFileProblemValues {
  /** Characters. */
  text: Range;
  /** Characters of a text without line breaks. */
  line: Range;
  whole_number: Range;
  number: Range;
  /** Entries. */
  list: Range;
  choice: { words: readonly string[] };
  yes_or_no: object;
  json_object: object;
  /** The sender of a message: a number or an alphanumeric name. */
  sender: object;
  country: object;
  countries: object;
  /** The name of a route, plan, list, group or pattern. */
  short_name: object;
  user_name: object;
  /** An SMPP system_id. */
  system_id: object;
  /** `min`: the length from which a password may be used from any address. */
  short_password: { min: number };
  /** A credential of this `kind` does not have the field, or not with this value. */
  not_for_kind: { kind: string };
  origin: { value: string };
  time: object;
  mobile_number: object;
  /** A phone number in any format, or an alphanumeric sender. */
  address: object;
  time_zone: { value: string };
  quiet_window: { value: string };
  quiet_hours_full: object;
  nothing_to_change: object;
  unknown_country: { value: string };
  unknown_range: { value: string };
  unknown_network: { value: string };
  unknown_account: { value: string };
  overlapping_ranges: { value: string; other: string };
  /** Both count from 1. */
  same_targets: { first: number; second: number };
  /** How far ahead a message may be scheduled. */
  send_window: { secondsMin: number; daysMax: number };
  inactive_sender: object;
  not_mobile: { value: string };
  country_not_allowed: { value: string };
  required: object;
  /** `meant`: the key that was probably meant. */
  unknown_key: { meant: string | null };
  key_text: object;
  key_length: { min: number; max: number };
  key_choice: { words: readonly string[] };
  key_object: object;
  key_numbers: { countMax: number; min: number; max: number };
  printable_ascii: object;
  host_name: object;
  price_prefix: { value: string };
  price_amount: { value: string; max: number };
  price_date: { value: string };
  /** `value`: a date such as 2026-12-01 or 1405-09-10. */
  price_day_over: { value: string };
  /** `line` counts from 1. */
  price_repeated: { value: string; line: number };
  price_head: object;
  no_prices: object;
  /** `reason`: the CSV parser's message. */
  unreadable_csv: { reason: string };
  /** Without spaces. */
  latin_word: { max: number };
  ascii_word: { max: number };
  control_characters: object;
  empty_file: object;
  month: { value: string };
  not_zero: object;
  in_future: object;
  /** `wrong`: the invalid entries. */
  address_ranges: { wrong: readonly string[] };
  customer_account: object;
  needs_account: object;
  /** A number to search messages by. */
  search_number: object;
  digits: object;
  number_not_mobile: { value: string };
  line_number: { value: string };
  plan_rules: { max: number };
  plan_ranges: { max: number };
  no_sender_of_route: object;
  receive_only_route: { route: string };
  /** `key`: in the route's file. */
  sender_too_long: { sender: string; route: string; key: string };
  /** The first of the senders, and the number of others. */
  senders_use_route: { senders: readonly string[]; more: number };
  /** The first of the senders. */
  senders_longer: { senders: readonly string[] };
  text_length: { min: number; max: number; length: number };
  text_unclean: object;
  variable_name: { name: string };
  variable_unknown: { name: string };
  variable_length: { name: string; max: number };
  quota_exceeded: {
    subject: "account" | "key";
    period: "day" | "month";
    /** Parts: the limit for the period, those left, and those requested. */
    partsMax: number;
    left: number;
    parts: number;
  };
  balance_exhausted: object;
  account_suspended: object;
  idempotency_key_conflict: object;
  /** `id`: of the credential. */
  signing_secret_again: { id: string };
  /** `reason`: the message of the destination check. */
  callback_destination: { reason: string };
  webhook_url: { reason: DestinationRefusal | "not_public" };
  not_allowed: object;
  /** Where the next page of a list starts. */
  cursor: object;
  /** `words`: the possible meanings of a column. */
  csv_columns: { words: readonly string[] };
  csv_too_large: { megabytes: number };
  /** `key`: the key that asks for a different list. */
  asks_otherwise: { key: string };
  no_default_sender: object;
  /** Exactly one of these must be given; `with`: what goes with the second, null for nothing. */
  either_key: { first: string; second: string; with: string | null };
  printable_ascii_length: { max: number };
  route_kind: { kind: string };
  /** `columns`: as named in the first line. */
  csv_header: { columns: readonly string[] };
  too_many_ranges: { max: number };
  too_many_networks: { max: number };
  network_name: { max: number };
  network_encoding: object;
  /** `owner`: the network that has the other range. */
  range_of_other: { value: string; other: string; owner: string };
  /** `line`: of the other range. */
  range_of_line: { value: string; other: string; line: number };
}

export type ProblemCode = keyof ProblemValues;

export type CodedProblem<Code extends ProblemCode = ProblemCode> = {
  [One in Code]: { code: One; values: ProblemValues[One] };
}[Code];

/** One problem of a request: `key` is the field or the key of a route's file. */
export type OperatorProblem = { key: string; message: string } & CodedProblem;

export type ProblemTexts = { readonly [Code in ProblemCode]: (values: ProblemValues[Code]) => string };

function ranged(what: string, { min, max }: Range): string {
  if (max === null) return min === null ? what : `${what} from ${min} on`;
  return min === null ? `${what} up to ${max}` : `${what} from ${min} to ${max}`;
}

const countedFrom = ({ min, max }: Range, what: string) => {
  if (max === null) return `${min ?? 0} or more ${what}`;
  return (min ?? 0) === 0 ? `at most ${max} ${what}` : `${min} to ${max} ${what}`;
};

const isAny = ({ min, max }: Range) => min === null && max === null;

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
  no_sender_of_route: () => "is required: no sender uses the route",
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
  webhook_url: ({ reason }) =>
    reason === "not_public" ? "The host name must resolve to public addresses only." : destinationRefusals[reason],
  signing_secret_again: ({ id }) =>
    `checks signatures, and the secret of ${id} is kept as a hash only: make a new credential with this template`,
  not_allowed: () => "is not allowed",
  cursor: () => "is none that a list has given",
  csv_columns: ({ words }) => `holds ${words.slice(0, -1).join(", ")} or ${words.at(-1)}, by commas`,
  csv_too_large: ({ megabytes }) => `must be CSV of at most ${megabytes} MB`,
  asks_otherwise: ({ key }) => `asks for another list than ${key}`,
  no_default_sender: () => "is required: the account has no default one",
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
  "origin",
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

export function problemOf<Code extends ProblemCode>(key: string, code: Code, values: ProblemValues[Code]) {
  return { key, message: englishProblems[code](values), code, values };
}
