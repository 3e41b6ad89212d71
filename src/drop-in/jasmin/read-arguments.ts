/** Reads the arguments of a request from wherever Jasmin's clients put them. */
import { jsonExcess } from "../../domain/json-limits.ts";
import { encodedForm, type RawFields, readRawFields } from "../../domain/raw-fields.ts";
import type { BodyProblem, RawRequest } from "../raw-request.ts";
import type { JasminArgument, JasminArguments } from "./arguments.ts";

/** `status`: the answer's status if nothing can be read. */
export interface UnreadRequest {
  status: number;
  words: string;
}

/** More names than Jasmin defines. */
const fieldsMax = 100;
/** One message. Decoding a megabyte octet by octet took 65 ms. */
const formBytesMax = 128 * 1024;
/** 500 messages of 2,000 characters would be larger: clients split such a batch. */
const jsonBytesMax = 1024 * 1024;
const jsonLimits = { nestingMax: 20, valuesMax: 20_000 };

const unread = (status: number, words: string): UnreadRequest => ({ status, words });

const twoRecipients = unread(400, "Argument [to] is there twice.");

/** From the query and, if present, a form or a JSON object. */
export async function readArguments(request: RawRequest): Promise<JasminArguments | UnreadRequest> {
  const query = readRawFields(request.query, fieldsMax);
  if (query === null) return unread(400, "Too many arguments.");
  // Any octet may be behind Bun's replacement character: a garbled text would be worse than none.
  if (request.isGarbled) return unread(400, "The request target holds octets that are no UTF-8.");
  // Jasmin would send to the first alone.
  if (query.count("to") > 1) return twoRecipients;
  const malformed = malformedArgument(query);
  if (malformed !== null) return malformed;
  const given = argumentsOf(query);
  if (request.method !== "POST") return given;
  if (typeOf(request) === "application/json") {
    const json = await readJson(request);
    if ("status" in json) return json;
    for (const [name, value] of Object.entries(json.object)) given.set(name, jsonArgument(value));
    return given;
  }
  const body = await request.body(formBytesMax);
  if ("problem" in body) return unread(bodyStatus(body.problem), "The body cannot be read.");
  const form = readRawFields(encodedForm(body.octets), fieldsMax);
  if (form === null) return unread(400, "Too many arguments.");
  if (query.count("to") + form.count("to") > 1) return twoRecipients;
  const malformedInForm = malformedArgument(form);
  if (malformedInForm !== null) return malformedInForm;
  for (const [name, value] of argumentsOf(form)) if (!given.has(name)) given.set(name, value);
  return given;
}

/** The object in a JSON body, for a method that accepts only JSON. */
export async function readJson(request: RawRequest): Promise<{ object: Record<string, unknown> } | UnreadRequest> {
  const body = await request.body(jsonBytesMax);
  if ("problem" in body) return unread(bodyStatus(body.problem), "The body cannot be read.");
  if (jsonExcess(body.octets, jsonLimits) !== null) return unread(400, "The JSON body is nested too deep or too long.");
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(body.octets);
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return { object: { ...value } };
    return unread(400, "The JSON body is no object.");
  } catch (reason) {
    if (reason instanceof SyntaxError || reason instanceof TypeError) return unread(400, "The body is no JSON.");
    throw reason;
  }
}

/** Numbers and booleans as text; nested values become empty. */
export function jsonArgument(value: unknown): JasminArgument {
  const text =
    typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? String(value) : "";
  return { octets: Buffer.from(text), isText: true };
}

/** The coding says what the content's octets are; every other argument is text. */
function malformedArgument(fields: RawFields): UnreadRequest | null {
  const name = fields.malformed(fields.names().filter((one) => one !== "content"));
  return name === null ? null : unread(400, `Argument [${name}] has an invalid value: its octets are no UTF-8.`);
}

function argumentsOf(fields: RawFields): Map<string, JasminArgument> {
  const found = new Map<string, JasminArgument>();
  for (const name of fields.names())
    if (!found.has(name)) found.set(name, { octets: fields.octets(name) ?? Buffer.alloc(0), isText: false });
  return found;
}

const typeOf = ({ contentType }: RawRequest): string => contentType.split(";", 1)[0]?.trim().toLowerCase() ?? "";

const bodyStatus = (problem: BodyProblem): number => (problem === "too_large" ? 413 : 400);

export interface Credentials {
  username: string;
  password: string;
}

/** Underscores become hyphens; name and password come with the request itself. */
export function restArguments(object: Readonly<Record<string, unknown>>, credentials: Credentials): JasminArguments {
  const given = Object.entries({ ...object, ...credentials }).map(
    ([name, value]) => [name === "custom_tlvs" ? name : name.replaceAll("_", "-"), jsonArgument(value)] as const,
  );
  return new Map(given);
}
