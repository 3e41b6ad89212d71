/** Reads and encodes the carrier's own optional parameters (TLVs, SMPP 3.4 §3.2.4) of a route's file. */

import type { JsonFileReader } from "../../domain/json-file.ts";
import {
  missingVariables,
  parseTemplate,
  renderTemplate,
  type Template,
  unknownVariables,
} from "../../domain/template.ts";

/** One TLV of every submit_sm of a route. */
export type OptionalParameterSetting = FixedParameter | FilledParameter;

export interface FixedParameter {
  tag: number;
  /** Its value in hexadecimal octets. */
  hex: string;
}

/** Its value differs between messages. */
export interface FilledParameter {
  tag: number;
  template: Template;
  endsInNul: boolean;
}

/** The placeholders of a value. If one has no value, the TLV is left out. */
export const parameterVariables = ["trackingCode", "account", "class", "templateId"] as const;
export type ParameterValues = Readonly<Record<(typeof parameterVariables)[number], string | null>>;

const countMax = 32;
const valueOctetsMax = 1024;
const integerOctets = new Map([
  ["int8", 1],
  ["int16", 2],
  ["int32", 4],
]);

/** Tags that Peyk writes itself: a duplicate would contradict the first. */
const ownTags = new Map([
  [0x020c, "sar_msg_ref_num"],
  [0x020e, "sar_total_segments"],
  [0x020f, "sar_segment_seqnum"],
  [0x0424, "message_payload"],
]);

/**
 * Tags that only an SMSC writes (§4.4.1, §5.3.2): they mean nothing in a submit_sm, and some SMSCs refuse it for them.
 */
const answerTags = new Map([
  [0x001d, "additional_status_info_text"],
  [0x001e, "receipted_message_id"],
  [0x0420, "dpf_result"],
  [0x0423, "network_error_code"],
  [0x0425, "delivery_failure_reason"],
  [0x0427, "message_state"],
]);

/**
 * Reads `{"0x1400": "text", "0x1401": {"int16": 7}, "0x1402": {"hex": "00ff"}, "0x1403": {"cstring": "text"}}`. Plain
 * text is written as its octets without a closing NUL, `cstring` with one; in both `{{trackingCode}}` and the other
 * placeholders stand for a value of the message.
 */
export function readOptionalParameters(reader: JsonFileReader, key: string): OptionalParameterSetting[] {
  const settings = reader.section(key, (section) => {
    const tags = section.keys();
    if (tags.length > countMax)
      section.problem("", { code: "entries_max", values: { max: countMax, what: "parameters" } });
    return tags.flatMap((tag) => readOne(section, tag) ?? []);
  });
  return settings ?? [];
}

function readOne(section: JsonFileReader, key: string): OptionalParameterSetting | null {
  const value = section.value(key);
  const tag = /^0x[0-9a-f]{1,4}$/i.test(key) ? Number(key) : 0;
  if (tag === 0) {
    section.problem(key, { code: "tag_name", values: {} });
    return null;
  }
  const own = ownTags.get(tag);
  if (own !== undefined) section.problem(key, { code: "tag_own", values: { name: own } });
  const answer = answerTags.get(tag);
  if (answer !== undefined) section.problem(key, { code: "tag_of_smsc", values: { name: answer } });
  const octets = typeof value === "string" ? Buffer.from(value) : readTyped(section, key);
  if (octets === null) return null;
  const filled = readFilled(section, key, { tag, octets, endsInNul: typeof value !== "string" });
  if (filled !== null) return filled;
  if (octets.length > valueOctetsMax) section.problem(key, { code: "octets_max", values: { max: valueOctetsMax } });
  return { tag, hex: octets.toString("hex") };
}

/** Lower tags are the standard's, with defined values (§5.3.2); from here on they are vendors'. */
const vendorTagMin = 0x1400;

/** Vendors' tags end here (§5.3.2). */
const vendorTagMax = 0x3fff;

