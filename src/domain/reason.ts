/** Reasons why a message failed, waits or was retried, and problems of a route: codes with values, in English. */
import type { ValuesOfSentences } from "./coded.ts";
import {
  type CertificateAlert,
  type ConnectionFault,
  type ConnectionPeer,
  englishCertificateAlerts,
  englishConnectionFaults,
} from "./connection-fault.ts";
import type { SuppressionSource } from "./suppression.ts";
import { plainTime } from "./time-text.ts";

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

type PemFile = "authority" | "certificate" | "key";

interface SuppressedRecipient {
  list: "account" | "all";
  source: SuppressionSource;
  detail: string;
  since: number;
}

/** How a text formats its values: readers differ in time zone, calendar and digits. */
export interface ReasonWriting {
  /** `at`: epoch milliseconds. */
  time(at: number): string;
  number(value: number): string;
}

/** Of a time limit in milliseconds. */
export const secondsOf = (ms: number): number => Math.round(ms / 100) / 10;

/** No text is kept from the answer to a one-time password. */
const withWords = (words: string) => (words === "" ? "" : `: ${words}`);

/** How a number came to be on a suppression list. */
const suppressionSourceNames: Readonly<Record<SuppressionSource, string>> = {
  operator: "added by the operator",
  import: "import",
  keyword: "keyword from the phone",
};

export function listProblemText(problem: ListProblem): string {
  switch (problem.kind) {
    case "no_json":
      return "the body is no JSON";
    case "no_list":
      return `there is no list at ${problem.at}`;
    case "too_long":
      return `there are more than ${problem.max} in one request`;
    case "too_many_fields":
      return `there are more than ${problem.max} fields in one request`;
    case "too_many_values":
      return `there are more than ${problem.max} values in one request, or they are nested too deeply`;
  }
}

const shortfall = ({ rate, limit, late }: { rate: number; limit: number; late?: number }) =>
  late === undefined
    ? `It delivered ${percent(rate)} of its messages, less than ${percent(limit)}`
    : `${percent(late)} of its receipts came more than five minutes late`;

const percent = (rate: number) => `${(rate * 100).toFixed(1)} %`;
const minuteText = (at: number) => `${new Date(at).toISOString().slice(0, 16).replace("T", " ")}Z`;

function carrierIdSource(id: CarrierIdSource): string {
  switch (id.from) {
    case "trackingCode":
      return "Peyk's tracking code";
    case "json":
      return `the path ${id.at} in JSON`;
    case "header":
      return `the header ${id.at}`;
    case "body":
      return `the pattern ${id.at}`;
  }
}

/** What the commonest codes of a bind's answer mean (SMPP 3.4 §5.1.3); others are shown by their name. */
const refusedBinds: Readonly<Record<string, string>> = {
  ESME_RINVPASWD: "the carrier refuses the password",
  ESME_RINVSYSID: "the carrier does not know the system id",
  ESME_RINVSYSTYP: "the carrier refuses the system type",
  ESME_RALYBND: "the carrier says that this system id is connected already",
  ESME_RBINDFAIL: "the carrier refuses the connection",
};

const refusedMessages: Readonly<Record<string, string>> = {
  ESME_RTHROTTLED: "the carrier asks to slow down",
  ESME_RMSGQFUL: "the carrier's queue is full",
  ESME_RINVDSTADR: "the carrier refuses the recipient",
  ESME_RINVSRCADR: "the carrier refuses the sender",
  ESME_RINVMSGLEN: "the carrier refuses the length of the text",
  ESME_RSUBMITFAIL: "the carrier refuses the message",
  ESME_RSYSERR: "the carrier has an error of its own",
};

/** The plain sentence first, the code behind it; null for a code without a sentence. */
function plainRefusal(
  sentences: Readonly<Record<string, string>>,
  { statusName }: Pick<SmppStatus, "statusName">,
  by = "",
): string | null {
  const sentence = statusName === null ? undefined : sentences[statusName];
  return sentence === undefined ? null : `${sentence} · ${by}${statusName}`;
}

const peerNames = { smsc: "SMSC", provider: "provider" } as const;

/** `0x58` */
export const smppCode = (status: number): string => `0x${status.toString(16).toUpperCase().padStart(2, "0")}`;

function smppStatus({ status, statusName }: SmppStatus): string {
  return `${statusName ?? "carrier's own status"} (${smppCode(status)})`;
}

