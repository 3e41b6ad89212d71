/** One sample of every reason, with the words that an operator reads. */
import type { Reason, ReasonCode } from "../../src/domain/reason.ts";

const throttled = { status: 0x58, statusName: "ESME_RTHROTTLED" };

export const reasonSamples: { readonly [Code in ReasonCode]: readonly [Reason<Code>, string] } = {
  plain: [{ code: "plain", words: "Its validity ended." }, "Its validity ended."],
  validity_ended: [{ code: "validity_ended" }, "Its validity ended."],
  stopped_unanswered: [
    { code: "stopped_unanswered" },
    "Peyk stopped between handing the message over and hearing the answer.",
  ],
  accepted_late: [{ code: "accepted_late", ids: ["a", "b"] }, "The route took it as a, b"],
  certificate_refused: [
    { code: "certificate_refused", alert: "UNKNOWN_CA" },
    "the peer does not know the authority of Peyk's certificate",
  ],
  certificate_file_unreadable: [
    { code: "certificate_file_unreadable", which: "key", file: "/etc/peyk/peyk.key", words: "no such file" },
    "the key's file /etc/peyk/peyk.key cannot be read: no such file",
  ],
  http_answer_unreadable: [
    { code: "http_answer_unreadable", problem: { kind: "no_list", at: "entries" } },
    "the answer cannot be read: there is no list at entries",
  ],
  http_rests: [
    { code: "http_rests", cause: { code: "http_answered", status: 503, words: "busy" } },
    "the provider answered 503: busy; the route rests, then tries one message",
  ],
  receipts_without_id: [
    { code: "receipts_without_id", messages: 3, rule: "answer", id: { from: "json", at: "data.id" } },
    "The provider accepted the last 3 messages without an id: answer.id names the path data.id in JSON, where its answers have nothing. Receipts cannot match.",
  ],
  bound_to_second_host: [
    { code: "bound_to_second_host", bind: "operator-a 1", host: "b.example", port: 2775 },
    "operator-a 1 is bound to the second host, b.example:2775: the first does not take it.",
  ],
  queries_unknown: [
    { code: "queries_unknown" },
    "The SMSC knows no query_sm: receipts that stay out are not asked for. Remove queryAfterMinutes.",
  ],
  queries_refused: [
    {
      code: "queries_refused",
      queries: 3,
      cause: { code: "smpp_refused", status: 0x67, statusName: "ESME_RQUERYFAIL" },
    },
    "Of the last 3 queries (query_sm) none was answered with a state: the SMSC refused: ESME_RQUERYFAIL (0x67).",
  ],
  passed_over: [
    { code: "passed_over", rate: 0.612, limit: 0.8, since: 0, until: 3_600_000 },
    "It delivered 61.2 % of its messages, less than 80.0 %: passed over for the sender's next route since 1970-01-01 00:00Z, tried again at 1970-01-01 01:00Z.",
  ],
  passed_over_trial: [
    { code: "passed_over_trial", rate: 0.612, limit: 0.8, since: 0 },
    "It delivered 61.2 % of its messages, less than 80.0 %: tried with one message in ten since 1970-01-01 00:00Z.",
  ],
  receipt: [{ code: "receipt", part: 2, words: "stat:UNDELIV err:001" }, "Part 2: stat:UNDELIV err:001"],
  text_unreadable: [{ code: "text_unreadable", words: "another key" }, "another key"],
  provider_threw: [{ code: "provider_threw", words: "Error: x" }, "The provider broke off: Error: x"],
  waits_release: [
    { code: "waits_release", since: Date.UTC(2026, 10, 20, 16, 40) },
    "a copy was restored at 2026-11-20 16:40:00Z, and nothing is sent until: peyk queue release",
  ],
  resent_as: [{ code: "resent_as", trackingCode: "B" }, "sent again as B"],
  resend_of: [{ code: "resend_of", trackingCode: "A" }, "sends A again"],
  key_revoked: [
    { code: "key_revoked", keyName: "backend" },
    "its API key backend was revoked and what waited of it cancelled",
  ],
  waits_account_suspended: [{ code: "waits_account_suspended" }, "its account is suspended"],
  suppressed: [
    { code: "suppressed", list: "account", source: "keyword", detail: "30001", since: 0 },
    "the recipient is on the suppression list of the account since 1970-01-01 00:00:00Z (keyword from the phone: 30001)",
  ],
  waits_quiet_hours: [
    { code: "waits_quiet_hours", until: 0 },
    "quiet hours of its account: it waits until 1970-01-01 00:00:00Z",
  ],
  waits_due: [{ code: "waits_due", at: 0 }, "due at 1970-01-01 00:00:00Z"],
  waits_next_attempt: [{ code: "waits_next_attempt", at: 1_000 }, "its next attempt is due at 1970-01-01 00:00:01Z"],
  waits_no_route: [{ code: "waits_no_route" }, "no route of its sender is enabled"],
  waits_no_rule: [
    { code: "waits_no_rule", plan: "iran" },
    "no rule of plan iran takes it, and no route of its sender's own is enabled",
  ],
  waits_no_route_of_target: [
    { code: "waits_no_route_of_target", plan: "iran" },
    "no route of its target in plan iran is enabled",
  ],
  waits_routes_down: [
    { code: "waits_routes_down", routes: ["operator-a"], since: 0 },
    "route operator-a is down since 1970-01-01 00:00:00Z",
  ],
  waits_routes_drain: [
    { code: "waits_routes_drain", routes: ["operator-a"] },
    "route operator-a takes nothing more until: peyk route undrain operator-a",
  ],
  waits_window_full: [
    { code: "waits_window_full", route: "operator-a", unanswered: 2 },
    "the window of route operator-a is full: 2 parts are unanswered",
  ],
  waits_rate: [
    { code: "waits_rate", route: "operator-a", partsPerSecond: 2.5 },
    "route operator-a sends no more than 2.5 parts a second now",
  ],
  waits_turn: [{ code: "waits_turn", route: "operator-a" }, "its turn on route operator-a comes"],
  operator_cancelled: [{ code: "operator_cancelled" }, "the operator cancelled it"],
  no_answer: [{ code: "no_answer", peer: "smsc", afterMs: 10_000 }, "the SMSC did not answer within 10 s"],
  link_lost: [
    { code: "link_lost", cause: { code: "smsc_unbound" } },
    "the link was lost before the SMSC answered: the SMSC unbound",
  ],
  partly_accepted: [
    { code: "partly_accepted", accepted: 2, parts: 5, cause: { code: "smpp_refused", ...throttled } },
    "the carrier asks to slow down · ESME_RTHROTTLED; 2 of 5 parts were accepted",
  ],
  other_part_refused: [{ code: "other_part_refused" }, "another part of the message was refused"],
  route_stopped: [{ code: "route_stopped" }, "the route was stopped"],
  route_drains: [{ code: "route_drains" }, "the operator drained the route"],
  connection_closed: [{ code: "connection_closed" }, "the peer closed the connection"],
  not_connected: [
    { code: "not_connected", fault: "ECONNREFUSED", host: "10.0.0.5", port: 2775, words: "connect ECONNREFUSED" },
    "10.0.0.5:2775 refuses connections: nothing listens there (connect ECONNREFUSED)",
  ],
  connect_timeout: [
    { code: "connect_timeout", host: "10.0.0.5", port: 2775, afterMs: 5_000 },
    "10.0.0.5:2775 did not accept a connection within 5 s",
  ],
  tls_timeout: [
    { code: "tls_timeout", host: "10.0.0.5", port: 2775, afterMs: 5_000 },
    "10.0.0.5:2775 accepted the connection, but no TLS handshake came of it within 5 s; does it speak TLS there?",
  ],
  connection_failed: [{ code: "connection_failed", words: "read ECONNRESET" }, "read ECONNRESET"],
  smpp_refused: [
    { code: "smpp_refused", status: 0x401, statusName: null },
    "the SMSC refused: carrier's own status (0x401)",
  ],
  smpp_nack: [{ code: "smpp_nack", ...throttled }, "the SMSC answered with generic_nack: ESME_RTHROTTLED (0x58)"],
  smpp_no_bind: [{ code: "smpp_no_bind" }, "no bind of the route is up"],
  smpp_sender_invalid: [{ code: "smpp_sender_invalid" }, "SMPP carries a sender of 1 to 20 ASCII characters"],
  smpp_recipient_invalid: [{ code: "smpp_recipient_invalid" }, "SMPP carries a recipient of 1 to 20 digits"],
  not_in_gsm_alphabet: [
    { code: "not_in_gsm_alphabet", index: 3 },
    "the character at index 3 is not in the GSM 7-bit alphabet",
  ],
  bind_refused: [
    { code: "bind_refused", status: 3, statusName: "ESME_RINVCMDID", command: "generic_nack" },
    "the SMSC refused the bind: generic_nack, ESME_RINVCMDID (0x03)",
  ],
  bind_unanswered: [{ code: "bind_unanswered" }, "the SMSC did not answer the bind"],
  smsc_unbound: [{ code: "smsc_unbound" }, "the SMSC unbound"],
  unbind_unanswered: [{ code: "unbind_unanswered" }, "the SMSC did not answer the unbind"],
  unbound: [{ code: "unbound" }, "unbound"],
  client_unbound: [{ code: "client_unbound" }, "the client unbound"],
  client_silent: [{ code: "client_silent" }, "the client did not answer enquire_link"],
  client_acknowledged_nothing: [{ code: "client_acknowledged_nothing" }, "the client acknowledged nothing in time"],
  client_pdu_invalid: [{ code: "client_pdu_invalid" }, "the client sent a PDU of an invalid length"],
  client_key_ended: [{ code: "client_key_ended" }, "the credential or its key is not good any more"],
  client_address_refused: [{ code: "client_address_refused" }, "the key is not for the client's address any more"],
  bind_replaced: [{ code: "bind_replaced" }, "another bind took its place: it did not answer enquire_link"],
  link_not_bound: [{ code: "link_not_bound" }, "the SMSC says that this link is not bound"],
  submits_unanswered: [{ code: "submits_unanswered", seconds: 60 }, "the SMSC answered no submit for 60 s"],
  enquire_link_unanswered: [{ code: "enquire_link_unanswered" }, "the SMSC answered neither of two enquire_link"],
  pdu_length_invalid: [
    { code: "pdu_length_invalid", octets: 4, octetsMin: 16, octetsMax: 16_384 },
    "the peer announced a PDU of 4 octets; between 16 and 16384 can be true",
  ],
  http_answered: [{ code: "http_answered", status: 500, words: "busy" }, "the provider answered 500: busy"],
  http_unmatched: [
    { code: "http_unmatched", status: 200, words: "<html>" },
    "the provider answered 200, which no rule of the route's file matches: <html>",
  ],
  http_not_listed: [
    { code: "http_not_listed", answers: 2, messages: 3 },
    "the provider answered for 2 of 3 messages in one request, and it is not known whether this is one of them",
  ],
  http_unreachable: [
    { code: "http_unreachable", error: "ECONNREFUSED" },
    "the provider could not be reached (ECONNREFUSED)",
  ],
  http_connection_lost: [{ code: "http_connection_lost", error: "" }, "the connection broke before an answer came"],
  http_route_not_up: [{ code: "http_route_not_up", state: "resting" }, "the route is resting"],
  http_ca_file_unreadable: [{ code: "http_ca_file_unreadable", words: "ENOENT" }, "caFile cannot be read: ENOENT"],
  http_request_failed: [{ code: "http_request_failed", words: "Error: x" }, "Error: x"],
  simulated_throttling: [{ code: "simulated_throttling" }, "Simulated: too fast"],
  simulated_refusal: [{ code: "simulated_refusal" }, "Simulated: refused at submit"],
  simulated_temporary_refusal: [
    { code: "simulated_temporary_refusal", refusal: 1, refusals: 2 },
    "Simulated: busy, refusal 1 of 2",
  ],
  simulated_silence: [{ code: "simulated_silence" }, "Simulated: no answer to the submit"],
  simulator_stopped: [{ code: "simulator_stopped" }, "The simulator is stopped"],

  test_bound: [{ code: "test_bound", mode: "transceiver", systemId: "peyk" }, "transceiver as peyk"],
  test_certificate_good: [{ code: "test_certificate_good" }, "the certificate is good"],
  test_credentials_taken: [{ code: "test_credentials_taken" }, "the provider takes the credentials"],
  test_credentials_untried: [
    { code: "test_credentials_untried" },
    'credentials not tried: the route\'s file has no "probe", a request that sends no message',
  ],
  test_accepted: [{ code: "test_accepted", ids: ["a-1", null] }, "the carrier took it as a-1, no id"],
  test_simulated: [{ code: "test_simulated" }, "This route only simulates: no message leaves Peyk."],
};
