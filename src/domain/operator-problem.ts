/** Problems with a single field of an operator's request, in English. */
import { apiErrors } from "./api-error.ts";
import { type Coded, type SentencesOf, sentenceOf, type ValuesOfSentences } from "./coded.ts";
import { counted } from "./counted.ts";
import { type DestinationRefusal, destinationRefusals } from "./destination-url.ts";
import { routeFileProblems, routeFileSentences } from "./route-file-problem.ts";

/** Both ends inclusive; null if there is no limit. */
interface Range {
  min: number | null;
  max: number | null;
}

interface Value {
  value: string;
}
interface Most {
  max: number;
}

function ranged(what: string, { min, max }: Range): string {
  if (max === null) return min === null ? what : `${what} from ${min} on`;
  return min === null ? `${what} up to ${max}` : `${what} from ${min} to ${max}`;
}

const countedFrom = ({ min, max }: Range, what: string) => {
  if (max === null) return `${min ?? 0} or more ${what}`;
  return (min ?? 0) === 0 ? `at most ${max} ${what}` : `${min} to ${max} ${what}`;
};

const isAny = ({ min, max }: Range) => min === null && max === null;

/** What a field is or must be: "must be text", "is no number". */
const fieldProblems = {
  ...routeFileProblems,
  /** Characters. */
  text: (range: Range) => (isAny(range) ? "must be a text" : `must be a text of ${countedFrom(range, "characters")}`),
  /** Characters of a text without line breaks. */
  line: (range: Range) => `must be one line of ${countedFrom(range, "characters")}`,
  whole_number: (range: Range) => `must be ${ranged("a whole number", range)}`,
  number: (range: Range) => `must be ${ranged("a number", range)}`,
  /** Entries. */
  list: (range: Range) => (isAny(range) ? "must be a list" : `must be ${countedFrom(range, "entries")}`),
  choice: ({ words }: { words: readonly string[] }) => `must be one of ${words.join(", ")}`,
  yes_or_no: () => "must be true or false",
  json_object: () => "must be a JSON object",
  /** The sender of a message: a number or an alphanumeric name. */
  sender: () => "must be 5 to 20 Latin letters, digits and signs, without a space at either end",
  country: () => "must be a two-letter country code, such as IR",
  countries: () => "must be a list of different two-letter country codes, such as IR",
  /** The name of a route, plan, list, group or pattern. */
  short_name: () => "must be 1 to 63 letters, digits, dots, dashes or underscores, and begin with a letter or digit",
  /** An SMPP system_id. */
  system_id: () => "must be 1 to 15 Latin letters, digits and signs, without spaces",
  /** `min`: the length from which a password may be used from any address. */
  short_password: ({ min }: { min: number }) =>
    `has less than ${min} characters, which only a key that is limited to addresses may have. See: peyk key update --allow-from`,
  /** A credential of this `kind` does not have the field, or not with this value. */
  not_for_kind: ({ kind }: { kind: string }) => `is not for credentials of the kind ${kind}`,
  /** A path of a request that no other service has. */
  own_path: ({ value }: Value) =>
    `"${value}" is no path such as /sms/send, or another service has it: /in/, /secure/, /cgi-bin/, /send, /rate, /balance, /ping`,
  user_name: () => "must be 2 to 64 small Latin letters, digits and . _ @ + -, and begin with a letter or digit",
  time: () => "must be an ISO 8601 time with an offset or Z",
  mobile_number: () => "is no mobile number",
  /** A phone number in any format, or an alphanumeric sender. */
  address: () => "must be a number, in at most 40 characters",
  quiet_hours_full: () => "leave no time of the week in which messages go",
  /** How far ahead a message may be scheduled. */
  send_window: ({ secondsMin, daysMax }: { secondsMin: number; daysMax: number }) =>
    `must lie ${secondsMin} seconds to ${daysMax} days ahead`,
  rule_word: ({ max }: { max: number }) => `must have a letter or a digit each, and at most ${max} characters`,
  rule_pattern: ({ value }: Value) =>
    `has "${value}", which looks like a pattern: rules compare words, without their signs, and run no patterns`,
  rule_any_words: () => "must be empty where a rule takes any text",
  inactive_sender: () => "is no active sender of the account",
  not_usable: ({ what }: { what: "group" | "pattern" }) =>
    what === "group"
      ? "is no approved group of the account with members"
      : "is no approved pattern of the account for one-time passwords",
  required: () => "is required",
  /** `meant`: the key that was probably meant. */
  unknown_key: ({ meant }: { meant: string | null }) =>
    meant === null ? "is not a known key" : `is not a known key; did you mean "${meant}"?`,
  key_text: () => "must be text",
  key_length: ({ min, max }: Most & { min: number }) => `must have ${min} to ${max} characters`,
  key_choice: ({ words }: { words: readonly string[] }) =>
    `must be one of ${words.map((word) => `"${word}"`).join(", ")}`,
  key_object: () => "must be an object",
  key_numbers: ({ countMax, min, max }: { countMax: number; min: number; max: number }) =>
    `must be a list of at most ${countMax} whole numbers from ${min} to ${max}`,
  printable_ascii: () => "must be printable ASCII",
  host_name: () => "must be a host name or an IP address",
  host_port: () => "must be a host and a port, such as mail.example.com:587",
  mail_address: () => "must be an e-mail address, such as ops@example.com",
  /** Without spaces. */
  latin_word: ({ max }: Most) => `must be 1 to ${max} Latin letters, digits and signs without a space`,
  ascii_word: ({ max }: Most) => `must be 1 to ${max} ASCII characters without spaces`,
  control_characters: () => "holds control characters",
  not_zero: () => "must not be 0",
  /** How long a token may be good. */
  token_days: ({ days }: { days: number }) => `lies more than ${days} days ahead`,
  unknown_operation: ({ value }: Value) => `${value} is no operation`,
  in_future: () => "must lie in the future",
  /** `wrong`: the invalid entries. */
  address_ranges: ({ wrong }: { wrong: readonly string[] }) =>
    `takes IP addresses and CIDR ranges such as 203.0.113.0/24, not ${wrong.join(", ")}`,
  customer_account: () => "is for the role customer, and required there",
  needs_account: () => "needs an account",
  /** A number to search messages by. */
  search_number: () => "is no mobile number, nor four or more last digits of one",
  digits: () => "is no number",
  no_sender_of_route: () => "is required, as no sender uses the route",
  /** The first of the senders. */
  senders_longer: ({ senders }: { senders: readonly string[] }) =>
    `is less than these senders of the route have: ${senders.join(", ")}`,
  text_length: ({ min, max, length }: { min: number; max: number; length: number }) =>
    `must have ${min} to ${max} characters, and has ${length}`,
  text_unclean: () => "holds a control character or half of a pair",
  /** `reason`: the message of the destination check. */
  callback_destination: ({ reason }: { reason: string }) =>
    `${reason.replace(/\.$/, "")}; a private address or plain HTTP is listed by --callback-origin`,
  /** `id`: of the credential. */
  signing_secret_again: ({ id }: { id: string }) =>
    `checks signatures, and the secret of ${id} is kept as a hash only: make a new credential with this template`,
  not_allowed: () => "is not allowed",
  /** Where the next page of a list starts. */
  cursor: () => "is none that a list has given",
  /** `words`: the possible meanings of a column. */
  csv_columns: ({ words }: { words: readonly string[] }) =>
    `holds ${words.slice(0, -1).join(", ")} or ${words.at(-1)}, by commas`,
  csv_too_large: ({ megabytes }: { megabytes: number }) => `must be CSV of at most ${megabytes} MB`,
  /** `key`: the key that asks for a different list. */
  asks_otherwise: ({ key }: { key: string }) => `asks for another list than ${key}`,
  no_default_sender: () => "is required, as the account has no default one",
  /** Exactly one of these must be given; `with`: what goes with the second, null for nothing. */
  either_key: ({ first, second, with: beside }: { first: string; second: string; with: string | null }) =>
    beside === null ? `takes either ${first} or ${second}` : `takes either ${first}, or ${second} and ${beside}`,
  printable_ascii_length: ({ max }: Most) => `must be 1 to ${max} printable ASCII characters`,
  /** `columns`: as named in the first line. */
  csv_header: ({ columns }: { columns: readonly string[] }) => `must be the header: ${columns.join(",")}`,
  too_many_ranges: ({ max }: Most) => `is one of more than ${max} ranges`,
  too_many_networks: ({ max }: Most) => `names one of more than ${max} networks`,
};

