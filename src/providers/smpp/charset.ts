/** The alphabet that an SMSC means by data_coding 0, its own default: GSM's, another one, or a table of the operator's. */
import { encodeGsm7 } from "../../domain/text.ts";
import { isObject, type RouteFileReader } from "../route-file.ts";
import { packSeptets, unpackSeptets } from "./packed-septets.ts";

export const charsetNames = ["gsm7", "gsm7-packed", "latin1", "ascii"] as const;

/** `gsm7`: one septet in each octet. A table: the character of each octet from 0 on; null for an octet without one. */
export type Charset = (typeof charsetNames)[number] | { table: readonly (string | null)[] };

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

/** Whether each character of a text in GSM's alphabet has an octet; what has none goes as UCS-2. */
export function canEncode(text: string, charset: Charset): boolean {
  if (charset === "gsm7" || charset === "gsm7-packed") return true;
  const octets = octetsIn(tableOf(charset));
  return [...text].every((character) => octets.has(character));
}

/** The octets of a text that `canEncode`, to stand behind a user data header of `headerOctets`. */
export function encodeSmscText(text: string, charset: Charset, headerOctets: number): Buffer {
  if (charset === "gsm7") return Buffer.from(encodeGsm7(text));
  if (charset === "gsm7-packed") return packSeptets(encodeGsm7(text), headerOctets);
  const octets = octetsIn(tableOf(charset));
  return Buffer.from([...text].map((character) => octets.get(character) ?? 0));
}

/** The octets that stand for GSM septets, one for each, or the text itself. */
export function decodeSmscText(
  octets: Buffer,
  charset: Charset,
  headerOctets: number,
): { septets: Buffer } | { text: string } {
  if (charset === "gsm7") return { septets: octets };
  if (charset === "gsm7-packed") return { septets: unpackSeptets(octets, headerOctets) };
  const table = tableOf(charset);
  return { text: Array.from(octets, (octet) => table[octet] ?? unreadable).join("") };
}

/** Reads `"charset": "latin1"`, `{"table": […]}`, or one of these for `outbound` and `inbound` each. */
export function readCharsets(reader: RouteFileReader): Charsets {
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

function readCharset(reader: RouteFileReader, key: string): Charset {
  if (!isObject(reader.value(key))) return reader.choice(key, charsetNames, "gsm7");
  return reader.section(key, (section) => ({ table: readTable(section) })) ?? "gsm7";
}

const tableSizes = [128, 256];
/** Without one of these a table has a hole: hardly a text could be sent. */
const indispensable = [..." 0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"];

function readTable(section: RouteFileReader): readonly (string | null)[] {
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
