/**
 * Reports an HTTP route's requests and answers to a trace: without credentials, and with texts and numbers only on
 * request.
 */
import { mayBeSameSubscriber } from "../../domain/provider-id.ts";
import { maskedNumber, type RouteTrace, shownText, type TraceView } from "../route-trace.ts";
import type { ProviderAnswer } from "./answer.ts";
import { ProviderRequestError } from "./send-request.ts";
import { fillRequest, type RequestTemplate, type RequestValues } from "./template.ts";

export interface TracedRequest {
  template: RequestTemplate;
  values: RequestValues;
  /** For every message in the request. */
  each: readonly RequestValues[];
}

const secretNames = [
  "username",
  "password",
  "token",
  "basicAuth",
  "receiptUrl",
  "inboundUrl",
  "code",
  "codeSpoken",
] as const;
const recipientNames = ["recipient", "recipientDigits", "recipientNational"] as const;

/** Sends the request; while somebody is watching, reports what is sent and received. */
export async function tracedExchange(
  trace: RouteTrace | undefined,
  request: TracedRequest,
  send: () => Promise<ProviderAnswer>,
): Promise<ProviderAnswer> {
  if (trace?.isOn !== true) return send();
  const link = new URL(request.template.url).host;
  trace.add({ link, direction: "out", words: (view) => describeRequest(request, view) });
  try {
    const answer = await send();
    trace.add({ link, direction: "in", words: (view) => describeAnswer(answer, request, view) });
    return answer;
  } catch (error) {
    const words = error instanceof ProviderRequestError ? error.message : "the request failed";
    trace.add({ link, direction: "in", words: () => words });
    throw error;
  }
}

const isSecret = (values: RequestValues) => values.class === "otp";
const isMessage = (values: RequestValues) => values.text !== undefined;

function describeRequest({ template, values, each }: TracedRequest, view: TraceView): string {
  const hidden = (one: RequestValues) => hiddenValues(one, view);
  const { method, url, body } = fillRequest(template, hidden(values), each.map(hidden));
  return `${method} ${withoutUser(url)}${body === null ? "" : ` ${body}`}`;
}

const withoutUser = (url: string) => url.replace(/^(\w+:\/\/)[^/?#]*@/, "$1***@");

function hiddenValues(values: RequestValues, view: TraceView): RequestValues {
  const shown: Record<string, string | number> = { ...values };
  for (const name of secretNames) if (name in shown) shown[name] = "***";
  for (const name of recipientNames) {
    if (name in shown && !view.showsTexts) shown[name] = maskedNumber(String(shown[name]));
  }
  const showsText = view.showsTexts && !isSecret(values);
  if ("text" in shown && !showsText) shown.text = shownText(String(shown.text), { showsTexts: false });
  return shown;
}

/**
 * Some providers echo the text and the number. For a one-time password, and for the answer to a question, which may
 * report on one, only the answer's size is shown. Reports and texts read from an answer are shown separately.
 */
function describeAnswer({ status, body }: ProviderAnswer, { values, each }: TracedRequest, view: TraceView): string {
  const messages = [values, ...each].filter(isMessage);
  if (messages.length === 0 || messages.some(isSecret)) return `${status}, ${body.length} characters (hidden)`;
  if (view.showsTexts) return `${status} ${body}`;
  return `${status} ${messages.reduce(withoutMessage, body)}`;
}

function withoutMessage(body: string, { text, recipient }: RequestValues): string {
  return hideText(body, String(text)).replace(/\d{7,}/g, (digits) =>
    mayBeSameSubscriber(digits, String(recipient)) ? maskedNumber(digits) : digits,
  );
}

const wordPattern = /[\p{L}\p{Nd}]{4,}/gu;

/** The whole text, and each of its words: a provider may truncate or change what it echoes. */
function hideText(body: string, text: string): string {
  const whole = spellingsOf(text).reduce(
    (told, spelt) => (spelt === "" ? told : told.replaceAll(spelt, shownText(text, { showsTexts: false }))),
    body,
  );
  const words = text.match(wordPattern) ?? [];
  return words.reduce(
    (told, word) => spellingsOf(word).reduce((rest, spelt) => rest.replaceAll(spelt, "*".repeat(word.length)), told),
    whole,
  );
}

/** As plain text, as JSON, and as ASCII-only JSON. */
function spellingsOf(text: string): string[] {
  const json = JSON.stringify(text).slice(1, -1);
  const ascii = json.replace(/[^\x20-\x7e]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);
  return [text, json, ascii];
}