/** `words`: in the carrier's or the system's words. */
const plainReasons = {
  /** An entry from before reasons had codes. */
  plain: ({ words }: { words: string }) => words,

  validity_ended: () => "Its validity ended.",
  /** A crash or a kill came between hand-over and answer. */
  stopped_unanswered: () => "Peyk stopped between handing the message over and hearing the answer.",
  /** `null` if the carrier gave a part no id. */
  accepted_late: ({ ids }: { ids: readonly (string | null)[] }) => `The route took it as ${ids.join(", ")}`,
  receipt: ({ part, words }: { part: number; words: string }) => `Part ${part}${withWords(words)}`,
  text_unreadable: ({ words }: { words: string }) => words,
  provider_threw: ({ words }: { words: string }) => `The provider broke off: ${words}`,

  /** The operator resent a failed message as a new one. */
  resent_as: ({ trackingCode }: { trackingCode: string }) => `sent again as ${trackingCode}`,
  resend_of: ({ trackingCode }: { trackingCode: string }) => `sends ${trackingCode} again`,

  /** The operator revoked the API key it came with, and cancelled the key's waiting messages. */
  key_revoked: ({ keyName }: { keyName: string }) =>
    `its API key ${keyName} was revoked and what waited of it cancelled`,
  operator_cancelled: () => "the operator cancelled it",

  /** Its recipient is on a suppression list, of the account or of all accounts, since `since` (epoch milliseconds). */
  suppressed: ({ list, source, detail, since }: SuppressedRecipient, { time }: ReasonWriting) =>
    `the recipient is on the suppression list of ${list === "all" ? "all accounts" : "the account"} since ${time(since)} (${suppressionSourceNames[source]}${withWords(detail)})`,

  /** Why it has not been handed over yet. `at` and `since`: epoch milliseconds. */
  /** After a restore. */
  waits_release: ({ since }: { since: number }, { time }: ReasonWriting) =>
    `a copy was restored at ${time(since)}, and nothing is sent until: peyk queue release`,
  waits_account_suspended: () => "its account is suspended",
  /** It was due, or its turn came, during the account's quiet hours. */
  waits_quiet_hours: ({ until }: { until: number }, { time }: ReasonWriting) =>
    `quiet hours of its account: it waits until ${time(until)}`,
  waits_due: ({ at }: { at: number }, { time }: ReasonWriting) => `due at ${time(at)}`,
  waits_next_attempt: ({ at }: { at: number }, { time }: ReasonWriting) => `its next attempt is due at ${time(at)}`,
  waits_no_route: () => "no route of its sender is enabled",
  /** No rule of the plan matches it, and its sender has no enabled route of its own. */
  waits_no_rule: ({ plan }: { plan: string }) =>
    `no rule of plan ${plan} takes it, and no route of its sender's own is enabled`,
  waits_no_route_of_target: ({ plan }: { plan: string }) => `no route of its target in plan ${plan} is enabled`,
  waits_routes_down: ({ routes, since }: { routes: readonly string[]; since: number }, { time }: ReasonWriting) =>
    `${routes.length === 1 ? "route" : "routes"} ${routes.join(", ")} ${routes.length === 1 ? "is" : "are"} down since ${time(since)}`,
  waits_routes_drain: ({ routes }: { routes: readonly string[] }) =>
    `${routes.length === 1 ? "route" : "routes"} ${routes.join(", ")} ${routes.length === 1 ? "takes" : "take"} nothing more until: peyk route undrain ${routes[0]}`,
  waits_window_full: ({ route, unanswered }: { route: string; unanswered: number }) =>
    `the window of route ${route} is full: ${unanswered} ${unanswered === 1 ? "part is" : "parts are"} unanswered`,
  /** `null`: the route is paused and has no rate of its own. */
  waits_rate: ({ route, partsPerSecond }: { route: string; partsPerSecond: number | null }) =>
    partsPerSecond === null
      ? `route ${route} pauses, as the carrier asked`
      : `route ${route} sends no more than ${Math.round(partsPerSecond * 10) / 10} parts a second now`,
  waits_turn: ({ route }: { route: string }) => `its turn on route ${route} comes`,

  no_answer: ({ peer, afterMs }: { peer: "smsc" | "provider"; afterMs: number }) =>
    `the ${peerNames[peer]} did not answer within ${secondsOf(afterMs)} s`,
  other_part_refused: () => "another part of the message was refused",
  route_stopped: () => "the route was stopped",
  route_drains: () => "the operator drained the route",
  connection_closed: () => "the peer closed the connection",
  connection_failed: ({ words }: { words: string }) => words,
  /** The peer ended an open connection with a TLS alert about Peyk's certificate. */
  certificate_refused: ({ alert }: { alert: CertificateAlert }) => englishCertificateAlerts[alert],
  /** A PEM file. `words`: the system's explanation. */
  certificate_file_unreadable: ({ which, file, words }: { which: PemFile; file: string; words: string }) =>
    `the ${which}'s file ${file} cannot be read: ${words}`,
  not_connected: ({ fault, words, ...peer }: ConnectionPeer & { fault: ConnectionFault; words: string }) =>
    `${englishConnectionFaults[fault](peer)} (${words})`,
  connect_timeout: ({ host, port, afterMs }: ConnectionPeer & { afterMs: number }) =>
    `${host}:${port} did not accept a connection within ${secondsOf(afterMs)} s`,
  tls_timeout: ({ host, port, afterMs }: ConnectionPeer & { afterMs: number }) =>
    `${host}:${port} accepted the connection, but no TLS handshake came of it within ${secondsOf(afterMs)} s; does it speak TLS there?`,

  /** `statusName`: null for a carrier-specific status. */
  smpp_refused: (status: SmppStatus) =>
    plainRefusal(refusedMessages, status) ?? `the SMSC refused: ${smppStatus(status)}`,
  smpp_nack: (status: SmppStatus) => `the SMSC answered with generic_nack: ${smppStatus(status)}`,
  smpp_no_bind: () => "no bind of the route is up",
  smpp_sender_invalid: () => "SMPP carries a sender of 1 to 20 ASCII characters",
  smpp_recipient_invalid: () => "SMPP carries a recipient of 1 to 20 digits",
  not_in_gsm_alphabet: ({ index }: { index: number }) =>
    `the character at index ${index} is not in the GSM 7-bit alphabet`,
  /** `command`: what the SMSC sent instead of an answer to the bind. */
  bind_refused: ({ command, ...status }: SmppStatus & { command: string | null }) => {
    const by = command === null ? "" : `${command}, `;
    return plainRefusal(refusedBinds, status, by) ?? `the SMSC refused the bind: ${by}${smppStatus(status)}`;
  },
  bind_unanswered: () => "the SMSC did not answer the bind",
  smsc_unbound: () => "the SMSC unbound",
  unbind_unanswered: () => "the SMSC did not answer the unbind",
  unbound: () => "unbound",
  /** How a customer's bind ended. */
  client_unbound: () => "the client unbound",
  client_silent: () => "the client did not answer enquire_link",
  client_acknowledged_nothing: () => "the client acknowledged nothing in time",
  client_pdu_invalid: () => "the client sent a PDU of an invalid length",
  client_key_ended: () => "the credential or its key is not good any more",
  client_address_refused: () => "the key is not for the client's address any more",
  bind_replaced: () => "another bind took its place: it did not answer enquire_link",
  /** Reported by the SMSC about a bound link. */
  link_not_bound: () => "the SMSC says that this link is not bound",
  submits_unanswered: ({ seconds }: { seconds: number }) => `the SMSC answered no submit for ${seconds} s`,
  enquire_link_unanswered: () => "the SMSC answered neither of two enquire_link",
  pdu_length_invalid: ({ octets, octetsMin, octetsMax }: { octets: number; octetsMin: number; octetsMax: number }) =>
    `the peer announced a PDU of ${octets} octets; between ${octetsMin} and ${octetsMax} can be true`,

  /** `carrierCode`: the path and value in a JSON answer, `status 14`; only values that the route's template lists. */
  http_answered: ({ status, words }: { status: number; words: string; carrierCode?: string }) =>
    `the provider answered ${status}${withWords(words)}`,
  /** Like `http_answered`, but no rule of the route's template matches. */
  http_unmatched: ({ status, words }: { status: number; words: string }) =>
    `the provider answered ${status}, which no rule of the route's file matches${withWords(words)}`,
  /** The answer to a request with several messages does not mention this one. */
  http_not_listed: ({ answers, messages }: { answers: number; messages: number }) =>
    `the provider answered for ${answers} of ${messages} messages in one request, and it is not known whether this is one of them`,
  /** `error`: the system's code, such as ECONNREFUSED; empty if it gave none. */
  http_answer_unreadable: ({ problem }: { problem: ListProblem }) =>
    `the answer cannot be read: ${listProblemText(problem)}`,
  http_unreachable: ({ error }: { error: string }) => `the provider could not be reached (${error})`,
  http_connection_lost: ({ error }: { error: string }) =>
    `the connection broke before an answer came${error === "" ? "" : ` (${error})`}`,
  http_route_not_up: ({ state }: { state: string }) => `the route is ${state}`,
  http_ca_file_unreadable: ({ words }: { words: string }) => `caFile cannot be read: ${words}`,
  http_request_failed: ({ words }: { words: string }) => words,

  /** Problems to fix although the route is up. */
  /** The last `messages` were accepted without an id: there is none where the route's file looks for it. */
  receipts_without_id: ({ messages, rule, id }: { messages: number; rule: "answer" | "batch"; id: CarrierIdSource }) =>
    `The provider accepted ${messages === 1 ? "the last message" : `the last ${messages} messages`} without an id: ${rule}.id names ${carrierIdSource(id)}, where its answers have nothing. Receipts cannot match.`,
  bound_to_second_host: ({ bind, host, port }: ConnectionPeer & { bind: string }) =>
    `${bind} is bound to the second host, ${host}:${port}: the first does not take it.`,
  /** The SMSC does not support `query_sm`. */
  queries_unknown: () =>
    "The SMSC knows no query_sm: receipts that stay out are not asked for. Remove queryAfterMinutes.",
  /**
   * By its messages; `rate` and `limit` from 0 to 1, the others epoch milliseconds. `late`: the share of receipts that
   * came over five minutes late, if that was why.
   */
  passed_over: ({
    since,
    until,
    ...why
  }: {
    rate: number;
    limit: number;
    late?: number;
    since: number;
    until: number;
  }) =>
    `${shortfall(why)}: passed over for the sender's next route since ${minuteText(since)}, tried again at ${minuteText(until)}.`,
  passed_over_trial: ({ since, ...why }: { rate: number; limit: number; late?: number; since: number }) =>
    `${shortfall(why)}: tried with one message in ten since ${minuteText(since)}.`,

  simulated_throttling: () => "Simulated: too fast",
  simulated_refusal: () => "Simulated: refused at submit",
  simulated_temporary_refusal: ({ refusal, refusals }: { refusal: number; refusals: number }) =>
    `Simulated: busy, refusal ${refusal} of ${refusals}`,
  simulated_silence: () => "Simulated: no answer to the submit",
  simulator_stopped: () => "The simulator is stopped",

  /** Steps of a route's test. `mode`: transceiver, transmitter or receiver. */
  test_bound: ({ mode, systemId }: { mode: string; systemId: string }) => `${mode} as ${systemId}`,
  test_certificate_good: () => "the certificate is good",
  test_credentials_taken: () => "the provider takes the credentials",
  test_credentials_untried: () =>
    'credentials not tried: the route\'s file has no "probe", a request that sends no message',
  /** `ids`: the carrier's, one per part; null if it gave none. */
  test_accepted: ({ ids }: { ids: readonly (string | null)[] }) =>
    `the carrier took it as ${ids.map((id) => id ?? "no id").join(", ")}`,
  test_simulated: () => "This route only simulates: no message leaves Peyk.",
};

