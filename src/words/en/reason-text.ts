/** English: why a message waits, failed or was retried. `fa/reason-text.ts` is the same in Persian. */

import type { CertificateAlert, ConnectionFault, ConnectionPeer } from "../../domain/connection-fault.ts";
import type { CarrierIdSource, ListProblem, Reason, ReasonCode, ReasonValues } from "../../domain/reason.ts";
import type { SuppressionSource } from "../../domain/suppression.ts";
import { plainTime } from "../../domain/time-text.ts";

/** How a text formats its values: readers differ in time zone, calendar and digits. */
export interface ReasonWriting {
  /** `at`: epoch milliseconds. */
  time(at: number): string;
  number(value: number): string;
}

/** `cause` puts the underlying reason into the same language. */
export type ReasonTexts = {
  readonly [Code in ReasonCode]: (
    values: ReasonValues[Code],
    write: ReasonWriting & { cause(reason: Reason): string },
  ) => string;
};

/** Of a time limit in milliseconds. */
export const secondsOf = (ms: number): number => Math.round(ms / 100) / 10;

const unknownAuthority = () => "the certificate's authority is not in the authority's file";

const englishConnectionFaults: Readonly<Record<ConnectionFault, (peer: ConnectionPeer) => string>> = {
  ENOTFOUND: ({ host }) => `the name ${host} does not resolve`,
  EAI_AGAIN: ({ host }) => `the name ${host} could not be looked up`,
  ECONNREFUSED: ({ host, port }) => `${host}:${port} refuses connections: nothing listens there`,
  EHOSTUNREACH: ({ host }) => `${host} is unreachable`,
  ENETUNREACH: ({ host }) => `the network of ${host} is unreachable`,
  ETIMEDOUT: ({ host, port }) => `${host}:${port} did not answer`,
  CERT_HAS_EXPIRED: () => "the certificate has expired",
  CERT_NOT_YET_VALID: () => "the certificate is not valid yet",
  DEPTH_ZERO_SELF_SIGNED_CERT: () => "the certificate is self-signed and its authority's file is not set",
  SELF_SIGNED_CERT_IN_CHAIN: unknownAuthority,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unknownAuthority,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: () =>
    "the certificate is not signed by a known authority; name its authority's file",
  ERR_TLS_CERT_ALTNAME_INVALID: () => "the certificate is for another name",
  ERR_SSL_WRONG_VERSION_NUMBER: ({ host, port }) => `${host}:${port} does not speak TLS`,
};

const refused = "the peer refuses Peyk's certificate";

const englishCertificateAlerts: Readonly<Record<CertificateAlert, string>> = {
  CERTIFICATE_REQUIRED: "the peer asks for a certificate of Peyk's own: tls.certFile and tls.keyFile",
  UNKNOWN_CA: "the peer does not know the authority of Peyk's certificate",
  CERTIFICATE_EXPIRED: "the peer says that Peyk's certificate has expired",
  CERTIFICATE_REVOKED: "the peer says that Peyk's certificate was revoked",
  BAD_CERTIFICATE: refused,
  CERTIFICATE_UNKNOWN: refused,
  UNSUPPORTED_CERTIFICATE: refused,
  ACCESS_DENIED: refused,
};

