/** Reads and encodes the carrier's own optional parameters (TLVs, SMPP 3.4 §3.2.4) of a route's file. */
import type { RouteFileReader } from "../route-file.ts";

/** One TLV that every submit_sm of a route carries. */
export interface OptionalParameterSetting {
  tag: number;
  /** Its value in hexadecimal octets. */
  hex: string;
}

const countMax = 32;
const valueOctetsMax = 1024;
const integerOctets = new Map([
  ["int8", 1],
  ["int16", 2],
  ["int32", 4],
]);

/** Tags that Peyk writes itself: a second one would contradict the first. */
const ownTags = new Map([
  [0x020c, "sar_msg_ref_num"],
  [0x020e, "sar_total_segments"],
  [0x020f, "sar_segment_seqnum"],
  [0x0424, "message_payload"],
]);

/**
 * Reads `{"0x1400": "text", "0x1401": {"int16": 7}, "0x1402": {"hex": "00ff"}, "0x1403": {"cstring": "text"}}`.
 * Plain text is written as its octets without a closing NUL, `cstring` with one.
 */
export function readOptionalParameters(reader: RouteFileReader, key: string): OptionalParameterSetting[] {
  const settings = reader.section(key, (section) => {
    const tags = section.keys();
    if (tags.length > countMax) section.problem("", `must hold at most ${countMax} parameters`);
    return tags.flatMap((tag) => readOne(section, tag) ?? []);
  });
  return settings ?? [];
}

function readOne(section: RouteFileReader, key: string): OptionalParameterSetting | null {
  const value = section.value(key);
  const tag = /^0x[0-9a-f]{1,4}$/i.test(key) ? Number(key) : 0;
  if (tag === 0) {
    section.problem(key, 'must be named by its tag in hexadecimal, such as "0x1400"');
    return null;
  }
  const own = ownTags.get(tag);
  if (own !== undefined) section.problem(key, `is ${own}, which longMessages decides`);
  const octets = typeof value === "string" ? Buffer.from(value) : readTyped(section, key);
  if (octets === null) return null;
  if (octets.length > valueOctetsMax) section.problem(key, `must have at most ${valueOctetsMax} octets`);
  return { tag, hex: octets.toString("hex") };
}

function readTyped(section: RouteFileReader, key: string): Buffer | null {
  return section.section(key, (parameter) => {
    const types = parameter.keys();
    const [type] = types;
    if (types.length === 1 && type !== undefined) {
      const octets = octetsOf(type, parameter.value(type));
      if (octets !== null) return octets;
    }
    for (const known of types) parameter.value(known);
    parameter.problem(
      "",
      'must be text or one of {"hex"}, {"cstring"}, {"int8"}, {"int16"}, {"int32"} with a value that fits',
    );
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

/** Encodes all of them, to follow the body of a submit_sm. */
export function encodeOptionalParameters(settings: readonly OptionalParameterSetting[]): Buffer {
  const encoded = settings.map(({ tag, hex }) => {
    const value = Buffer.from(hex, "hex");
    const head = Buffer.alloc(4);
    head.writeUInt16BE(tag, 0);
    head.writeUInt16BE(value.length, 2);
    return Buffer.concat([head, value]);
  });
  return Buffer.concat(encoded);
}
