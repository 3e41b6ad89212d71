/** Fills the request template of an HTTP route's file for each message. */
import { homeNumber } from "../../domain/phone-number.ts";
import type { Submission } from "../provider.ts";

/** The names allowed between `{{` and `}}`. */
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
  "uuid",
  "time",
  "unixTime",
  "username",
  "password",
  "token",
  "basicAuth",
  "receiptUrl",
  "inboundUrl",
] as const;

export type PlaceholderName = (typeof placeholderNames)[number];
export type PlaceholderValues = Readonly<Record<PlaceholderName, string | number>>;

/** A body as the file has it: `json` and `form` hold templates as values, `xml` and `text` are templates. */
export type BodyTemplate =
  | { format: "json"; content: unknown }
  | { format: "form"; content: Readonly<Record<string, string>> }
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

export function isPlaceholder(name: string): name is PlaceholderName {
  return placeholderNames.some((known) => known === name);
}

function fill(template: string, values: PlaceholderValues, escaped: (value: string) => string): string {
  return template.replace(placeholder, (whole, inner: string) => {
    const name = inner.trim();
    return isPlaceholder(name) ? escaped(String(values[name])) : whole;
  });
}

const asIs = (value: string): string => value;

/** Query and form fields that are empty once filled are left out: optional settings that were not made. */
export function fillRequest(template: RequestTemplate, values: PlaceholderValues): ProviderRequest {
  const url = new URL(fill(template.url, values, encodeURIComponent));
  for (const [key, value] of filledFields(template.query, values)) url.searchParams.append(key, value);
  const headers = Object.entries(template.headers).map(([key, value]) => [key, fill(value, values, asIs)] as const);
  const body = template.body === null ? null : fillBody(template.body, values);
  const contentType = template.body === null ? {} : { "Content-Type": contentTypes[template.body.format] };
  return { method: template.method, url: url.href, headers: { ...contentType, ...Object.fromEntries(headers) }, body };
}

const contentTypes = {
  json: "application/json; charset=utf-8",
  form: "application/x-www-form-urlencoded; charset=utf-8",
  xml: "application/xml; charset=utf-8",
  text: "text/plain; charset=utf-8",
} as const;

function filledFields(fields: Readonly<Record<string, string>>, values: PlaceholderValues): [string, string][] {
  return Object.entries(fields)
    .map(([key, value]): [string, string] => [key, fill(value, values, asIs)])
    .filter(([, value]) => value !== "");
}

function fillBody(body: BodyTemplate, values: PlaceholderValues): string {
  switch (body.format) {
    case "json":
      return JSON.stringify(fillJson(body.content, values));
    case "form":
      return new URLSearchParams(filledFields(body.content, values)).toString();
    case "xml":
      return fill(body.content, values, escapeXml);
    case "text":
      return fill(body.content, values, asIs);
  }
}

/** A string that is a single placeholder keeps its type: `"{{partCount}}"` becomes a number. */
function fillJson(content: unknown, values: PlaceholderValues): unknown {
  if (typeof content === "string") {
    const [only] = placeholdersIn(content);
    const isWhole = only !== undefined && content.replace(placeholder, "") === "" && isPlaceholder(only);
    const isSingle = placeholdersIn(content).length === 1;
    return isWhole && isSingle ? values[only] : fill(content, values, asIs);
  }
  if (Array.isArray(content)) return content.map((element) => fillJson(element, values));
  if (typeof content !== "object" || content === null) return content;
  return Object.fromEntries(Object.entries(content).map(([key, value]) => [key, fillJson(value, values)]));
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

/** What is new in every request. `now`: epoch milliseconds. */
export interface RequestMoment {
  now: number;
  uuid: string;
}

/** `coding` and `dataCoding` are 0 for GSM text; for any other Kannel says 2, and SMPP 8. */
export function valuesFor(submission: Submission, route: RouteValues, { now, uuid }: RequestMoment): PlaceholderValues {
  const isLatin = submission.encoding === "Latin";
  return {
    sender: submission.sender,
    recipient: submission.recipient,
    recipientDigits: submission.recipient.replace(/^\+/, ""),
    // Parsed only where the template asks for it.
    get recipientNational() {
      return homeNumber(submission.recipient);
    },
    text: submission.text,
    trackingCode: submission.trackingCode,
    class: classNames[submission.class],
    encoding: submission.encoding,
    coding: isLatin ? 0 : 2,
    dataCoding: isLatin ? 0 : 8,
    partCount: submission.partCount,
    attempt: submission.attempt,
    validityMinutes: Math.max(1, Math.floor((submission.validUntil - now) / minuteMs)),
    validUntil: new Date(submission.validUntil).toISOString(),
    uuid,
    time: new Date(now).toISOString(),
    unixTime: Math.floor(now / 1000),
    basicAuth: Buffer.from(`${route.username}:${route.password}`).toString("base64"),
    ...route,
  };
}
