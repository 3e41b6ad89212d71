/**
 * The alphabet that an SMSC means by data_coding 0, its own default: GSM's, another one, or a table of the operator's.
 */

import { isObject, type JsonFileReader } from "../domain/json-file.ts";
import { encodeGsm7 } from "../domain/text.ts";
import { type FileValueOf, readFileField } from "../fields/file.ts";
import { smppCarrierFields } from "../fields/smpp-carrier.ts";

const septetBits = 7;
const carriageReturn = 0x0d;

/** Bits between the end of a header and the next septet (3GPP TS 23.040 §9.2.3.24). */
const fillBits = (headerOctets: number) => (septetBits - ((headerOctets * 8) % septetBits)) % septetBits;

/** Seven spare bits would read as an @, so they hold a carriage return. */
export function packSeptets(septets: Uint8Array, headerOctets: number): Buffer {
  const fill = fillBits(headerOctets);
  const octets = Buffer.alloc(Math.ceil((fill + septets.length * septetBits) / 8));
  const write = (septet: number, bit: number) => {
    const shifted = septet << (bit % 8);
    const index = bit >> 3;
    octets[index] = (octets[index] ?? 0) | (shifted & 0xff);
    if (shifted > 0xff) octets[index + 1] = (octets[index + 1] ?? 0) | (shifted >> 8);
  };
  for (const [number, septet] of septets.entries()) write(septet, fill + number * septetBits);
  const usedBits = fill + septets.length * septetBits;
  if (octets.length * 8 - usedBits === septetBits) write(carriageReturn, usedBits);
  return octets;
}

export function unpackSeptets(octets: Buffer, headerOctets: number): Buffer {
  const fill = fillBits(headerOctets);
  const count = Math.max(Math.floor((octets.length * 8 - fill) / septetBits), 0);
  const septets = Buffer.alloc(count);
  for (let number = 0; number < count; number += 1) {
    const bit = fill + number * septetBits;
    const pair = (octets[bit >> 3] ?? 0) | ((octets[(bit >> 3) + 1] ?? 0) << 8);
    septets[number] = (pair >> (bit % 8)) & 0x7f;
  }
  const isPadding = septets.at(-1) === carriageReturn && fill + count * septetBits === octets.length * 8;
  return isPadding ? septets.subarray(0, -1) : septets;
}

/** `gsm7`: one septet per octet. A table: the character for each octet from 0 on; null if it has none. */
export type Charset = FileValueOf<typeof smppCarrierFields.charset> | { table: readonly (string | null)[] };

/** One for each direction. */
export interface Charsets {
  outbound: Charset;
  inbound: Charset;
}

const unreadable = "\ufffd";
const latin1 = Array.from({ length: 256 }, (_, octet) => String.fromCharCode(octet));
const octetsByTable = new WeakMap<object, ReadonlyMap<string, number>>();

const ascii = latin1.slice(0, 128);

function tableOf(charset: "latin1" | "ascii" | { table: readonly (string | null)[] }): readonly (string | null)[] {
  if (typeof charset === "object") return charset.table;
  return charset === "latin1" ? latin1 : ascii;
}

function octetsIn(table: readonly (string | null)[]): ReadonlyMap<string, number> {
  const known = octetsByTable.get(table);
  if (known !== undefined) return known;
  const octets = new Map(
    table.flatMap((character, octet) => (character === null ? [] : [[character, octet] as const])),
  );
  octetsByTable.set(table, octets);
  return octets;
}

/** True if every character of a text in GSM's alphabet has an octet; other texts go as UCS-2. */
export function canEncode(text: string, charset: Charset): boolean {
  if (charset === "gsm7" || charset === "gsm7-packed") return true;
  const octets = octetsIn(tableOf(charset));
  return [...text].every((character) => octets.has(character));
}

/** The octets of a text that `canEncode`, to follow a user data header of `headerOctets`. */
export function encodeSmscText(text: string, charset: Charset, headerOctets: number): Buffer {
  if (charset === "gsm7") return Buffer.from(encodeGsm7(text));
  if (charset === "gsm7-packed") return packSeptets(encodeGsm7(text), headerOctets);
  const octets = octetsIn(tableOf(charset));
  return Buffer.from([...text].map((character) => octets.get(character) ?? 0));
}

/** One octet for each GSM septet, or the text itself. */
export function decodeSmscText(
  octets: Buffer,
  charset: Charset,
  headerOctets: number,
): { septets: Buffer } | { text: string } {
  if (charset === "gsm7") return { septets: octets };
  if (charset === "gsm7-packed") return { septets: unpackSeptets(octets, headerOctets) };
  if (charset === "latin1") return { text: octets.toString("latin1") };
  const table = tableOf(charset);
  let text = "";
  for (const octet of octets) text += table[octet] ?? unreadable;
  return { text };
}

/** Reads `"charset": "latin1"`, `{"table": […]}`, or one of these for `outbound` and `inbound` each. */
export function readCharsets(reader: JsonFileReader): Charsets {
  const value = reader.value("charset");
  if (isObject(value) && !("table" in value)) {
    const each = reader.section("charset", (section) => ({
      outbound: readCharset(section, "outbound"),
      inbound: readCharset(section, "inbound"),
    }));
    if (each !== null) return each;
  }
  const both = readCharset(reader, "charset");
  return { outbound: both, inbound: both };
}

function readCharset(reader: JsonFileReader, key: string): Charset {
  if (!isObject(reader.value(key))) return readFileField(reader, key, smppCarrierFields.charset);
  return reader.section(key, (section) => ({ table: readTable(section) })) ?? "gsm7";
}

const tableSizes = [128, 256];
/** A table without all of these is rejected: hardly any text could be sent. */
const indispensable = [..." 0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"];

function readTable(section: JsonFileReader): readonly (string | null)[] {
  const value = section.value("table");
  const isCell = (cell: unknown): cell is string | null =>
    cell === null || (typeof cell === "string" && [...cell].length === 1);
  if (!Array.isArray(value) || !tableSizes.includes(value.length) || !value.every(isCell)) {
    section.problem("table", { code: "table_cells", values: {} });
    return ascii;
  }
  const missing = indispensable.filter((character) => !value.includes(character));
  const twice = value.find((cell, octet): cell is string => cell !== null && value.indexOf(cell) !== octet);
  if (missing.length > 0) {
    section.problem("table", { code: "table_hole", values: { missing } });
  }
  if (twice !== undefined) section.problem("table", { code: "table_twice", values: { cell: twice } });
  return value;
}
