/** Decodes a provider's calls to Peyk, receipts and inbound texts, by the rules of a route's file. */
import { timingSafeEqual } from "node:crypto";
import { isJsonTooLarge, jsonValuesMax, scalarAt, tryParseJson, valueAt } from "../../domain/json-path.ts";
import type { MessageErrorCode } from "../../domain/message.ts";
import { type ListProblem, listProblemText } from "../../domain/reason.ts";
import { urlencodedFields } from "../../domain/urlencoded-fields.ts";
import type { InboundPart, Receipt } from "../provider.ts";
import { decodeCharset, fieldOctets } from "./charset.ts";

/**
 * A request as it came in. `query` without its question mark and still percent-encoded; `body`: `octets` decoded as
 * UTF-8.
 */
export interface ProviderCallback extends CallContent {
  octets: Uint8Array;
  header(name: string): string | null;
  /** The client's address. */
  address: string;
}

/** The source of receipts and texts: a call, or the answer to a question. */
export interface CallContent {
  query: string;
  contentType: string;
  body: string;
}

/** Where to find a value: a field of the query, of a form, or a path in JSON; `any`: the first that has it. */
export interface FieldRule {
  /** `fixed`: the name is the value itself. */
  from: "any" | "query" | "form" | "json" | "fixed";
  name: string;
}

interface CallRules {
  /** Path of an array in JSON with one receipt or text per element; null: the request is a single one. */
  each: string | null;
  /** The answer once the content is committed. Some providers send a text in it to the phone as an SMS. */
  answer: ProviderCallbackAnswer;
}

/** The fields of a report on a part, wherever they are found. */
export interface ReportRules {
  id: FieldRule;
  state: FieldRule;
  /** Values of the state field for each state; all others are pending. Case is ignored. */
  delivered: readonly string[];
  failed: Readonly<Record<string, MessageErrorCode>>;
  /** A field with further details from the provider, for the operator. */
  detail: FieldRule | null;
  /** A field with the recipient's number, for providers that reuse ids. */
  recipient: FieldRule | null;
}

export interface ReceiptRules extends ReportRules, CallRules {
  /**
   * The provider reports on each part under the message's single id, without the part's number; null: each part has an
   * id.
   */
  perPart: PerPartRules | null;
}

export interface PerPartRules {
  /** A field with the same value in repeats of a report. */
  event: FieldRule;
  /** A field with the number of parts that the provider split the message into. */
  count: FieldRule | null;
}

/** What a text from a phone says. */
export interface TextRules {
  sender: FieldRule;
  receiver: FieldRule;
  text: FieldRule;
  /** A field with the charset of `text` in a query or form, if that is not always UTF-8. */
  charset: FieldRule | null;
  id: FieldRule | null;
}

export interface InboundRules extends TextRules, CallRules {}

/** `challenge`: how to authenticate, for a 401. */
export interface ProviderCallbackAnswer {
  status: number;
  contentType: string;
  body: string;
  challenge?: string;
}

/** The answer if a route's file does not define one. */
export const emptyAnswer: ProviderCallbackAnswer = { status: 200, contentType: "text/plain; charset=utf-8", body: "" };

/** `unreadable`: should not be sent again. `notStored`: should be sent again. */
export const callbackRefusals = {
  unreadable: { status: 400, contentType: "text/plain; charset=utf-8", body: "unreadable" },
  notStored: { status: 503, contentType: "text/plain; charset=utf-8", body: "try again" },
} as const satisfies Record<string, ProviderCallbackAnswer>;

/**
 * `problem`: what is wrong with the first unreadable element, or with the call as a whole; without `contents`, nothing
 * can be read.
 */
export type Decoded<Content> = { contents: Content[]; problem?: string } | { contents?: never; problem: string };

/** Receipts or texts in one request. */
const listedMax = 1_000;
const idLengthMax = 200;

export function decodeReceipts(request: CallContent, rules: ReceiptRules, now: number): Decoded<Receipt> {
  return decodeEach(request, rules.each, (field) => {
    const receipt = receiptIn(field, rules, now);
    return typeof receipt === "string" ? receipt : withPart(field, receipt, rules.perPart);
  });
}

const partsMax = 255;