/** Reads `["0x1400", "0x1401"]`: what a customer's SMPP client sends in these goes to the carrier. */
export function readPassedTags(reader: JsonFileReader, key: string): number[] {
  const value = reader.value(key) ?? [];
  const tags = Array.isArray(value)
    ? value.map((tag) => (/^0x[0-9a-f]{4}$/i.test(String(tag)) ? Number(tag) : 0))
    : [0];
  if (tags.length <= countMax && tags.every((tag) => tag >= vendorTagMin && tag <= vendorTagMax)) return tags;
  reader.problem(key, { code: "tags_passed", values: { max: countMax } });
  return [];
}

/** Of the TLVs in `octets`, as they came, those with these tags. */
export function passedParameters(octets: Uint8Array, tags: ReadonlySet<number>): Buffer {
  const all = Buffer.from(octets.buffer, octets.byteOffset, octets.length);
  const wanted: Buffer[] = [];
  for (let at = 0; at < all.length; ) {
    const end = at + 4 + all.readUInt16BE(at + 2);
    if (tags.has(all.readUInt16BE(at))) wanted.push(all.subarray(at, end));
    at = end;
  }
  return Buffer.concat(wanted);
}

/** Null for a value without placeholders. */
function readFilled(
  section: JsonFileReader,
  key: string,
  { tag, octets, endsInNul }: { tag: number; octets: Buffer; endsInNul: boolean },
): FilledParameter | null {
  const isText = typeof section.value(key) === "string" || isCString(section.value(key));
  const template = parseTemplate(octets.toString().replace(/\0$/, ""));
  if (!isText || template.variables.length === 0) return null;
  const [unknown] = unknownVariables(template, parameterVariables);
  const known = parameterVariables.map((name) => `{{${name}}}`);
  if (unknown !== undefined) section.problem(key, { code: "placeholder_of_tag", values: { name: unknown, known } });
  if (tag < vendorTagMin) section.problem(key, { code: "tag_of_standard", values: {} });
  return { tag, template, endsInNul };
}

const isCString = (value: unknown) => typeof value === "object" && value !== null && "cstring" in value;

function readTyped(section: JsonFileReader, key: string): Buffer | null {
  return section.section(key, (parameter) => {
    const types = parameter.keys();
    const [type] = types;
    if (types.length === 1 && type !== undefined) {
      const octets = octetsOf(type, parameter.value(type));
      if (octets !== null) return octets;
    }
    for (const known of types) parameter.value(known);
    parameter.problem("", { code: "tag_value", values: {} });
    return null;
  });
}

function octetsOf(type: string, value: unknown): Buffer | null {
  if (type === "cstring" && typeof value === "string") return Buffer.from(`${value}\0`);
  if (type === "hex" && typeof value === "string" && /^([0-9a-f]{2})*$/i.test(value)) return Buffer.from(value, "hex");
  const octets = integerOctets.get(type);
  const fits = typeof value === "number" && Number.isInteger(value) && value >= 0;
  if (octets === undefined || !fits || value >= 2 ** (8 * octets)) return null;
  const written = Buffer.alloc(octets);
  written.writeUIntBE(value, 0, octets);
  return written;
}

/**
 * Encodes TLVs for the end of a submit_sm: those with placeholders for one message, or those without, once for all.
 */
export function encodeOptionalParameters(
  settings: readonly OptionalParameterSetting[],
  values?: ParameterValues,
): Buffer {
  const encoded = settings.flatMap((setting) => {
    if ("hex" in setting) return values === undefined ? encode(setting.tag, Buffer.from(setting.hex, "hex")) : [];
    const { tag, template, endsInNul } = setting;
    if (values === undefined || missingVariables(template, values).length > 0) return [];
    return encode(tag, Buffer.from(renderTemplate(template, values) + (endsInNul ? "\0" : "")));
  });
  return Buffer.concat(encoded);
}

function encode(tag: number, value: Buffer): Buffer {
  const head = Buffer.alloc(4);
  head.writeUInt16BE(tag, 0);
  head.writeUInt16BE(value.length, 2);
  return Buffer.concat([head, value]);
}
