/** Reads a request's template from an HTTP route's file; an unknown placeholder is a problem of its own. */
import { nearestOf, type RouteFileReader } from "../route-file.ts";
import {
  type BodyTemplate,
  isPlaceholder,
  placeholderNames,
  placeholdersIn,
  type RequestTemplate,
} from "./template.ts";

const methods = ["GET", "POST", "PUT"] as const;
const templateBounds = { lengthMax: 4096 };
const fieldsMax = 100;
const nestingMax = 10;

const emptyRequest: RequestTemplate = { method: "GET", url: "", query: {}, headers: {}, body: null };

export function readRequest(reader: RouteFileReader, key: string): RequestTemplate {
  if (reader.value(key) === undefined) reader.problem(key, "is required");
  return reader.section(key, readRequestKeys) ?? emptyRequest;
}

function readRequestKeys(request: RouteFileReader): RequestTemplate {
  const body = request.section("body", readBody);
  const template: RequestTemplate = {
    method: request.choice("method", methods, body === null ? "GET" : "POST"),
    url: readUrl(request),
    query: readFields(request, "query"),
    headers: readHeaders(request),
    body,
  };
  if (body !== null && template.method === "GET") request.problem("method", "is GET, which has no body");
  return template;
}

export function readUrl(reader: RouteFileReader): string {
  const url = reader.requiredText("url", { lengthMax: 2048 });
  checkPlaceholders(reader, "url", url);
  const sample = url.replace(/\{\{[^{}]*\}\}/g, "x");
  const isUrl = /^https?:\/\/[^/?#{}@]+([/?#]|$)/.test(url) && URL.canParse(sample) && !sample.includes("#");
  if (url !== "" && !isUrl) {
    reader.problem("url", "must be an http or https URL without user and fragment, its host without placeholders");
  }
  return url;
}

function checkPlaceholders(reader: RouteFileReader, key: string, template: string): void {
  for (const name of placeholdersIn(template)) {
    if (isPlaceholder(name)) continue;
    const nearest = nearestOf(name, placeholderNames);
    const hint = nearest === null ? "" : `; did you mean {{${nearest}}}?`;
    reader.problem(key, `{{${name}}} is not a placeholder${hint}`);
  }
}

function readTemplate(reader: RouteFileReader, key: string): string {
  const value = reader.value(key);
  const template = typeof value === "number" ? String(value) : reader.text(key, "", templateBounds);
  checkPlaceholders(reader, key, template);
  return template;
}

function readFields(reader: RouteFileReader, key: string): Record<string, string> {
  const fields = reader.section(key, (section) => {
    const names = section.keys();
    if (names.length > fieldsMax) section.problem("", `must hold at most ${fieldsMax} fields`);
    return names.map((name) => [name, readTemplate(section, name)] as const);
  });
  return Object.fromEntries(fields ?? []);
}

function readHeaders(request: RouteFileReader): Record<string, string> {
  const headers = readFields(request, "headers");
  for (const [name, value] of Object.entries(headers)) {
    const isHeader = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/.test(name) && /^[\t\x20-\x7e]*$/.test(value);
    if (!isHeader) request.problem(`headers.${name}`, "must be a header's name with printable ASCII");
  }
  return headers;
}

function readBody(body: RouteFileReader): BodyTemplate | null {
  const [format] = body.keys();
  if (body.keys().length === 1) {
    if (format === "json") return { format, content: checkedJson(body, body.value("json"), nestingMax) };
    if (format === "form") return { format, content: readFields(body, "form") };
    if (format === "xml" || format === "text") return { format, content: readTemplate(body, format) };
  }
  for (const key of body.keys()) body.value(key);
  body.problem("", 'must be one of {"json"}, {"form"}, {"xml"}, {"text"}');
  return null;
}

function checkedJson(body: RouteFileReader, content: unknown, depth: number): unknown {
  if (depth === 0) body.problem("json", `must not be nested deeper than ${nestingMax}`);
  if (depth === 0) return null;
  if (typeof content === "string") checkPlaceholders(body, "json", content);
  if (typeof content !== "object" || content === null) return content;
  for (const value of Object.values(content)) checkedJson(body, value, depth - 1);
  return content;
}