function withPart(field: Field, receipt: Receipt, rules: PerPartRules | null): Receipt | string {
  if (rules === null) return receipt;
  const eventId = field(rules.event);
  if (eventId === null || eventId === "" || eventId.length > idLengthMax)
    return `the receipt has no id of its own (${rules.event.name})`;
  const partCount = Number(rules.count === null ? 0 : (field(rules.count) ?? 0));
  const isCount = Number.isInteger(partCount) && partCount >= 1 && partCount <= partsMax;
  return { ...receipt, eventId, ...(isCount && { partCount }) };
}

/** The receipt, or what is wrong with it. */
function receiptIn(field: Field, rules: ReportRules, now: number): Receipt | string {
  const id = field(rules.id);
  const state = field(rules.state);
  if (id === null || id === "" || id.length > idLengthMax) return `the receipt has no id (${rules.id.name})`;
  if (state === null) return `the receipt has no state (${rules.state.name})`;
  const remark = rules.detail === null ? null : field(rules.detail);
  const detail = `${rules.state.name}:${state.slice(0, 60)}`;
  const recipient = rules.recipient === null ? null : field(rules.recipient);
  return {
    ids: [id],
    numbers: recipient === null ? [] : [recipient],
    ...meaningOf(state, rules),
    detail,
    ...(remark === null ? {} : { remark: remark.slice(0, 200) }),
    at: now,
  };
}

function meaningOf(state: string, rules: ReportRules): Pick<Receipt, "state" | "error"> {
  const normalised = state.trim().toLowerCase();
  if (rules.delivered.some((value) => value.toLowerCase() === normalised)) return { state: "delivered" };
  const failure = Object.entries(rules.failed).find(([value]) => value.toLowerCase() === normalised);
  return failure === undefined ? { state: "pending" } : { state: "failed", error: failure[1] };
}

export function decodeInbound(request: CallContent, rules: InboundRules, now: number): Decoded<InboundPart> {
  return decodeEach(request, rules.each, (field) => textIn(field, request, rules, now));
}

/** The text, or what is wrong with it. */
function textIn(field: Field, request: CallContent, rules: TextRules, now: number): InboundPart | string {
  const sender = field(rules.sender);
  const receiver = field(rules.receiver);
  const text = field(rules.text);
  if (sender === null || sender === "") return `the text has no sender (${rules.sender.name})`;
  if (receiver === null || receiver === "") return `the text has no receiver (${rules.receiver.name})`;
  if (text === null) return `the text is missing (${rules.text.name})`;
  const id = rules.id === null ? null : field(rules.id);
  const content = contentOf(text, request, rules, rules.charset === null ? null : field(rules.charset));
  return { sender, receiver, ...content, ...(id === null || id === "" ? {} : { providerId: id }), receivedAt: now };
}

/**
 * Elements of an answer to a question: the readable ones, how many are not, and where the next question continues.
 */
export interface Listed<Content> {
  contents: Content[];
  problems: string[];
  /** Elements of the list. */
  count: number;
  /** The fields of each element, in order. */
  field(index: number, rule: FieldRule): string | null;
}

/** Reports in an answer. One without a state is still in progress. */
export function listReports(
  answer: CallContent,
  rules: ReportRules & { each: string | null },
  now: number,
): Listed<Receipt> | ListProblem {
  return listEach(answer, rules.each, (field) => receiptIn(field, rules, now));
}

export function listTexts(
  answer: CallContent,
  rules: TextRules & { each: string | null },
  now: number,
): Listed<InboundPart> | ListProblem {
  return listEach(answer, rules.each, (field) => textIn(field, answer, rules, now));
}

/** An unreadable element does not affect the rest: a provider may give each one only once. */
function listEach<Content extends object>(
  answer: CallContent,
  each: string | null,
  read: (field: Field) => Content | string,
): Listed<Content> | ListProblem {
  const entries = entriesIn(answer, each);
  if ("kind" in entries) return entries;
  const found = entries.map((entry) => read((rule) => fieldIn(entry, rule)));
  return {
    contents: found.flatMap((content) => (typeof content === "string" ? [] : [content])),
    problems: found.flatMap((content) => (typeof content === "string" ? [content] : [])),
    count: entries.length,
    field: (index, rule) => {
      const entry = entries[index];
      return entry === undefined ? null : fieldIn(entry, rule);
    },
  };
}

