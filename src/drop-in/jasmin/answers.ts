/** Jasmin's answers, and which of them each of our refusals becomes. */
import type { DropInAnswer } from "../protocol.ts";
import { type DropInRefusal, type DropInRefusalCode, refuse } from "../refusal.ts";

/** The result of a request, before it is written as text, JSON or REST. */
export interface JasminResult {
  status: number;
  words: string;
  retryAfterSeconds?: number | null;
}

type WordsOf = (user: string) => string;

const filtered =
  (field: string): WordsOf =>
  (user) =>
    `Value filter failed for user [${user}] (${field} filter mismatch).`;
const notAuthorised =
  (action: string): WordsOf =>
  (user) =>
    `Authorization failed for user [${user}] (Cannot ${action}).`;
const notAllowed = notAuthorised("send MT messages");
const charging: WordsOf = () => "Cannot charge submit_sm, check RouterPB log file for details";
const failed: WordsOf = () => "Cannot send submit_sm, check SMPPClientManagerPB log file for details";
const badKey: WordsOf = () => "Argument [Idempotency-Key] has an invalid value.";

export const unknownUser: WordsOf = (user) => `Authentication failure for username:${user}`;

/** 503 only where retrying helps. */
const results: Record<DropInRefusalCode, readonly [status: number, words: WordsOf]> = {
  account_suspended: [400, notAllowed],
  permission_denied: [400, notAllowed],
  credential_ended: [403, unknownUser],
  sender_missing: [400, () => "Mandatory argument [from] is not found."],
  sender_not_permitted: [400, filtered("source_address")],
  recipient_missing: [400, () => "Mandatory argument [to] is not found."],
  recipient_invalid: [400, filtered("destination_addr")],
  country_not_allowed: [400, filtered("destination_addr")],
  too_many_messages: [400, () => "A request may have at most 500 messages."],
  text_missing: [400, () => "content or hex-content not present."],
  text_too_long: [400, filtered("content")],
  text_not_clean: [400, filtered("content")],
  reference_invalid: [400, filtered("content")],
  schedule_out_of_range: [400, () => "Argument [sdt] has an invalid value."],
  rate_exceeded: [403, () => "User throughput exceeded"],
  quota_exceeded: [403, charging],
  balance_exhausted: [403, charging],
  code_limited: [403, () => "User throughput exceeded"],
  not_sendable: [400, filtered("content")],
  validation_failed: [400, filtered("content")],
  key_invalid: [400, badKey],
  key_conflict: [400, badKey],
  callback_refused: [400, () => "Argument [dlr-url] has an invalid value."],
  unavailable: [503, failed],
  defect: [500, failed],
};

export function resultOf({ refused, retryAfterSeconds }: DropInRefusal, user: string): JasminResult {
  const [status, words] = results[refused];
  return { status, words: words(user), retryAfterSeconds };
}

/** Of a question that its user may not ask. */
export const refusedQuestion = (user: string, action: "check balance" | "check rate"): JasminResult => ({
  status: 400,
  words: notAuthorised(action)(user),
});

const retrySeconds = 2;
const waiting = ({ status, retryAfterSeconds }: JasminResult): Partial<DropInAnswer> =>
  status === 503 ? { headers: { "Retry-After": String(retryAfterSeconds ?? retrySeconds) } } : {};

/** For `/send`. */
export const sendAnswer = (result: JasminResult): DropInAnswer => ({
  status: result.status,
  contentType: "text/plain",
  body: quoted(result),
  ...waiting(result),
});

/** For `/balance` and `/rate`. */
export const jsonAnswer = (result: JasminResult): DropInAnswer => ({
  status: result.status,
  contentType: "application/json",
  body: pythonJson(result.words),
  ...waiting(result),
});

/** For `/secure/…`, which passes the other answers on, without their quotation marks. */
export const restAnswer = (result: JasminResult, words = quoted(result)): DropInAnswer => ({
  status: result.status,
  contentType: "application/json",
  body: pythonJson({ [result.status === 200 ? "data" : "message"]: words.replace(/^"|"$/g, "") }),
  ...waiting(result),
});

const quoted = ({ status, words }: JasminResult): string => `${status === 200 ? "Success" : "Error"} "${words}"`;

/** The error format of the framework behind Jasmin's REST API. */
export const problemAnswer = (status: number, title: string, description: string): DropInAnswer => ({
  status,
  contentType: "application/json",
  body: pythonJson({ title, description }),
  ...(status === 401 && { headers: { "WWW-Authenticate": 'Basic realm="Jasmin"' } }),
});

export const objectAnswer = (object: Parameters<typeof pythonJson>[0]): DropInAnswer => ({
  status: 200,
  contentType: "application/json",
  body: pythonJson(object),
});

type PythonValue = string | number | null | { readonly [key: string]: PythonValue };

/** As Python writes JSON by default, which some clients compare literally: a space after commas and colons, ASCII only. */
function pythonJson(value: PythonValue): string {
  if (typeof value !== "object" || value === null) return ascii(JSON.stringify(value));
  const fields = Object.entries(value).map(([key, one]) => `${ascii(JSON.stringify(key))}: ${pythonJson(one)}`);
  return `{${fields.join(", ")}}`;
}

const ascii = (json: string): string =>
  json.replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);

const unavailable = resultOf(refuse("unavailable", ""), "");
const [asText, asJson, asRest] = [sendAnswer(unavailable), jsonAnswer(unavailable), restAnswer(unavailable)];

/** By path. */
export const jasminUnavailable = {
  "/send": asText,
  "/ping": asText,
  "/rate": asJson,
  "/balance": asJson,
  "/secure/send": asRest,
  "/secure/sendbatch": asRest,
  "/secure/rate": asRest,
  "/secure/balance": asRest,
} as const satisfies Readonly<Record<string, DropInAnswer>>;
