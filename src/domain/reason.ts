/** Reasons why a message failed, waits or was tried again, and what is wrong with a route: a code and its values. `reason-text.ts` puts them into words. */
import type { CertificateAlert, ConnectionFault, ConnectionPeer } from "./connection-fault.ts";
import type { SuppressionSource } from "./suppression.ts";

/** The values of each code. `words`: as the carrier or the system wrote them. `cause`: the reason behind this one. */
export interface ReasonValues {
  /** An entry of the time before reasons had codes. */
  plain: { words: string };

  validity_ended: object;
  /** A crash or a kill came between the hand-over and the answer. */
  stopped_unanswered: object;
  /** `null` where the carrier gave a part no id. */
  accepted_late: { ids: readonly (string | null)[] };
  receipt: { part: number; words: string };
  text_unreadable: { words: string };
  provider_threw: { words: string };

  /** The operator sent a failed message again, as a new one. */
  resent_as: { trackingCode: string };
  resend_of: { trackingCode: string };

  /** The operator revoked the API key that it came with, and cancelled what waited of it. */
  key_revoked: { keyName: string };
  operator_cancelled: object;

  /** Its recipient is on a suppression list, of the account or of all accounts, since `since` (epoch milliseconds). */
  suppressed: { list: "account" | "all"; source: SuppressionSource; detail: string; since: number };

  /** Why it is not handed over yet. `at` and `since`: epoch milliseconds. */
  /** After a restore. */
  waits_release: { since: number };
  waits_account_suspended: object;
  waits_due: { at: number };
  /** Its due time lay in the account's quiet hours, or its turn came in them. */
  waits_quiet_hours: { until: number };
  waits_next_attempt: { at: number };
  waits_no_route: object;
  /** No rule of the plan takes it, and its sender has no route of its own that is enabled. */
  waits_no_rule: { plan: string };
  waits_no_route_of_target: { plan: string };
  waits_routes_down: { routes: readonly string[]; since: number };
  waits_routes_drain: { routes: readonly string[] };
  waits_window_full: { route: string; unanswered: number };
  /** `null`: the route pauses and has no rate of its own. */
  waits_rate: { route: string; partsPerSecond: number | null };
  waits_turn: { route: string };

  no_answer: { peer: "smsc" | "provider"; afterMs: number };
  link_lost: { cause: Reason };
  partly_accepted: { accepted: number; parts: number; cause: Reason };
  other_part_refused: object;
  route_stopped: object;
  connection_closed: object;
  connection_failed: { words: string };
  /** An open connection was ended by an alert of TLS about Peyk's certificate. */
  certificate_refused: { alert: CertificateAlert };
  /** A PEM file. `words`: as the system says why. */
  certificate_file_unreadable: { which: "authority" | "certificate" | "key"; file: string; words: string };
  not_connected: ConnectionPeer & { fault: ConnectionFault; words: string };
  connect_timeout: ConnectionPeer & { afterMs: number };
  tls_timeout: ConnectionPeer & { afterMs: number };

  /** `statusName`: null for a status of the carrier's own. */
  smpp_refused: SmppStatus;
  smpp_nack: SmppStatus;
  smpp_no_bind: object;
  smpp_sender_invalid: object;
  smpp_recipient_invalid: object;
  not_in_gsm_alphabet: { index: number };
  /** `command`: what the SMSC answered with, where that was no answer to the bind. */
  bind_refused: SmppStatus & { command: string | null };
  bind_unanswered: object;
  smsc_unbound: object;
  unbind_unanswered: object;
  unbound: object;
  /** The SMSC says so of a link that was bound. */
  link_not_bound: object;
  submits_unanswered: { seconds: number };
  enquire_link_unanswered: object;
  pdu_length_invalid: { octets: number; octetsMin: number; octetsMax: number };

  /** `carrierCode`: where and how a JSON answer says it, `status 14`; only values that the route's template lists. */
  http_answered: { status: number; words: string; carrierCode?: string };
  /** As `http_answered`, and no rule of the route's template says what it means. */
  http_unmatched: { status: number; words: string };
  /** The answer to a request of many messages does not speak of this one. */
  http_not_listed: { answers: number; messages: number };
  /** `error`: the system's code, such as ECONNREFUSED; empty where it gave none. */
  http_answer_unreadable: { problem: ListProblem };
  /** The route takes no message for a while, then tries one. */
  http_rests: { cause: Reason };
  http_unreachable: { error: string };
  http_connection_lost: { error: string };
  http_route_not_up: { state: string };
  http_ca_file_unreadable: { words: string };
  http_request_failed: { words: string };

  /** What should be mended though the route is up. */
  /** The last `messages` were accepted without an id: nothing stands where the route's file looks for it. */
  receipts_without_id: { messages: number; rule: "answer" | "batch"; id: CarrierIdSource };
  bound_to_second_host: ConnectionPeer & { bind: string };
  /** The SMSC knows no `query_sm`. */
  queries_unknown: object;
  queries_refused: { queries: number; cause: Reason };
  /** Of its messages; `rate` and `limit` from 0 to 1, the others epoch milliseconds. */
  passed_over: { rate: number; limit: number; since: number; until: number };
  passed_over_trial: { rate: number; limit: number; since: number };

  simulated_throttling: object;
  simulated_refusal: object;
  simulated_temporary_refusal: { refusal: number; refusals: number };
  simulated_silence: object;
  simulator_stopped: object;

  /** Steps of a route's test. `mode`: transceiver, transmitter or receiver. */
  test_bound: { mode: string; systemId: string };
  test_certificate_good: object;
  test_credentials_taken: object;
  test_credentials_untried: object;
  /** `ids`: the carrier's, one for each part; null where it named none. */
  test_accepted: { ids: readonly (string | null)[] };
  test_simulated: object;
}

/** What is wrong with the list of reports or texts in a call or an answer. `at`: where the route's file looks for it. */
export type ListProblem =
  | { kind: "no_json" }
  | { kind: "no_list"; at: string }
  | { kind: "too_long" | "too_many_fields" | "too_many_values"; max: number };

/** Where a route's file looks for the carrier's id. */
export type CarrierIdSource = { from: "trackingCode" } | { from: "json" | "header" | "body"; at: string };

interface SmppStatus {
  status: number;
  statusName: string | null;
}

export type ReasonCode = keyof ReasonValues;
export type Reason<Code extends ReasonCode = ReasonCode> = { [C in Code]: { code: C } & ReasonValues[C] }[Code];

/** Changes the words in a reason that are not Peyk's own. */
export function mapWords(reason: Reason, change: (words: string) => string): Reason {
  if ("cause" in reason) return { ...reason, cause: mapWords(reason.cause, change) };
  return "words" in reason ? { ...reason, words: change(reason.words) } : reason;
}

/** Carriers can be talkative; this many characters of each text are kept. */
const textLengthMax = 500;

/** A reason as it is stored. */
export function encodeReason(reason: Reason): string {
  return JSON.stringify(reason, (_, value) => (typeof value === "string" ? value.slice(0, textLengthMax) : value));
}

/** Reads what `encodeReason` wrote; anything else is a sentence from the time before reasons had codes. */
export function decodeReason(stored: string): Reason {
  return stored.startsWith('{"code":') ? JSON.parse(stored) : { code: "plain", words: stored };
}
