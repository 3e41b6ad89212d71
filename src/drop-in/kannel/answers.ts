/** Kannel's answers, and which of them each of our refusals becomes. */
import type { DropInAnswer } from "../protocol.ts";
import type { DropInRefusal, DropInRefusalCode } from "../refusal.ts";

export const kannelAnswer = (status: number, body: string): DropInAnswer => ({
  status,
  contentType: "text/html",
  body,
});

const temporaryFailure = "Temporal failure, try again later.";
const denied = "Number(s) has/have been denied by white- and/or black-lists.";
const unauthorised = "Authorization failed for sendsms";
const badBody = "Charset or body misformed, rejected";

/** 503 only where retrying helps, since it makes Kannel's clients send again. */
const answers: Record<DropInRefusalCode, readonly [status: number, body: string]> = {
  account_suspended: [403, unauthorised],
  permission_denied: [403, unauthorised],
  credential_ended: [403, unauthorised],
  sender_missing: [400, "Sender missing and no global set, rejected"],
  sender_not_permitted: [400, "Sender missing and no global set, rejected"],
  recipient_missing: [400, "Missing receiver number, rejected"],
  recipient_invalid: [400, denied],
  country_not_allowed: [400, denied],
  too_many_messages: [400, denied],
  text_missing: [400, badBody],
  text_too_long: [400, badBody],
  text_not_clean: [400, badBody],
  reference_invalid: [400, badBody],
  schedule_out_of_range: [400, "Deferred field misformed, rejected"],
  rate_exceeded: [503, temporaryFailure],
  quota_exceeded: [403, unauthorised],
  balance_exhausted: [403, unauthorised],
  code_limited: [503, temporaryFailure],
  not_sendable: [400, badBody],
  validation_failed: [400, badBody],
  key_invalid: [400, badBody],
  key_conflict: [400, badBody],
  callback_refused: [400, "DLR-URL field misformed, rejected"],
  unavailable: [503, temporaryFailure],
  defect: [500, "Sending failed."],
};

export function answerOf({
  refused,
  retryAfterSeconds,
}: Pick<DropInRefusal, "refused" | "retryAfterSeconds">): DropInAnswer {
  const [status, body] = answers[refused];
  const answer = kannelAnswer(status, body);
  if (status !== 503) return answer;
  return { ...answer, headers: { "Retry-After": String(retryAfterSeconds ?? retrySeconds) } };
}

const retrySeconds = 2;

/** Refusals made before a request is examined. */
export const defects = {
  wrongSecret: { refused: "credential_ended", retryAfterSeconds: null },
  unavailable: { refused: "unavailable", retryAfterSeconds: null },
} as const satisfies Record<string, Pick<DropInRefusal, "refused" | "retryAfterSeconds">>;

/** Kannel has other services here that Peyk lacks: `/cgi-bin/xmlrpc`, `/cgi-bin/sendota`. */
export const kannelPaths = "/cgi-bin/";

export const kannelUnavailable: DropInAnswer = answerOf(defects.unavailable);
