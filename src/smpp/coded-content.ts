/** Reads texts: decodes octets by their data_coding, and finds a part's position in its long message. */
import type { Ia5Charset } from "../domain/credential.ts";
import { decodeGsm7, isKnownShift, type NationalShift } from "../domain/text.ts";
import { type Charset, decodeSmscText } from "./charset.ts";
import type { DeliverSm, Segmentation } from "./codec.ts";
import { dataCoding, esmClass } from "./constants.ts";

/** The octets of a PDU, and the fields that say how to read them. */
export type CodedContent = Pick<DeliverSm, "content" | "esmClass" | "dataCoding" | "segmentation">;

export interface ReadContent {
  /** Null if the octets after the header are not text, or are meant for an application. */
  text: string | null;
  /** The octets after the header. */
  body: Buffer;
  /** Present on a part of a long message. */
  concat: Segmentation | null;
  /**
   * Its header names a national alphabet that Peyk cannot decode: some characters of the text are wrong.
   */
  isMisread: boolean;
}

/** `ia5`: the alphabet of data_coding 1. */
export function readCodedContent(given: CodedContent, charset: Charset, ia5: Ia5Charset): ReadContent {
  const isGsm7 = ia5 === "gsm7" && given.dataCoding === dataCoding.ia5;
  const coded = isGsm7 ? { ...given, dataCoding: dataCoding.gsm7 } : given;
  const { header, body } = splitHeader(coded);
  const concat = header?.concat ?? validPosition(coded.segmentation);
  if (header?.isApplication === true) return { text: null, body, concat, isMisread: false };
  if (header?.shift != null && alphabetOf(coded.dataCoding) === "gsm7")
    return { ...nationalText(coded, body, charset, header.shift, concat !== null), body, concat };
  return { text: textOf(coded, body, charset, concat !== null), body, concat, isMisread: false };
}

/** The header says that these are septets, whatever data_coding 0 means for this SMSC. */
function nationalText(coded: CodedContent, body: Buffer, charset: Charset, shift: NationalShift, isLong: boolean) {
  const isDefault = coded.dataCoding === dataCoding.smscDefault;
  const decoded = isDefault ? decodeSmscText(body, charset, coded.content.length - body.length) : { septets: body };
  const septets = "septets" in decoded ? decoded.septets : body;
  if (septets.some(isNoSeptet)) return { text: septets.toString("latin1"), isMisread: true };
  // By the standard, an escape and its character are never split between parts (TS 23.040, 9.2.3.24.1).
  const isCut = isLong && endsInEscape(septets, coded.dataCoding);
  return { text: decodeGsm7(septets, shift), isMisread: isCut || !isKnownShift(shift) };
}

const isNoSeptet = (octet: number) => octet > 0x7f;

/** Null if the octets after the header are not text. */
function textOf(delivery: CodedContent, body: Buffer, charset: Charset, isLong: boolean): string | null {
  const coding = delivery.dataCoding;
  const isDefault = coding === dataCoding.smscDefault;
  const decoded = isDefault ? decodeSmscText(body, charset, delivery.content.length - body.length) : { septets: body };
  if ("text" in decoded) return decoded.text;
  const whole = decodeText(decoded.septets, coding);
  return whole !== null && isLong && endsInEscape(decoded.septets, coding) ? withEscape(whole) : whole;
}

const gsmEscape = 0x1b;

/** The escaped character is in the next part. */
function endsInEscape(octets: Buffer, coding: number): boolean {
  const isGsm7 = alphabetOf(coding) === "gsm7" && !octets.some(isNoSeptet);
  return isGsm7 && octets.at(-1) === gsmEscape && octets.at(-2) !== gsmEscape;
}

/** Restores a trailing escape, which the decoder turned into a space. */
const withEscape = (text: string) => `${text.slice(0, -1)}\u001b`;

interface Header {
  concat: Segmentation | null;
  /** The national alphabet that the header names (3GPP TS 23.038 §6.2.1.2), in which septets mean other characters. */
  shift: NationalShift | null;
  /** Addressed to a port: octets for an application, not text. */
  isApplication: boolean;
}

const invalidHeader: Header = { concat: null, shift: null, isApplication: true };

