/**
 * Parses the body of a call to an intake: JSON, a form, a multipart form, or JSON in a form field; limits are checked
 * before anything is built.
 */
import { isJsonTooLarge } from "../json-path.ts";
import { urlencodedFields } from "../urlencoded-fields.ts";
import { type IntakeCall, intakeProblem } from "./intake-reading.ts";
import { type IntakeFormat, intakeLimits } from "./intake-template.ts";
import { multipartFields } from "./multipart-fields.ts";

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
