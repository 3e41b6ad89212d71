/**
 * Reasons why a message failed, waits or was retried, and problems of a route: a code and its values. `src/words`
 * puts them into sentences.
 */
import type { CertificateAlert, ConnectionFault, ConnectionPeer } from "./connection-fault.ts";
import type { SuppressionSource } from "./suppression.ts";

/** The values of each code. `words`: in the carrier's or the system's words. `cause`: the underlying reason. */
export interface ReasonValues {
  /** An entry from before reasons had codes. */
  plain: { words: string };

  validity_ended: object;
  /** A crash or a kill came between hand-over and answer. */
  stopped_unanswered: object;
  /** `null` if the carrier gave a part no id. */
  accepted_late: { ids: readonly (string | null)[] };
  receipt: { part: number; words: string };
  text_unreadable: { words: string };
  provider_threw: { words: string };

  /** The operator resent a failed message as a new one. */
  resent_as: { trackingCode: string };
  resend_of: { trackingCode: string };

  /** The operator revoked the API key it came with, and cancelled the key's waiting messages. */
  key_revoked: { keyName: string };
  operator_cancelled: object;

  /** Its recipient is on a suppression list, of the account or of all accounts, since `since` (epoch milliseconds). */
  suppressed: { list: "account" | "all"; source: SuppressionSource; detail: string; since: number };

  /** Why it has not been handed over yet. `at` and `since`: epoch milliseconds. */
  /** After a restore. */
  waits_release: { since: number };
  waits_account_suspended: object;
  waits_due: { at: number };
  /** It was due, or its turn came, during the account's quiet hours. */
  waits_quiet_hours: { until: number };
  waits_next_attempt: { at: number };
  waits_no_route: object;
  /** No rule of the plan matches it, and its sender has no enabled route of its own. */
  waits_no_rule: { plan: string };
  waits_no_route_of_target: { plan: string };
  waits_routes_down: { routes: readonly string[]; since: number };
  waits_routes_drain: { routes: readonly string[] };
  waits_window_full: { route: string; unanswered: number };
  /** `null`: the route is paused and has no rate of its own. */
  waits_rate: { route: string; partsPerSecond: number | null };
  waits_turn: { route: string };

  no_answer: { peer: "smsc" | "provider"; afterMs: number };
  link_lost: { cause: Reason };
  partly_accepted: { accepted: number; parts: number; cause: Reason };
  other_part_refused: object;
  route_stopped: object;
  connection_closed: object;
  connection_failed: { words: string };
  /** The peer ended an open connection with a TLS alert about Peyk's certificate. */
  certificate_refused: { alert: CertificateAlert };
  /** A PEM file. `words`: the system's explanation. */
  certificate_file_unreadable: { which: "authority" | "certificate" | "key"; file: string; words: string };
  not_connected: ConnectionPeer & { fault: ConnectionFault; words: string };
  connect_timeout: ConnectionPeer & { afterMs: number };
  tls_timeout: ConnectionPeer & { afterMs: number };

  /** `statusName`: null for a carrier-specific status. */
  smpp_refused: SmppStatus;
  smpp_nack: SmppStatus;
  smpp_no_bind: object;
  smpp_sender_invalid: object;
  smpp_recipient_invalid: object;
  not_in_gsm_alphabet: { index: number };
  /** `command`: what the SMSC sent instead of an answer to the bind. */
  bind_refused: SmppStatus & { command: string | null };
  bind_unanswered: object;
  smsc_unbound: object;
  unbind_unanswered: object;
  unbound: object;
  /** Reported by the SMSC about a bound link. */
  link_not_bound: object;
  submits_unanswered: { seconds: number };
  enquire_link_unanswered: object;
  pdu_length_invalid: { octets: number; octetsMin: number; octetsMax: number };

  /** `carrierCode`: the path and value in a JSON answer, `status 14`; only values that the route's template lists. */
  http_answered: { status: number; words: string; carrierCode?: string };
  /** Like `http_answered`, but no rule of the route's template matches. */
  http_unmatched: { status: number; words: string };
  /** The answer to a request with several messages does not mention this one. */
  http_not_listed: { answers: number; messages: number };
  /** `error`: the system's code, such as ECONNREFUSED; empty if it gave none. */
  http_answer_unreadable: { problem: ListProblem };
  /** The route takes no messages for a while, then tries one. */
  http_rests: { cause: Reason };
  http_unreachable: { error: string };
  http_connection_lost: { error: string };
  http_route_not_up: { state: string };
  http_ca_file_unreadable: { words: string };
  http_request_failed: { words: string };

  /** Problems to fix although the route is up. */
  /** The last `messages` were accepted without an id: there is none where the route's file looks for it. */
  receipts_without_id: { messages: number; rule: "answer" | "batch"; id: CarrierIdSource };
  bound_to_second_host: ConnectionPeer & { bind: string };
  /** The SMSC does not support `query_sm`. */
  queries_unknown: object;
  queries_refused: { queries: number; cause: Reason };
  /**
   * By its messages; `rate` and `limit` from 0 to 1, the others epoch milliseconds. `late`: the share of receipts that
   * came over five minutes late, if that was why.
   */
  passed_over: { rate: number; limit: number; late?: number; since: number; until: number };
  passed_over_trial: { rate: number; limit: number; late?: number; since: number };

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
  /** `ids`: the carrier's, one per part; null if it gave none. */
  test_accepted: { ids: readonly (string | null)[] };
  test_simulated: object;
}

/**
 * What is wrong with the list of reports or texts in a call or an answer. `at`: where the route's file looks for it.
 */
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

/** Changes the parts of a reason that are not Peyk's own words. */
export function mapWords(reason: Reason, change: (words: string) => string): Reason {
  if ("cause" in reason) return { ...reason, cause: mapWords(reason.cause, change) };
  return "words" in reason ? { ...reason, words: change(reason.words) } : reason;
}

/** Carriers can be verbose; this many characters of each text are kept. */
const textLengthMax = 500;

/** A reason as it is stored. */
export function encodeReason(reason: Reason): string {
  return JSON.stringify(reason, (_, value) => (typeof value === "string" ? value.slice(0, textLengthMax) : value));
}

/** Parses the output of `encodeReason`; anything else is a sentence from before reasons had codes. */
export function decodeReason(stored: string): Reason {
  return stored.startsWith('{"code":') ? JSON.parse(stored) : { code: "plain", words: stored };
}