/** `cause`: the underlying reason. */
interface ValuesWithCause {
  link_lost: { cause: Reason };
  partly_accepted: { accepted: number; parts: number; cause: Reason };
  /** The route takes no messages for a while, then tries one. */
  http_rests: { cause: Reason };
  queries_refused: { queries: number; cause: Reason };
}

export type ReasonValues = ValuesOfSentences<typeof plainReasons> & ValuesWithCause;
export type ReasonCode = keyof ReasonValues;
export type Reason<Code extends ReasonCode = ReasonCode> = { [C in Code]: { code: C } & ReasonValues[C] }[Code];

/** `cause` puts the underlying reason into the same language. */
type TextsOf<Codes extends ReasonCode> = {
  readonly [Code in Codes]: (
    values: ReasonValues[Code],
    write: ReasonWriting & { cause(reason: Reason): string },
  ) => string;
};
export type ReasonTexts = TextsOf<ReasonCode>;

const reasonsWithCause: TextsOf<keyof ValuesWithCause> = {
  link_lost: ({ cause }, write) => `the link was lost before the SMSC answered: ${write.cause(cause)}`,
  partly_accepted: ({ accepted, parts, cause }, write) =>
    `${write.cause(cause)}; ${accepted} of ${parts} parts were accepted`,
  /** The route takes no messages for a while, then tries one. */
  http_rests: ({ cause }, write) => `${write.cause(cause)}; the route rests, then tries one message`,
  queries_refused: ({ queries, cause }, write) =>
    `Of the last ${queries} queries (query_sm) none was answered with a state: ${write.cause(cause)}.`,
};

export const englishReasons: ReasonTexts = { ...plainReasons, ...reasonsWithCause };

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

/** As used in logs and on the command line. */
const plainWriting: ReasonWriting = {
  time: plainTime,
  number: String,
};

export function describeReason<Code extends ReasonCode>(
  reason: Reason<Code>,
  texts = englishReasons,
  writing = plainWriting,
): string {
  // A newer version may have stored a code that this one does not know.
  if (!Object.hasOwn(texts, reason.code)) return JSON.stringify(reason);
  return texts[reason.code](reason, { ...writing, cause: (cause) => describeReason(cause, texts, writing) });
}
