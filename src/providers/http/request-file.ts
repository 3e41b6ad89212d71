/** Reads a request template from an HTTP route's file; each unknown placeholder is a problem. */
import { type JsonFileReader, nearestOf, required } from "../../domain/json-file.ts";
import {
  type BodyTemplate,
  eachKey,
  type FormField,
  isListTemplate,
  placeholderNames,
  placeholdersIn,
  type RequestTemplate,
} from "./template.ts";

const methods = ["GET", "POST", "PUT"] as const;
const templateBounds = { lengthMax: 4096 };
const fieldsMax = 100;
const nestingMax = 10;

const emptyRequest: RequestTemplate = { method: "GET", url: "", query: {}, headers: {}, body: null };

/** `names`: the placeholders that it may use. */
export function readRequest(
  reader: JsonFileReader,
  key: string,
  names: readonly string[] = placeholderNames,
): RequestTemplate {
  if (reader.value(key) === undefined) reader.problem(key, required);
  return reader.section(key, (request) => readRequestKeys(request, names)) ?? emptyRequest;
}

function readRequestKeys(request: JsonFileReader, names: readonly string[]): RequestTemplate {
  const body = request.section("body", (section) => readBody(section, names));
  const template: RequestTemplate = {
    method: request.choice("method", methods, body === null ? "GET" : "POST"),
    url: readUrl(request, names),
    query: readFields(request, "query", names),
    headers: readHeaders(request, names),
    body,
  };
  if (body !== null && template.method === "GET")
    request.problem("method", { code: "method_without_body", values: {} });
  return template;
}

export function readUrl(reader: JsonFileReader, names: readonly string[] = placeholderNames): string {
  const url = reader.requiredText("url", { lengthMax: 2048 });
  checkPlaceholders(reader, "url", url, names);
  const sample = url.replace(/\{\{[^{}]*\}\}/g, "x");
  const isUrl = /^https?:\/\/[^/?#{}@]+([/?#]|$)/.test(url) && URL.canParse(sample) && !sample.includes("#");
  if (url !== "" && !isUrl) {
    reader.problem("url", { code: "request_url", values: {} });
  }
  return url;
}

function checkPlaceholders(reader: JsonFileReader, key: string, template: string, names: readonly string[]): void {
  for (const name of placeholdersIn(template)) {
    if (names.includes(name)) continue;
    reader.problem(key, { code: "unknown_placeholder", values: { name, meant: nearestOf(name, names) } });
  }
}

function readTemplate(reader: JsonFileReader, key: string, names: readonly string[]): string {
  const value = reader.value(key);
  const template = typeof value === "number" ? String(value) : reader.text(key, "", templateBounds);
  checkPlaceholders(reader, key, template, names);
  return template;
}

function readFieldsAs<Field>(
  reader: JsonFileReader,
  key: string,
  read: (section: JsonFileReader, name: string) => Field,
): Record<string, Field> {
  const fields = reader.section(key, (section) => {
    const known = section.keys();
    if (known.length > fieldsMax)
      section.problem("", { code: "entries_max", values: { max: fieldsMax, what: "fields" } });
    return known.map((name) => [name, read(section, name)] as const);
  });
  return Object.fromEntries(fields ?? []);
}

function readFields(reader: JsonFileReader, key: string, names: readonly string[]): Record<string, string> {
  return readFieldsAs(reader, key, (section, name) => readTemplate(section, name, names));
}

/** A template, or `{"{{each}}": template}`, a list that is sent as JSON. */
function readFormField(form: JsonFileReader, name: string, names: readonly string[]): FormField {
  if (!isListTemplate(form.value(name))) return readTemplate(form, name, names);
  const template = form.section(name, (list) => readTemplate(list, eachKey, names));
  return { [eachKey]: template ?? "" };
}

function readHeaders(request: JsonFileReader, names: readonly string[]): Record<string, string> {
  const headers = readFields(request, "headers", names);
  for (const [name, value] of Object.entries(headers)) {
    const isHeader = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/.test(name) && /^[\t\x20-\x7e]*$/.test(value);
    if (!isHeader) request.problem(`headers.${name}`, { code: "header_field", values: {} });
  }
  return headers;
}

function readBody(body: JsonFileReader, names: readonly string[]): BodyTemplate | null {
  const [format] = body.keys();
  if (body.keys().length === 1) {
    if (format === "json") return { format, content: checkedJson(body, body.value("json"), names) };
    if (format === "form") {
      return { format, content: readFieldsAs(body, "form", (form, name) => readFormField(form, name, names)) };
    }
    if (format === "xml" || format === "text") return { format, content: readTemplate(body, format, names) };
  }
  for (const key of body.keys()) body.value(key);
  body.problem("", { code: "one_of_forms", values: { forms: ['{"json"}', '{"form"}', '{"xml"}', '{"text"}'] } });
  return null;
}

function checkedJson(
  body: JsonFileReader,
  content: unknown,
  names: readonly string[],
  depth = nestingMax,
  isInList = false,
): unknown {
  if (depth === 0) body.problem("json", { code: "nested_too_deep", values: { max: nestingMax } });
  if (depth === 0) return null;
  if (typeof content === "string") checkPlaceholders(body, "json", content, names);
  if (typeof content !== "object" || content === null) return content;
  const isList = isListTemplate(content);
  if (isList && (isInList || Object.keys(content).length > 1)) {
    body.problem("json", { code: "list_alone", values: { key: eachKey } });
  }
  for (const value of Object.values(content)) checkedJson(body, value, names, depth - 1, isInList || isList);
  return content;
}

/** True if the request contains a list with an element for each message. */
export function hasList({ body }: RequestTemplate): boolean {
  return body !== null && holdsList(body.content);
}

function holdsList(content: unknown): boolean {
  if (typeof content !== "object" || content === null) return false;
  return isListTemplate(content) || Object.values(content).some(holdsList);
}