/** The user data header (3GPP TS 23.040 §9.2.3.24); null if there is none or its length fields are invalid. */
function splitHeader({ content, esmClass: flags }: CodedContent): { header: Header | null; body: Buffer } {
  const headerLength = content[0];
  if ((flags & esmClass.udhIndicator) === 0 || headerLength === undefined) return { header: null, body: content };
  if (headerLength + 1 > content.length) return { header: invalidHeader, body: content };
  const header = readHeader(content.subarray(1, headerLength + 1));
  return header === null
    ? { header: invalidHeader, body: content }
    : { header, body: content.subarray(headerLength + 1) };
}

const element = { concat8: 0x00, concat16: 0x08, port8: 0x04, port16: 0x05, singleShift: 0x24, lockingShift: 0x25 };

/** A language that the standard does not define; a value that is not one octet counts as such. */
const reservedLanguage = 0;

function readHeader(octets: Buffer): Header | null {
  const header: Header = { concat: null, shift: null, isApplication: false };
  let offset = 0;
  while (offset + 2 <= octets.length) {
    const id = octets[offset];
    const value = octets.subarray(offset + 2, offset + 2 + (octets[offset + 1] ?? 0));
    if (value.length !== octets[offset + 1]) return null;
    if (id === element.concat8 && value.length === 3) header.concat = positionOf(value.readUInt8(0), value.subarray(1));
    if (id === element.concat16 && value.length === 4)
      header.concat = positionOf(value.readUInt16BE(0), value.subarray(2));
    const language = value.length === 1 ? value.readUInt8(0) : reservedLanguage;
    if (id === element.singleShift) header.shift = { locking: header.shift?.locking ?? null, single: language };
    if (id === element.lockingShift) header.shift = { single: header.shift?.single ?? null, locking: language };
    if (id === element.port8 || id === element.port16) header.isApplication = true;
    offset += 2 + value.length;
  }
  return header;
}

function positionOf(reference: number, [parts = 0, part = 0]: Buffer): Segmentation | null {
  return validPosition({ reference, parts, part });
}

/** An impossible position (part 0, part 4 of 3) counts as none; part 1 of 1 is a whole message. */
function validPosition(position: Segmentation | null): Segmentation | null {
  if (position === null) return null;
  const { part, parts } = position;
  return parts >= 2 && part >= 1 && part <= parts ? position : null;
}

type Alphabet = "gsm7" | "latin1" | "ucs2" | "iso-8859-5" | "iso-8859-8" | "shift_jis" | "euc-kr" | "binary";

/** data_coding (SMPP 3.4 §5.2.19). From 0x10 on, 3GPP TS 23.038 §4 applies. */
const alphabets: readonly Alphabet[] = [
  "gsm7",
  "latin1",
  "binary",
  "latin1",
  "binary",
  "shift_jis",
  "iso-8859-5",
  "iso-8859-8",
  "ucs2",
  "binary",
  "binary",
  "binary",
  "binary",
  "binary",
  "euc-kr",
  "binary",
];

export function alphabetOf(coding: number): Alphabet {
  if (coding < 0x10) return alphabets[coding] ?? "binary";
  if (coding < 0x80) {
    const isCompressed = (coding & 0x20) !== 0;
    if (isCompressed) return "binary";
    return (["gsm7", "binary", "ucs2", "binary"] as const)[(coding >> 2) & 3] ?? "binary";
  }
  if (coding >= 0xf0) return (coding & 0x04) === 0 ? "gsm7" : "binary";
  if (coding >= 0xe0) return "ucs2";
  return coding >= 0xc0 ? "gsm7" : "binary";
}

/** Null where the octets are not text. */
export function decodeText(octets: Buffer, coding: number): string | null {
  const alphabet = alphabetOf(coding);
  if (alphabet === "binary") return null;
  // An eighth bit shows that the SMSC's default alphabet is not GSM's.
  if (alphabet === "gsm7") return octets.some(isNoSeptet) ? octets.toString("latin1") : decodeGsm7(octets);
  if (alphabet === "latin1") return octets.toString("latin1");
  if (alphabet === "ucs2") return octets.length % 2 === 1 ? null : utf16Be(octets);
  return new TextDecoder(alphabet).decode(octets);
}

/** Keeps half a surrogate pair, which the domain's decoder would replace: the other half is in the next part. */
function utf16Be(octets: Buffer): string {
  return Buffer.from(octets).swap16().toString("utf16le");
}
