/** Fills the request template of an HTTP route's file for each message. */
import type { FileProblem } from "../../domain/json-file.ts";
import { problemOf } from "../../domain/operator-problem.ts";
import { homeNumber } from "../../domain/phone-number.ts";
import type { Submission } from "../provider.ts";

/** Placeholders of every request of a route. */
export const routePlaceholders = [
  "username",
  "password",
  "token",
  "basicAuth",
  "receiptUrl",
  "inboundUrl",
  "uuid",
  "time",
  "unixTime",
] as const;

/** The names allowed between `{{` and `}}` in a message's request. */
export const placeholderNames = [
  "sender",
  "recipient",
  "recipientDigits",
  "recipientNational",
  "text",
  "trackingCode",
  "class",
  "encoding",
  "coding",
  "dataCoding",
  "partCount",
  "attempt",
  "validityMinutes",
  "validUntil",
  ...routePlaceholders,
] as const;

/** What belongs to an SMS alone. */
const ofParts: readonly string[] = ["sender", "class", "encoding", "coding", "dataCoding", "partCount"];
const ofCode = ["code", "codeSpoken"] as const;
/** Those of a channel. `codeSpoken`: character by character. */
export const channelPlaceholders = [...placeholderNames.filter((name) => !ofParts.includes(name)), ...ofCode];

export type PlaceholderName = (typeof placeholderNames)[number];
export type PlaceholderValues = Readonly<Record<PlaceholderName | (typeof ofCode)[number], string | number>>;

/** Values for a template: a message's, or those of another request. */
export type RequestValues = Readonly<Record<string, string | number>>;

/** Marks a list in the request: its template is repeated for each message. */
export const eachKey = "{{each}}";
export type ListTemplate = Readonly<Record<typeof eachKey, unknown>>;

/** A field of a form: a template, or a list, which is sent as JSON. */
export type FormField = string | ListTemplate;

/** A body as in the file: `json` and `form` contain templates as values, `xml` and `text` are templates. */
export type BodyTemplate =
  | { format: "json"; content: unknown }
  | { format: "form"; content: Readonly<Record<string, FormField>> }
  | { format: "xml" | "text"; content: string };

export interface RequestTemplate {
  method: "GET" | "POST" | "PUT";
  url: string;
  query: Readonly<Record<string, string>>;
  headers: Readonly<Record<string, string>>;
  body: BodyTemplate | null;
}

export interface ProviderRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string | null;
}

const placeholder = /\{\{([^{}]*)\}\}/g;

/** The names that a template uses, known or not. */
export function placeholdersIn(template: string): string[] {
  return [...template.matchAll(placeholder)].map((match) => (match[1] ?? "").trim());
}

/** Written by people: with line breaks, and letters that no header can carry. */
const freeTexts: readonly string[] = ["text", "firstWord", "rest", "clientReference"];

/**
 * A new template has no free text in a header; one that was stored before is filled on one line. `key`: of the request
 * in its file.
 */
export function headerProblems(key: string, { headers }: RequestTemplate): FileProblem[] {
  return Object.entries(headers).flatMap(([header, template]) => {
    const name = placeholdersIn(template).find((one) => freeTexts.includes(one));
    return name === undefined ? [] : [problemOf(`${key}.headers.${header}`, "header_text", { name })];
  });
}

export function isPlaceholder(name: string): name is PlaceholderName {
  return placeholderNames.some((known) => known === name);
}

export function isListTemplate(content: unknown): content is ListTemplate {
  return typeof content === "object" && content !== null && Object.hasOwn(content, eachKey);
}

/** The values of the request and of each of its messages, in order. */
interface Filling {
  values: RequestValues;
  each: readonly RequestValues[];
}

function fill(template: string, values: RequestValues, escaped: (value: string) => string): string {
  return template.replace(placeholder, (whole, inner: string) => {
    const name = inner.trim();
    return Object.hasOwn(values, name) ? escaped(String(values[name])) : whole;
  });
}

const asIs = (value: string): string => value;

/** Nothing that is filled in begins another header. */
const onOneLine = (value: string): string => value.replace(/[\p{Cc}\u2028\u2029]+/gu, " ");

/**
 * Query and form fields that end up empty are left out: they are optional settings not made. `each`: the values of
 * every message, for a request with several.
 */
