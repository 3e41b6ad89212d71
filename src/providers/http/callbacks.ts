/** A provider's calls to Peyk, receipts and texts from phones, read by the rules of a route's file. */
import { timingSafeEqual } from "node:crypto";
import type { MessageErrorCode } from "../../domain/message.ts";
import type { InboundPart, Receipt } from "../provider.ts";
import { decodeCharset, fieldOctets } from "./charset.ts";
import { scalarAt, tryParseJson, valueAt } from "./json-path.ts";

/** A request as it came in. `query` without its question mark and still percent-encoded; `body` decoded as UTF-8. */
export interface ProviderCallback {
  query: string;
  contentType: string;
  body: string;
}

/** Where a value stands: a field of the query, of a form, or a path in JSON; without `from`, the first that has it. */
export interface FieldRule {
  from: "any" | "query" | "form" | "json";
  name: string;
}

interface Listed {
  /** Path of an array in JSON, each element of which is one receipt or text; null: the request is one. */
  each: string | null;
}

export interface ReceiptRules extends Listed {
  id: FieldRule;
  state: FieldRule;
  /** What the state field says for each; anything else is pending. Compared without regard to case. */
  delivered: readonly string[];
  failed: Readonly<Record<string, MessageErrorCode>>;
  /** More of the provider's words, for the operator. */
  detail: FieldRule | null;
}

export interface InboundRules extends Listed {
  sender: FieldRule;
  receiver: FieldRule;
  text: FieldRule;
  /** Says how the octets of `text` in a query or form spell it, where that is not always UTF-8. */
  charset: FieldRule | null;
  id: FieldRule | null;
}

export interface ProviderCallbackAnswer {
  status: number;
  contentType: string;
  body: string;
}

/** Only once the content is committed. */
export const callbackStored: ProviderCallbackAnswer = {
  status: 200,
  contentType: "text/plain; charset=utf-8",
  body: "OK",
};

/** For a request that cannot be read (do not send it again) and for one that could not be stored (do). */
export const callbackRefusals = {
  unreadable: { status: 400, contentType: "text/plain; charset=utf-8", body: "unreadable" },
  notStored: { status: 503, contentType: "text/plain; charset=utf-8", body: "try again" },
} as const satisfies Record<string, ProviderCallbackAnswer>;

export type Decoded<Content> = { contents: Content[] } | { problem: string };

/** One request holds no more than this many receipts or texts. */
const listedMax = 1_000;
const idLengthMax = 200;

export function decodeReceipts(request: ProviderCallback, rules: ReceiptRules, now: number): Decoded<Receipt> {
  return decodeEach(request, rules.each, (field) => {
    const id = field(rules.id);
    const state = field(rules.state);
    if (id === null || id === "" || id.length > idLengthMax) return `the receipt has no id (${rules.id.name})`;
    if (state === null) return `the receipt has no state (${rules.state.name})`;
    const more = rules.detail === null ? null : field(rules.detail);
    const detail = `${rules.state.name}:${state.slice(0, 60)}${more === null ? "" : ` ${more.slice(0, 200)}`}`;
    return { ids: [id], ...meaningOf(state, rules), detail, at: now };
  });
}

function meaningOf(state: string, rules: ReceiptRules): Pick<Receipt, "state" | "error"> {
  const said = state.trim().toLowerCase();
  if (rules.delivered.some((word) => word.toLowerCase() === said)) return { state: "delivered" };
  const failure = Object.entries(rules.failed).find(([word]) => word.toLowerCase() === said);
  return failure === undefined ? { state: "pending" } : { state: "failed", error: failure[1] };
}

export function decodeInbound(request: ProviderCallback, rules: InboundRules, now: number): Decoded<InboundPart> {
  return decodeEach(request, rules.each, (field) => {
    const sender = field(rules.sender);
    const receiver = field(rules.receiver);
    const text = field(rules.text);
    if (sender === null || sender === "") return `the text has no sender (${rules.sender.name})`;
    if (receiver === null || receiver === "") return `the text has no receiver (${rules.receiver.name})`;
    if (text === null) return `the text is missing (${rules.text.name})`;
    const id = rules.id === null ? null : field(rules.id);
    const content = contentOf(text, request, rules, rules.charset === null ? null : field(rules.charset));
    return { sender, receiver, ...content, ...(id === null || id === "" ? {} : { providerId: id }), receivedAt: now };
  });
}

/** The text as it is, or read again from its octets where the provider names a charset. */
function contentOf(
  text: string,
  { query, contentType, body }: ProviderCallback,
  { text: { name } }: InboundRules,
  charset: string | null,
): Pick<InboundPart, "text" | "binary"> {
  if (charset === null || /^(utf-?8)?$/i.test(charset)) return { text };
  const octets = fieldOctets(query, name) ?? (isForm(contentType) ? fieldOctets(body, name) : null);
  if (octets === null) return { text };
  const decoded = decodeCharset(octets, charset);
  return decoded === null ? { text: "", binary: octets.toString("hex") } : { text: decoded };
}

function isForm(contentType: string): boolean {
  return /^application\/x-www-form-urlencoded\b/i.test(contentType);
}

type Field = (rule: FieldRule) => string | null;

/** All or nothing: one element that cannot be read makes the whole request unreadable. */
function decodeEach<Content extends object>(
  request: ProviderCallback,
  each: string | null,
  read: (field: Field) => Content | string,
): Decoded<Content> {
  const places = placesIn(request, each);
  if (typeof places === "string") return { problem: places };
  const contents: Content[] = [];
  for (const place of places) {
    const content = read((rule) => fieldIn(place, rule));
    if (typeof content === "string") return { problem: content };
    contents.push(content);
  }
  return { contents };
}

interface Place {
  query: URLSearchParams;
  form: URLSearchParams;
  json: unknown;
}

function placesIn({ query, contentType, body }: ProviderCallback, each: string | null): Place[] | string {
  const hasForm = isForm(contentType);
  const isJson = /^application\/([\w.-]+\+)?json\b/i.test(contentType) || (each !== null && !hasForm);
  const json = isJson ? tryParseJson(body) : undefined;
  if (isJson && json === undefined && body !== "") return "the body is no JSON";
  const place = { query: new URLSearchParams(query), form: new URLSearchParams(hasForm ? body : ""), json };
  if (each === null) return [place];
  const elements = valueAt(json, each);
  if (!Array.isArray(elements)) return `there is no list at ${each}`;
  if (elements.length > listedMax) return `there are more than ${listedMax} in one request`;
  return elements.map((element: unknown) => ({ ...place, json: element }));
}

function fieldIn(place: Place, { from, name }: FieldRule): string | null {
  if (from === "query") return place.query.get(name);
  if (from === "form") return place.form.get(name);
  if (from === "json") return scalarAt(place.json, name);
  return place.query.get(name) ?? place.form.get(name) ?? scalarAt(place.json, name);
}

/** The secret in a callback's path, compared in constant time. */
export function isCallbackSecret(given: string, expected: string): boolean {
  const left = Buffer.from(given);
  const right = Buffer.from(expected);
  return expected !== "" && left.length === right.length && timingSafeEqual(left, right);
}
