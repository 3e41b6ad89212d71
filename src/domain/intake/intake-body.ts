/**
 * Parses the body of a call to an intake: JSON, a form, a multipart form, or JSON in a form field; limits are checked
 * before anything is built.
 */
import { isJsonTooLarge } from "../json-path.ts";
import { encodedForm, readRawFields } from "../raw-fields.ts";
import { charsetText } from "../text-charset.ts";
import { type IntakeCall, intakeProblem } from "./intake-reading.ts";
import { type IntakeTemplate, intakeLimits } from "./intake-template.ts";

export interface ReceivedCall {
  /** Percent-encoded, without the question mark. */
  query: string;
  /** The target held octets that were replaced on the way. */
  isGarbled: boolean;
  contentType: string;
  octets: Uint8Array;
  header(name: string): string | null;
}

const problem = (message: string) => intakeProblem("body", "invalid_format", message);
const tooManyFields = () =>
  intakeProblem("body", "too_many", `The call has more than ${intakeLimits.fieldsMax} fields.`);

/** The first value of each name. */
type TextFields = ReadonlyMap<string, string>;

type Reading = Pick<IntakeTemplate, "format" | "charset">;

/** Throws ApiError `validation_failed`. */
export function readIntakeCall(reading: Reading, call: ReceivedCall): IntakeCall {
  if (call.isGarbled) throw noText("query", "the target", "ASCII: percent-encode them");
  const query = textFields("query", call.query, reading.charset);
  return {
    body: bodyOf(reading, call, query),
    query: (name) => query.get(name) ?? null,
    header: call.header,
  };
}

const noText = (field: "query" | "body", place: string, charset: string) =>
  intakeProblem(field, "invalid_format", `The octets of ${place} are no ${charset}.`);

const fieldWords = (name: string) => `the field "${name.slice(0, 60)}"`;

/** What decoding a name leaves of octets that are not UTF-8. */
const replaced = "\ufffd";

/** `encoded`: see readRawFields. */
function textFields(field: "query" | "body", encoded: string, charset: string): TextFields {
  const raw = readRawFields(encoded, intakeLimits.fieldsMax);
  if (raw === null) throw tooManyFields();
  const texts = new Map<string, string>();
  for (const name of raw.names()) {
    if (name.includes(replaced)) throw noText(field, "a field's name", "UTF-8");
    if (texts.has(name)) continue;
    const text = raw.text(name, charset);
    if (text === null) throw noText(field, fieldWords(name), charset);
    texts.set(name, text);
  }
  return texts;
}

const isJsonType = (type: string) => /^(application|text)\/([\w.-]+\+)?json\b/i.test(type);
const isFormType = (type: string) => /^application\/x-www-form-urlencoded\b/i.test(type);
const isMultipartType = (type: string) => /^multipart\/form-data\b/i.test(type);

function bodyOf({ format, charset }: Reading, { contentType, octets }: ReceivedCall, query: TextFields): unknown {
  if (format.kind === "query") return fieldsOf(query);
  if (format.kind === "json") return jsonOf(octets);
  const isForm = isFormType(contentType);
  if (isForm || isMultipartType(contentType)) {
    const fields = isForm
      ? textFields("body", encodedForm(octets), charset)
      : multipartFields(contentType, octets, charset);
    if (format.kind !== "field") return fieldsOf(fields);
    const json = fields.get(format.name);
    if (json === undefined) throw problem(`The form has no field "${format.name}".`);
    return parsedJson(json);
  }
  if (format.kind === "form") throw problem("The body is no form.");
  if (octets.length === 0) return format.kind === "field" ? fieldOfQuery(format.name, query) : fieldsOf(query);
  const first = octets.find((octet) => octet > 0x20);
  if (isJsonType(contentType) || first === 0x7b || first === 0x5b) return jsonOf(octets);
  throw problem("The body is neither JSON nor a form.");
}

function fieldOfQuery(name: string, query: TextFields): unknown {
  const json = query.get(name);
  return json === undefined ? fieldsOf(query) : parsedJson(json);
}

function jsonOf(octets: Uint8Array): unknown {
  const text = charsetText(octets);
  if (text === null) throw problem("The body is no UTF-8.");
  // Some programs begin it with a byte order mark.
  return parsedJson(text.replace(/^\ufeff/, ""));
}

function parsedJson(text: string): unknown {
  if (isJsonTooLarge(text))
    throw intakeProblem("body", "too_many", "The JSON is nested too deep or holds too many values.");
  try {
    return JSON.parse(text);
  } catch {
    throw problem("The body is no JSON.");
  }
}

/** A name such as `__proto__` is treated like any other. */
const fieldsOf = (fields: TextFields): unknown => Object.fromEntries(fields);

const boundaryMax = 70;
const headOctetsMax = 2_048;
const lineEnd = Buffer.from("\r\n");
const headEnd = Buffer.from("\r\n\r\n");

/** Empty if the body is not such a form. */
function multipartFields(contentType: string, octets: Uint8Array, charset: string): TextFields {
  const fields = new Map<string, string>();
  const boundary = boundaryOf(contentType);
  if (boundary === null) return fields;
  const body = Buffer.from(octets.buffer, octets.byteOffset, octets.length);
  const mark = Buffer.from(`--${boundary}`, "latin1");
  let [at, count] = [body.indexOf(mark), 0];
  while (at !== -1) {
    const begins = at + mark.length;
    // Two hyphens after the boundary end the form.
    if (body.indexOf(lineEnd, begins) !== begins) return fields;
    const ends = body.indexOf(Buffer.concat([lineEnd, mark]), begins);
    if (ends === -1) return fields;
    count += 1;
    if (count > intakeLimits.fieldsMax) throw tooManyFields();
    addField(fields, body.subarray(begins + lineEnd.length, ends), charset);
    at = ends + lineEnd.length;
  }
  return fields;
}

function boundaryOf(contentType: string): string | null {
  const found = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType.slice(0, 256));
  const boundary = found?.[1] ?? found?.[2] ?? null;
  return boundary === null || boundary.length > boundaryMax ? null : boundary;
}

function addField(fields: Map<string, string>, part: Buffer, charset: string): void {
  const head = part.subarray(0, headOctetsMax);
  const headLength = head.indexOf(headEnd);
  if (headLength === -1) return;
  const disposition = head
    .toString("utf8", 0, headLength)
    .split("\r\n")
    .find((line) => line.toLowerCase().startsWith("content-disposition:"));
  if (disposition === undefined || /;\s*filename\*?=/i.test(disposition)) return;
  const name = /;\s*name="([^"]{1,200})"/i.exec(disposition)?.[1];
  if (name === undefined || fields.has(name)) return;
  if (name.includes(replaced)) throw noText("body", "a field's name", "UTF-8");
  const text = charsetText(part.subarray(headLength + headEnd.length), charset);
  if (text === null) throw noText("body", fieldWords(name), charset);
  fields.set(name, text);
}
