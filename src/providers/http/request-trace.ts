/** Tells a trace of an HTTP route's requests and answers: without credentials, and texts and numbers only where asked for. */
import { mayBeSameSubscriber } from "../../domain/provider-id.ts";
import { maskedNumber, type RouteTrace, shownText, type TraceView } from "../route-trace.ts";
import type { ProviderAnswer } from "./answer.ts";
import { ProviderRequestError } from "./send-request.ts";
import { fillRequest, type RequestTemplate, type RequestValues } from "./template.ts";

export interface TracedRequest {
  template: RequestTemplate;
  values: RequestValues;
  /** Of every message in the request. */
  each: readonly RequestValues[];
}

const secretNames = ["username", "password", "token", "basicAuth", "receiptUrl", "inboundUrl"] as const;
const recipientNames = ["recipient", "recipientDigits", "recipientNational"] as const;

/** Sends the request; while somebody looks on, tells what goes out and what comes back. */
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

function describeRequest({ template, values, each }: TracedRequest, view: TraceView): string {
  const hidden = (one: RequestValues) => hiddenValues(one, view);
  const { method, url, body } = fillRequest(template, hidden(values), each.map(hidden));
  return `${method} ${url}${body === null ? "" : ` ${body}`}`;
}

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

/** Some providers answer with the text and the number: of a one-time password nothing is told but the answer's size. */
function describeAnswer({ status, body }: ProviderAnswer, { values, each }: TracedRequest, view: TraceView): string {
  const messages = [values, ...each];
  if (messages.some(isSecret)) return `${status}, ${body.length} characters (hidden)`;
  if (view.showsTexts) return `${status} ${body}`;
  // A question, no message: whose texts and numbers the answer holds is not known.
  if (values.text === undefined) return `${status}, ${body.length} characters (hidden)`;
  const told = messages.reduce((text, message) => withoutMessage(text, message), body);
  return `${status} ${told}`;
}

function withoutMessage(body: string, { text, recipient }: RequestValues): string {
  const withoutText = text === undefined || text === "" ? body : hideText(body, String(text));
  if (recipient === undefined) return withoutText;
  return withoutText.replace(/\d{7,}/g, (digits) =>
    mayBeSameSubscriber(digits, String(recipient)) ? maskedNumber(digits) : digits,
  );
}

/** As it is, and as JSON escapes it. */
function hideText(body: string, text: string): string {
  const hidden = shownText(text, { showsTexts: false });
  const ascii = JSON.stringify(text)
    .slice(1, -1)
    .replace(/[^\x20-\x7e]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);
  return [text, JSON.stringify(text).slice(1, -1), ascii].reduce((told, spelt) => told.replaceAll(spelt, hidden), body);
}