export function fillRequest(
  template: RequestTemplate,
  values: RequestValues,
  each: readonly RequestValues[] = [values],
): ProviderRequest {
  const url = new URL(fill(template.url, values, encodeURIComponent));
  for (const [key, value] of filledFields(template.query, { values, each })) url.searchParams.append(key, value);
  const headers = Object.entries(template.headers).map(
    ([key, value]) => [key, fill(value, values, onOneLine)] as const,
  );
  const body = template.body === null ? null : fillBody(template.body, { values, each });
  const contentType = template.body === null ? {} : { "Content-Type": contentTypes[template.body.format] };
  return { method: template.method, url: url.href, headers: { ...contentType, ...Object.fromEntries(headers) }, body };
}

const contentTypes = {
  json: "application/json; charset=utf-8",
  form: "application/x-www-form-urlencoded; charset=utf-8",
  xml: "application/xml; charset=utf-8",
  text: "text/plain; charset=utf-8",
} as const;

function filledFields(fields: Readonly<Record<string, FormField>>, filling: Filling): [string, string][] {
  const filled = (field: FormField) =>
    typeof field === "string" ? fill(field, filling.values, asIs) : JSON.stringify(fillJson(field, filling));
  return Object.entries(fields)
    .map(([key, field]): [string, string] => [key, filled(field)])
    .filter(([, value]) => value !== "");
}

function fillBody(body: BodyTemplate, filling: Filling): string {
  switch (body.format) {
    case "json":
      return JSON.stringify(fillJson(body.content, filling));
    case "form":
      return new URLSearchParams(filledFields(body.content, filling)).toString();
    case "xml":
      return fill(body.content, filling.values, escapeXml);
    case "text":
      return fill(body.content, filling.values, asIs);
  }
}

/** A string that is a single placeholder keeps its type: `"{{partCount}}"` becomes a number. */
function fillJson(content: unknown, filling: Filling): unknown {
  if (typeof content === "string") {
    const [only = ""] = placeholdersIn(content);
    const isWhole = content.replace(placeholder, "") === "" && Object.hasOwn(filling.values, only);
    const isSingle = placeholdersIn(content).length === 1;
    return isWhole && isSingle ? filling.values[only] : fill(content, filling.values, asIs);
  }
  if (Array.isArray(content)) return content.map((element) => fillJson(element, filling));
  if (typeof content !== "object" || content === null) return content;
  if (isListTemplate(content)) return filling.each.map((values) => fillJson(content[eachKey], { values, each: [] }));
  return Object.fromEntries(Object.entries(content).map(([key, value]) => [key, fillJson(value, filling)]));
}

const xmlEntities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};

function escapeXml(value: string): string {
  return value.replace(/[&<>"']/g, (character) => xmlEntities[character] ?? character);
}

export interface RouteValues {
  username: string;
  password: string;
  token: string;
  receiptUrl: string;
  inboundUrl: string;
}

const classNames = ["otp", "single", "bulk"] as const;
const minuteMs = 60_000;

/** Values that are new in every request. `now`: epoch milliseconds. */
export interface RequestMoment {
  now: number;
  uuid: string;
}

export function routeValuesFor(
  route: RouteValues,
  { now, uuid }: RequestMoment,
): Readonly<Record<(typeof routePlaceholders)[number], string | number>> {
  return {
    uuid,
    time: new Date(now).toISOString(),
    unixTime: Math.floor(now / 1000),
    basicAuth: Buffer.from(`${route.username}:${route.password}`).toString("base64"),
    ...route,
  };
}

/** `coding` and `dataCoding` are 0 for GSM text; for any other Kannel says 2, and SMPP 8. */
export function valuesFor(submission: Submission, route: RouteValues, moment: RequestMoment): PlaceholderValues {
  const isLatin = submission.encoding === "Latin";
  return {
    sender: submission.sender,
    recipient: submission.recipient,
    recipientDigits: submission.recipient.replace(/^\+/, ""),
    // Parsed only if the template uses it.
    get recipientNational() {
      return homeNumber(submission.recipient);
    },
    text: submission.text,
    code: submission.code ?? "",
    get codeSpoken() {
      return [...(submission.code ?? "")].join(", ");
    },
    trackingCode: submission.trackingCode,
    class: classNames[submission.class],
    encoding: submission.encoding,
    coding: isLatin ? 0 : 2,
    dataCoding: isLatin ? 0 : 8,
    partCount: submission.partCount,
    attempt: submission.attempt,
    validityMinutes: Math.max(1, Math.floor((submission.validUntil - moment.now) / minuteMs)),
    validUntil: new Date(submission.validUntil).toISOString(),
    ...routeValuesFor(route, moment),
  };
}
