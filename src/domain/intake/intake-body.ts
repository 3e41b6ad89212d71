/**
 * Parses the body of a call to an intake: JSON, a form, a multipart form, or JSON in a form field; limits are checked
 * before anything is built.
 */
import { isJsonTooLarge } from "../json-path.ts";
import { urlencodedFields } from "../urlencoded-fields.ts";
import { type IntakeCall, intakeProblem } from "./intake-reading.ts";
import { type IntakeFormat, intakeLimits } from "./intake-template.ts";

export interface ReceivedCall {
  /** Without the question mark. */
  query: string;
  contentType: string;
  octets: Uint8Array;
  header(name: string): string | null;
}

const problem = (message: string) => intakeProblem("body", "invalid_format", message);
const tooManyFields = () =>
  intakeProblem("body", "too_many", `The call has more than ${intakeLimits.fieldsMax} fields.`);

/** Throws ApiError `validation_failed`. */
export function readIntakeCall(format: IntakeFormat, call: ReceivedCall): IntakeCall {
  const query = urlencodedFields(call.query, intakeLimits.fieldsMax);
  if (query === null) throw tooManyFields();
  return {
    body: bodyOf(format, call, query),
    query: (name) => query.get(name),
    header: call.header,
  };
}

const isJsonType = (type: string) => /^(application|text)\/([\w.-]+\+)?json\b/i.test(type);
const isFormType = (type: string) => /^application\/x-www-form-urlencoded\b/i.test(type);
const isMultipartType = (type: string) => /^multipart\/form-data\b/i.test(type);

function bodyOf(format: IntakeFormat, { contentType, octets }: ReceivedCall, query: URLSearchParams): unknown {
  if (format.kind === "query") return fieldsOf(query);
  if (format.kind === "json") return jsonOf(octets);
  const isForm = isFormType(contentType);
  if (isForm || isMultipartType(contentType)) {
    const fields = isForm ? formOf(octets) : multipartFields(contentType, octets, intakeLimits.fieldsMax);
    if (fields === null) throw tooManyFields();
    if (format.kind !== "field") return fieldsOf(fields);
    const json = fields.get(format.name);
    if (json === null) throw problem(`The form has no field "${format.name}".`);
    return jsonOf(Buffer.from(json));
  }
  if (format.kind === "form") throw problem("The body is no form.");
  if (octets.length === 0) return format.kind === "field" ? fieldOfQuery(format.name, query) : fieldsOf(query);
  const first = octets.find((octet) => octet > 0x20);
  if (isJsonType(contentType) || first === 0x7b || first === 0x5b) return jsonOf(octets);
  throw problem("The body is neither JSON nor a form.");
}

function fieldOfQuery(name: string, query: URLSearchParams): unknown {
  const json = query.get(name);
  return json === null ? fieldsOf(query) : jsonOf(Buffer.from(json));
}

const formOf = (octets: Uint8Array) => urlencodedFields(decoded(octets), intakeLimits.fieldsMax);

function decoded(octets: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(octets);
  } catch {
    throw problem("The body is no UTF-8.");
  }
}

function jsonOf(octets: Uint8Array): unknown {
  const text = decoded(octets);
  if (isJsonTooLarge(text))
    throw intakeProblem("body", "too_many", "The JSON is nested too deep or holds too many values.");
  try {
    return JSON.parse(text);
  } catch {
    throw problem("The body is no JSON.");
  }
}

/** The first value of each name; a name such as `__proto__` is treated like any other. */
function fieldsOf(fields: URLSearchParams): unknown {
  const read = new Map<string, string>();
  for (const [name, value] of fields) if (!read.has(name)) read.set(name, value);
  return Object.fromEntries(read);
}

const boundaryMax = 70;
const headOctetsMax = 2_048;
const lineEnd = Buffer.from("\r\n");
const headEnd = Buffer.from("\r\n\r\n");

/** Null if there are more than `fieldsMax`. Empty if the body is not such a form. */
function multipartFields(contentType: string, octets: Uint8Array, fieldsMax: number): URLSearchParams | null {
  const fields = new URLSearchParams();
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
    if (count > fieldsMax) return null;
    addField(fields, body.subarray(begins + lineEnd.length, ends));
    at = ends + lineEnd.length;
  }
  return fields;
}

function boundaryOf(contentType: string): string | null {
  const found = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType.slice(0, 256));
  const boundary = found?.[1] ?? found?.[2] ?? null;
  return boundary === null || boundary.length > boundaryMax ? null : boundary;
}

function addField(fields: URLSearchParams, part: Buffer): void {
  const head = part.subarray(0, headOctetsMax);
  const headLength = head.indexOf(headEnd);
  if (headLength === -1) return;
  const disposition = head
    .toString("utf8", 0, headLength)
    .split("\r\n")
    .find((line) => line.toLowerCase().startsWith("content-disposition:"));
  if (disposition === undefined || /;\s*filename\*?=/i.test(disposition)) return;
  const name = /;\s*name="([^"]{1,200})"/i.exec(disposition)?.[1];
  if (name !== undefined) fields.append(name, part.toString("utf8", headLength + headEnd.length));
}
