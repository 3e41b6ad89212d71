/** Problems with a single field of an operator's request: a code and its values. */
import type { DestinationRefusal } from "./destination-url.ts";
import type { RouteFileProblemValues } from "./route-file-problem.ts";

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
  /** An address that no callback may go to, even if it is listed. */
  origin_refused: { value: string };
  /** A path of a request that no other service has. */
  own_path: { value: string };
  time: object;
  /** How long a token may be good. */
  token_days: { days: number };
  unknown_operation: { value: string };
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
  host_port: object;
  mail_address: object;
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
  webhook_url: { reason: DestinationRefusal };
  not_allowed: object;
  /** More than an operator allows the customer. */
  above_limit: { max: number };
  outside_permissions: { words: readonly string[] };
  outside_ranges: { ranges: readonly string[] };
  /** `at`: ISO 8601. */
  after_limit: { at: string };
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
export type OperatorProblem = { key: string } & CodedProblem;

export function problemOf<Code extends ProblemCode>(key: string, code: Code, values: ProblemValues[Code]) {
  return { key, code, values };
}