export const englishReasons: ReasonTexts = {
  plain: ({ words }) => words,

  validity_ended: () => "Its validity ended.",
  stopped_unanswered: () => "Peyk stopped between handing the message over and hearing the answer.",
  accepted_late: ({ ids }) => `The route took it as ${ids.join(", ")}`,
  receipt: ({ part, words }) => `Part ${part}${withWords(words)}`,
  text_unreadable: ({ words }) => words,
  provider_threw: ({ words }) => `The provider broke off: ${words}`,

  waits_release: ({ since }, { time }) =>
    `a copy was restored at ${time(since)}, and nothing is sent until: peyk queue release`,
  resent_as: ({ trackingCode }) => `sent again as ${trackingCode}`,
  resend_of: ({ trackingCode }) => `sends ${trackingCode} again`,

  key_revoked: ({ keyName }) => `its API key ${keyName} was revoked and what waited of it cancelled`,
  operator_cancelled: () => "the operator cancelled it",

  suppressed: ({ list, source, detail, since }, { time }) =>
    `the recipient is on the suppression list of ${list === "all" ? "all accounts" : "the account"} since ${time(since)} (${suppressionSourceNames[source]}${withWords(detail)})`,

  waits_account_suspended: () => "its account is suspended",
  waits_quiet_hours: ({ until }, { time }) => `quiet hours of its account: it waits until ${time(until)}`,
  waits_due: ({ at }, { time }) => `due at ${time(at)}`,
  waits_next_attempt: ({ at }, { time }) => `its next attempt is due at ${time(at)}`,
  waits_no_route: () => "no route of its sender is enabled",
  waits_no_rule: ({ plan }) => `no rule of plan ${plan} takes it, and no route of its sender's own is enabled`,
  waits_no_route_of_target: ({ plan }) => `no route of its target in plan ${plan} is enabled`,
  waits_routes_down: ({ routes, since }, { time }) =>
    `${routes.length === 1 ? "route" : "routes"} ${routes.join(", ")} ${routes.length === 1 ? "is" : "are"} down since ${time(since)}`,
  waits_routes_drain: ({ routes }) =>
    `${routes.length === 1 ? "route" : "routes"} ${routes.join(", ")} ${routes.length === 1 ? "takes" : "take"} nothing more until: peyk route undrain ${routes[0]}`,
  waits_window_full: ({ route, unanswered }) =>
    `the window of route ${route} is full: ${unanswered} ${unanswered === 1 ? "part is" : "parts are"} unanswered`,
  waits_rate: ({ route, partsPerSecond }) =>
    partsPerSecond === null
      ? `route ${route} pauses, as the carrier asked`
      : `route ${route} sends no more than ${Math.round(partsPerSecond * 10) / 10} parts a second now`,
  waits_turn: ({ route }) => `its turn on route ${route} comes`,

  no_answer: ({ peer, afterMs }) => `the ${peerNames[peer]} did not answer within ${secondsOf(afterMs)} s`,
  link_lost: ({ cause }, write) => `the link was lost before the SMSC answered: ${write.cause(cause)}`,
  partly_accepted: ({ accepted, parts, cause }, write) =>
    `${write.cause(cause)}; ${accepted} of ${parts} parts were accepted`,
  other_part_refused: () => "another part of the message was refused",
  route_stopped: () => "the route was stopped",
  connection_closed: () => "the peer closed the connection",
  connection_failed: ({ words }) => words,
  certificate_refused: ({ alert }) => englishCertificateAlerts[alert],
  certificate_file_unreadable: ({ which, file, words }) => `the ${which}'s file ${file} cannot be read: ${words}`,
  not_connected: ({ fault, words, ...peer }) => `${englishConnectionFaults[fault](peer)} (${words})`,
  connect_timeout: ({ host, port, afterMs }) =>
    `${host}:${port} did not accept a connection within ${secondsOf(afterMs)} s`,
  tls_timeout: ({ host, port, afterMs }) =>
    `${host}:${port} accepted the connection, but no TLS handshake came of it within ${secondsOf(afterMs)} s; does it speak TLS there?`,

  smpp_refused: (status) => plainRefusal(refusedMessages, status) ?? `the SMSC refused: ${smppStatus(status)}`,
  smpp_nack: (status) => `the SMSC answered with generic_nack: ${smppStatus(status)}`,
  smpp_no_bind: () => "no bind of the route is up",
  smpp_sender_invalid: () => "SMPP carries a sender of 1 to 20 ASCII characters",
  smpp_recipient_invalid: () => "SMPP carries a recipient of 1 to 20 digits",
  not_in_gsm_alphabet: ({ index }) => `the character at index ${index} is not in the GSM 7-bit alphabet`,
  bind_refused: ({ command, ...status }) => {
    const by = command === null ? "" : `${command}, `;
    return plainRefusal(refusedBinds, status, by) ?? `the SMSC refused the bind: ${by}${smppStatus(status)}`;
  },
  bind_unanswered: () => "the SMSC did not answer the bind",
  smsc_unbound: () => "the SMSC unbound",
  unbind_unanswered: () => "the SMSC did not answer the unbind",
  unbound: () => "unbound",
  link_not_bound: () => "the SMSC says that this link is not bound",
  submits_unanswered: ({ seconds }) => `the SMSC answered no submit for ${seconds} s`,
  enquire_link_unanswered: () => "the SMSC answered neither of two enquire_link",
  pdu_length_invalid: ({ octets, octetsMin, octetsMax }) =>
    `the peer announced a PDU of ${octets} octets; between ${octetsMin} and ${octetsMax} can be true`,

  http_answered: ({ status, words }) => `the provider answered ${status}${withWords(words)}`,
  http_unmatched: ({ status, words }) =>
    `the provider answered ${status}, which no rule of the route's file matches${withWords(words)}`,
  http_not_listed: ({ answers, messages }) =>
    `the provider answered for ${answers} of ${messages} messages in one request, and it is not known whether this is one of them`,
  http_answer_unreadable: ({ problem }) => `the answer cannot be read: ${listProblemText(problem)}`,
  http_rests: ({ cause }, write) => `${write.cause(cause)}; the route rests, then tries one message`,
  http_unreachable: ({ error }) => `the provider could not be reached (${error})`,
  http_connection_lost: ({ error }) => `the connection broke before an answer came${error === "" ? "" : ` (${error})`}`,
  http_route_not_up: ({ state }) => `the route is ${state}`,
  http_ca_file_unreadable: ({ words }) => `caFile cannot be read: ${words}`,
  http_request_failed: ({ words }) => words,

  receipts_without_id: ({ messages, rule, id }) =>
    `The provider accepted ${messages === 1 ? "the last message" : `the last ${messages} messages`} without an id: ${rule}.id names ${carrierIdSource(id)}, where its answers have nothing. Receipts cannot match.`,
  bound_to_second_host: ({ bind, host, port }) =>
    `${bind} is bound to the second host, ${host}:${port}: the first does not take it.`,
  queries_unknown: () =>
    "The SMSC knows no query_sm: receipts that stay out are not asked for. Remove queryAfterMinutes.",
  queries_refused: ({ queries, cause }, write) =>
    `Of the last ${queries} queries (query_sm) none was answered with a state: ${write.cause(cause)}.`,
  passed_over: ({ since, until, ...why }) =>
    `${shortfall(why)}: passed over for the sender's next route since ${minuteText(since)}, tried again at ${minuteText(until)}.`,
  passed_over_trial: ({ since, ...why }) =>
    `${shortfall(why)}: tried with one message in ten since ${minuteText(since)}.`,

  simulated_throttling: () => "Simulated: too fast",
  simulated_refusal: () => "Simulated: refused at submit",
  simulated_temporary_refusal: ({ refusal, refusals }) => `Simulated: busy, refusal ${refusal} of ${refusals}`,
  simulated_silence: () => "Simulated: no answer to the submit",
  simulator_stopped: () => "The simulator is stopped",

  test_bound: ({ mode, systemId }) => `${mode} as ${systemId}`,
  test_certificate_good: () => "the certificate is good",
  test_credentials_taken: () => "the provider takes the credentials",
  test_credentials_untried: () =>
    'credentials not tried: the route\'s file has no "probe", a request that sends no message',
  test_accepted: ({ ids }) => `the carrier took it as ${ids.map((id) => id ?? "no id").join(", ")}`,
  test_simulated: () => "This route only simulates: no message leaves Peyk.",
};

/** As used in logs and on the command line. */
const plainWriting: ReasonWriting = {
  time: plainTime,
  number: String,
};

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
  { statusName }: Pick<ReasonValues["smpp_refused"], "statusName">,
  by = "",
): string | null {
  const sentence = statusName === null ? undefined : sentences[statusName];
  return sentence === undefined ? null : `${sentence} · ${by}${statusName}`;
}

const peerNames = { smsc: "SMSC", provider: "provider" } as const;

/** `0x58` */
export const smppCode = (status: number): string => `0x${status.toString(16).toUpperCase().padStart(2, "0")}`;

function smppStatus({ status, statusName }: Pick<ReasonValues["smpp_refused"], "status" | "statusName">): string {
  return `${statusName ?? "carrier's own status"} (${smppCode(status)})`;
}

export function describeReason<Code extends ReasonCode>(
  reason: Reason<Code>,
  texts = englishReasons,
  writing = plainWriting,
): string {
  // A newer version may have stored a code that this one does not know.
  if (!Object.hasOwn(texts, reason.code)) return JSON.stringify(reason);
  return texts[reason.code](reason, { ...writing, cause: (cause) => describeReason(cause, texts, writing) });
}