/** The text as it is, or decoded from its octets if the provider names a charset. */
function contentOf(
  text: string,
  { query, contentType, body }: CallContent,
  { text: { name } }: TextRules,
  charset: string | null,
): Pick<InboundPart, "text" | "binary"> {
  if (charset === null || /^(utf-?8)?$/i.test(charset)) return { text };
  const octets = fieldOctets(query, name) ?? (isForm(contentType) ? fieldOctets(body, name) : null);
  if (octets === null) return { text };
  const decoded = decodeCharset(octets, charset);
  return decoded === null ? { text: "", binary: octets.toString("hex") } : { text: decoded };
}

export function isForm(contentType: string): boolean {
  return /^application\/x-www-form-urlencoded\b/i.test(contentType);
}

type Field = (rule: FieldRule) => string | null;

function decodeEach<Content extends object>(
  request: CallContent,
  each: string | null,
  read: (field: Field) => Content | string,
): Decoded<Content> {
  const listed = listEach(request, each, read);
  if ("kind" in listed) return { problem: listProblemText(listed) };
  const { contents, problems } = listed;
  const [problem] = problems;
  if (problem === undefined) return { contents };
  return contents.length === 0 ? { problem } : { contents, problem };
}

/** The fields of one receipt or text. */
interface CallbackEntry {
  query: URLSearchParams;
  form: URLSearchParams;
  json: unknown;
}

/** Of a query or form, which is one receipt or text. */
export const callFieldsMax = 1_000;

type FieldsRead = WeakMap<CallContent, CallbackEntry | ListProblem>;
/** Read once each: a signature is made over some of the fields, and each rule asks for its own. */
const [fieldsRead, jsonRead]: [FieldsRead, FieldsRead] = [new WeakMap(), new WeakMap()];

/** `isJson`: whatever its type says. */
function entryOf(call: CallContent, isJson: boolean): CallbackEntry | ListProblem {
  const known = isJson ? jsonRead : fieldsRead;
  const entry = known.get(call) ?? readFields(call, isJson);
  known.set(call, entry);
  return entry;
}

const hasJsonType = (contentType: string): boolean => /^application\/([\w.-]+\+)?json\b/i.test(contentType);

function readFields({ query, contentType, body }: CallContent, isJson: boolean): CallbackEntry | ListProblem {
  const asked = urlencodedFields(query, callFieldsMax);
  const form = urlencodedFields(isForm(contentType) ? body : "", callFieldsMax);
  if (asked === null || form === null) return { kind: "too_many_fields", max: callFieldsMax };
  const json = isJson ? tryParseJson(body) : undefined;
  if (!isJson || json !== undefined || body === "") return { query: asked, form, json };
  return isJsonTooLarge(body) ? { kind: "too_many_values", max: jsonValuesMax } : { kind: "no_json" };
}

function entriesIn(call: CallContent, each: string | null): readonly CallbackEntry[] | ListProblem {
  const entry = entryOf(call, hasJsonType(call.contentType) || (each !== null && !isForm(call.contentType)));
  if ("kind" in entry || each === null) return "kind" in entry ? entry : [entry];
  const elements = valueAt(entry.json, each);
  if (!Array.isArray(elements)) return { kind: "no_list", at: each };
  if (elements.length > listedMax) return { kind: "too_long", max: listedMax };
  return elements.map((element: unknown) => ({ ...entry, json: element }));
}

/** A field of the call as a whole. */
export function fieldOf(call: CallContent, rule: FieldRule): string | null {
  const entries = entriesIn(call, null);
  const entry = "kind" in entries ? undefined : entries[0];
  return entry === undefined ? null : fieldIn(entry, rule);
}

function fieldIn(entry: CallbackEntry, { from, name }: FieldRule): string | null {
  if (from === "fixed") return name;
  if (from === "query") return entry.query.get(name);
  if (from === "form") return entry.form.get(name);
  if (from === "json") return scalarAt(entry.json, name);
  return entry.query.get(name) ?? entry.form.get(name) ?? scalarAt(entry.json, name);
}

/** The secret in a callback's path, compared in constant time. */
export function isCallbackSecret(given: string, expected: string): boolean {
  const left = Buffer.from(given);
  const right = Buffer.from(expected);
  return expected !== "" && left.length === right.length && timingSafeEqual(left, right);
}