/** Complete sentences. */
const wholeSentences = {
  ...routeFileSentences,
  origin: ({ value }: Value) => `"${value}" is no origin; one looks like http://10.0.0.5:8000`,
  /** An address that no callback may go to, even if it is listed. */
  origin_refused: ({ value }: Value) =>
    `"${value}" is never called: it is link-local, a cloud's metadata, no host, or in webhooks.deny_cidrs`,
  time_zone: ({ value }: Value) => `"${value}" is no time zone; one looks like Asia/Tehran`,
  quiet_window: ({ value }: Value) => `"${value}" is no window; one looks like 22:00-08:00, or 13:00-16:00 Thu Fri`,
  nothing_to_change: () => "nothing to change",
  rule_does_nothing: () => "A rule needs a reply, a group, a number, a mail address or a program.",
  own_line: ({ value }: Value) => `${value} is one of the lines here, which no rule writes to.`,
  mail_not_confirmed: ({ value }: Value) => `Nobody of the account has confirmed the address ${value}.`,
  unknown_country: ({ value }: Value) => `${value} is no two-letter country code, such as IR`,
  unknown_range: ({ value }: Value) => `${value} is no range: write +98912, or +98912-+98913`,
  unknown_network: ({ value }: Value) => `${value} is no network. See: peyk network list`,
  unknown_account: ({ value }: Value) => `${value} is no account. See: peyk account list`,
  overlapping_ranges: ({ value, other }: { value: string; other: string }) => `the range ${value} overlaps ${other}`,
  /** Both count from 1. */
  same_targets: ({ first, second }: { first: number; second: number }) =>
    `targets ${first} and ${second} name the same routes: write one, with the sum of their weights`,
  not_mobile: ({ value }: Value) => `${value} is no mobile number`,
  country_not_allowed: ({ value }: Value) => `${value} is of a country that the account may not send to`,
  price_prefix: ({ value }: Value) =>
    `“${value}” is no beginning of a number; one looks like 98912, and * is every number`,
  price_amount: ({ value, max }: { value: string; max: number }) =>
    `“${value}” is no price: a whole number from 0 to ${max} is one`,
  price_date: ({ value }: Value) => `“${value}” is no date; one looks like 2026-12-01 or 1405-09-10`,
  /** `value`: a date such as 2026-12-01 or 1405-09-10. */
  price_day_over: ({ value }: Value) =>
    `the price begins on ${value}, which is over: messages since then have their price already`,
  /** `line` counts from 1. */
  price_repeated: ({ value, line }: { value: string; line: number }) =>
    `${value} has a price from the same day in line ${line}`,
  price_head: () => "the first line must name the columns: prefix,price or prefix,price,from",
  no_prices: () => "the file holds no price",
  /** `reason`: the CSV parser's message. */
  unreadable_csv: ({ reason }: { reason: string }) => reason,
  empty_file: () => "the file is empty",
  month: ({ value }: Value) => `"${value}" is no month; one looks like 2026-11 or 1405-08`,
  number_not_mobile: ({ value }: Value) => `"${value}" is no mobile number`,
  line_number: ({ value }: Value) => `"${value}" is no number that messages can be sent to.`,
  plan_rules: ({ max }: Most) => `A plan has at most ${max} rules.`,
  plan_ranges: ({ max }: Most) => `A plan has at most ${max} ranges; import them as a network`,
  receive_only_route: ({ route }: { route: string }) => `route ${route} only receives (bind is "receiver")`,
  channel_route: ({ route }: { route: string }) =>
    `route ${route} is a channel, which only further steps of one-time passwords use`,
  no_channel: ({ route }: { route: string }) => `route ${route} is no channel (its file's kind is not "channel")`,
  /** `key`: in the route's file. */
  sender_too_long: ({ sender, route, key }: { sender: string; route: string; key: string }) =>
    `${sender} is too long for route ${route}, which takes fewer letters (${key})`,
  /** The first of the senders, and the number of others. */
  senders_use_route: ({ senders, more }: { senders: readonly string[]; more: number }) =>
    `Senders use this route: ${senders.join(", ")}${more === 0 ? "" : ` and ${more} more`}. Give them another route first (peyk sender update), or disable this one.`,
  routes_for_waiting: () =>
    "is required: messages of this sender from before its removal wait, and must not go to the simulator",
  variable_name: ({ name }: { name: string }) =>
    `{{${name}}} is no variable: a name is letters, digits and underscores`,
  variable_unknown: ({ name }: { name: string }) => `the text has no variable {{${name}}}`,
  variable_length: ({ name, max }: { name: string; max: number }) => `${name} must be a whole number from 1 to ${max}`,
  quota_exceeded: ({
    subject,
    period,
    partsMax,
    left,
    parts,
  }: {
    subject: "account" | "key";
    period: "day" | "month" /** Parts: the limit for the period, those left, and those requested. */;
    partsMax: number;
    left: number;
    parts: number;
  }) =>
    `The ${subject} may send ${counted(partsMax, "part")} a ${period}; ${left} ${left === 1 ? "is" : "are"} left, and the request has ${parts}.`,
  balance_exhausted: () => apiErrors.balance_exhausted.meaning,
  account_suspended: () => apiErrors.account_suspended.meaning,
  idempotency_key_conflict: () => apiErrors.idempotency_key_conflict.meaning,
  webhook_url: ({ reason }: { reason: DestinationRefusal }) => destinationRefusals[reason],
  /** More than an operator allows the customer. */
  above_limit: ({ max }: Most) => `At most ${max}: your provider has set this limit.`,
  outside_permissions: ({ words }: { words: readonly string[] }) =>
    `Only ${words.join(", ")}: your provider has given the key no others.`,
  outside_ranges: ({ ranges }: { ranges: readonly string[] }) =>
    `Only from ${ranges.join(", ")}, or parts of it: your provider has set this limit.`,
  /** `at`: ISO 8601. */
  after_limit: ({ at }: { at: string }) =>
    `The key ends on ${at.replace("T", " ").replace(".000Z", " UTC")} at the latest: your provider has set this limit.`,
  route_kind: ({ kind }: { kind: string }) => `this build cannot run ${kind} routes`,
  network_name: ({ max }: Most) => `the network must have a name of 1 to ${max} characters, without a comma`,
  network_encoding: () => "the network's name was not UTF-8",
  /** `owner`: the network that has the other range. */
  range_of_other: ({ value, other, owner }: { value: string; other: string; owner: string }) =>
    `${value} overlaps ${other}, which ${owner} has`,
  /** `line`: of the other range. */
  range_of_line: ({ value, other, line }: { value: string; other: string; line: number }) =>
    `${value} overlaps ${other} of line ${line}`,
};

const english = { ...fieldProblems, ...wholeSentences };

export const isWholeSentence = (code: ProblemCode): boolean => Object.hasOwn(wholeSentences, code);

export type ProblemValues = ValuesOfSentences<typeof english>;
export type ProblemTexts = SentencesOf<ProblemValues>;
export const englishProblems: ProblemTexts = english;
export type ProblemCode = keyof ProblemValues;
export type CodedProblem<Code extends ProblemCode = ProblemCode> = Coded<ProblemValues, Code>;

/** One problem of a request: `key` is the field or the key of a route's file. */
export type OperatorProblem = { key: string } & CodedProblem;

export function problemOf<Code extends ProblemCode>(key: string, code: Code, values: ProblemValues[Code]) {
  return { key, code, values };
}

/** As the operator API answers it. */
export type ToldProblem = { key: string; message: string } & CodedProblem;

export function toldProblem({ key, ...coded }: OperatorProblem): ToldProblem {
  return { key, message: sentenceOf(coded, englishProblems), ...coded };
}

/** An empty key means the request or file as a whole. */
export function problemLine({ key, ...coded }: OperatorProblem): string {
  const text = sentenceOf(coded, englishProblems);
  return key === "" ? text : `${key}: ${text}`;
}
