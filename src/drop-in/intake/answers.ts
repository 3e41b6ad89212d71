/** The answers of intakes: the template's for an accepted call, and the status for each of our refusals. */
import type { FieldProblem } from "../../domain/api-error.ts";
import { filledAnswer } from "../../domain/intake/answer-file.ts";
import type { IntakeAnswer } from "../../domain/intake/intake-template.ts";
import { isoTime } from "../../platform/clock.ts";
import type { DropInAnswer } from "../protocol.ts";
import type { DropInRefusal, DropInRefusalCode } from "../refusal.ts";

const json = (status: number, body: object, headers: Record<string, string> = {}): DropInAnswer => ({
  status,
  contentType: "application/json",
  body: JSON.stringify(body),
  headers,
});

/** An unknown name, a wrong secret and a wrong signature look alike. */
export const unauthorised: DropInAnswer = json(
  401,
  { code: "unauthorized", message: "The name, the secret or the signature is wrong." },
  { "WWW-Authenticate": 'Basic realm="intake"' },
);

const throttleSeconds = 60;

export const throttled: DropInAnswer = json(
  429,
  { code: "rate_limit_exceeded", message: "Too many calls with wrong secrets came from this address." },
  { "Retry-After": String(throttleSeconds) },
);

export const intakePaths = "/in/";

export const unavailable: DropInAnswer = json(
  503,
  { code: "service_unavailable", message: "The service cannot take anything right now." },
  { "Retry-After": "2" },
);

export const wrongMethod = (allowed: string): DropInAnswer =>
  json(405, { code: "method_not_allowed", message: `Use ${allowed}.` }, { Allow: allowed });

export const tooLarge = (bytesMax: number): DropInAnswer => ({
  ...json(413, { code: "payload_too_large", message: `The body may have at most ${bytesMax} bytes.` }),
  closes: true,
});

export const incomplete: DropInAnswer = {
  ...json(400, { code: "validation_failed", message: "The body did not come whole, or too slowly." }),
  closes: true,
};

export const invalidCall = (message: string, errors: readonly FieldProblem[]): DropInAnswer =>
  json(400, { code: "validation_failed", message, errors });

const statuses: Record<DropInRefusalCode, number> = {
  account_suspended: 403,
  permission_denied: 403,
  credential_ended: 401,
  sender_missing: 400,
  sender_not_permitted: 403,
  recipient_missing: 400,
  recipient_invalid: 400,
  country_not_allowed: 400,
  too_many_messages: 400,
  text_missing: 400,
  text_too_long: 400,
  text_not_clean: 400,
  reference_invalid: 400,
  schedule_out_of_range: 400,
  rate_exceeded: 429,
  quota_exceeded: 403,
  balance_exhausted: 403,
  code_limited: 429,
  not_sendable: 409,
  validation_failed: 400,
  key_invalid: 400,
  key_conflict: 409,
  callback_refused: 400,
  unavailable: 503,
  defect: 500,
};

/** `busyStatus`: used instead of 429, for callers that give up on it. */
export function refusedCall(
  { refused, words, retryAfterSeconds }: DropInRefusal,
  { busyStatus }: Pick<IntakeAnswer, "busyStatus">,
): DropInAnswer {
  const status = statuses[refused] === 429 ? busyStatus : statuses[refused];
  const headers = status === 429 || status === 503 ? { "Retry-After": String(retryAfterSeconds ?? 2) } : {};
  return json(status, { code: refused, message: words }, headers);
}

/** For an accepted call, even if it asked for nothing. */
export interface TakenCall {
  trackingCode: string;
  count: number;
  /** Epoch milliseconds. */
  acceptedAt: number;
  duplicate: boolean;
}

export function takenCall(answer: IntakeAnswer, taken: TakenCall): DropInAnswer {
  const body = filledAnswer(answer, { ...taken, acceptedAt: isoTime(taken.acceptedAt) });
  return { status: answer.status, contentType: answer.body?.type ?? "", body };
}
