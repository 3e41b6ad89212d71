/**
 * The parameters of a sendsms request, from wherever Kannel and its clients put them: query, form, or headers beside a
 * text.
 */

import { encodedForm, type RawFields, readRawFields } from "../../domain/raw-fields.ts";
import { charsetText } from "../../domain/text-charset.ts";
import type { DropInAnswer } from "../protocol.ts";
import type { RawRequest } from "../raw-request.ts";
import { kannelAnswer } from "./answers.ts";

/** As octets: charset and coding say what they mean. */
export interface SendsmsFields {
  /** The field of this name, else of the other; null if neither is present. */
  octets(name: string, otherwise?: string): Buffer | null;
  /** As UTF-8; null as well if it is malformed. */
  text(name: string, otherwise?: string): string | null;
  /** One of these fields is there, and is no UTF-8. */
  isMalformed(...names: string[]): boolean;
  count(name: string): number;
  /** The body states no charset: it is binary, unless the coding says text. */
  isOctets: boolean;
  /** Kannel's message for a missing receiver. */
  missingReceiver: string;
  /** A header's value, for the credential's key. */
  header(name: string): string | null;
}

/** More parameters than Kannel defines. */
const fieldsMax = 100;
/** 500 receivers, a callback's URL, and 2,000 characters percent-encoded. */
const formBytesMax = 128 * 1024;

const tooMuch = kannelAnswer(413, "Charset or body misformed, rejected");
const xmlNotServed = kannelAnswer(400, "Invalid content-type: text/xml is not served, use the query or a form");
const misformed = kannelAnswer(400, "Charset or body misformed, rejected");

/** The answer if nothing can be read. */
export async function readSendsms(request: RawRequest): Promise<SendsmsFields | DropInAnswer> {
  const query = readRawFields(request.query, fieldsMax);
  // Any octet may be behind Bun's replacement character: a garbled text would be worse than none.
  if (query === null || request.isGarbled) return misformed;
  if (request.method !== "POST") return fieldsOf(query, request);
  const body = await request.body(formBytesMax);
  if ("problem" in body) return { ...(body.problem === "too_large" ? tooMuch : misformed), closes: true };
  const type = request.contentType.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  if (type === "application/x-www-form-urlencoded") {
    const form = readRawFields(encodedForm(body.octets), fieldsMax);
    return form === null ? misformed : fieldsOf(form.and(query), request);
  }
  if (["", "text/plain", "application/octet-stream"].includes(type))
    return headerFields(request, Buffer.from(body.octets));
  // Kannel's XML has a receiver, a text and a report of its own each; no client of it was found.
  if (type === "text/xml") return xmlNotServed;
  return kannelAnswer(400, "Invalid content-type");
}

function fieldsOf(fields: RawFields, request: RawRequest): SendsmsFields {
  const present = (name: string, otherwise = name) => (fields.has(name) ? name : otherwise);
  return {
    octets: (name, otherwise) => fields.octets(present(name, otherwise)),
    text: (name, otherwise) => fields.text(present(name, otherwise)),
    isMalformed: (...names) => fields.malformed(names) !== null,
    count: (name) => fields.count(name),
    isOctets: false,
    missingReceiver: "Missing receiver number, rejected",
    header: (name) => request.header(name),
  };
}

/** The body is the text; the other parameters are in headers such as `X-Kannel-To`. */
function headerFields(request: RawRequest, text: Buffer): SendsmsFields {
  const charset = /;\s*charset\s*=\s*"?([\w-]+)/i.exec(request.contentType.slice(0, 200))?.[1] ?? "";
  const fieldNamed = (name: string): Buffer | null => {
    if (name === "text") return text;
    if (name === "charset" && charset !== "") return Buffer.from(charset);
    const value = request.header(`X-Kannel-${name}`);
    return value === null ? null : Buffer.from(value, "latin1");
  };
  const octets = (name: string, otherwise = name) => fieldNamed(name) ?? fieldNamed(otherwise);
  const textOf = (field: Buffer | null) => (field === null ? null : charsetText(field));
  return {
    octets,
    text: (name, otherwise) => textOf(octets(name, otherwise)),
    isMalformed: (...names) => names.some((name) => fieldNamed(name) !== null && textOf(fieldNamed(name)) === null),
    count: () => 1,
    isOctets: !/^text\//i.test(request.contentType.trim()),
    missingReceiver: "Missing receiver(s) number(s), rejected",
    header: (name) => request.header(name),
  };
}
