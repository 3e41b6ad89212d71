/** Measures and splits texts: encoding, characters, parts (docs/api-rules.md, "Messages"). */
import { NotInAlphabetError, septetCountOf } from "./gsm7.ts";
import type { MessageEncoding } from "./message.ts";

export { decodeGsm7, encodeGsm7, isKnownShift, type NationalShift, NotInAlphabetError } from "./gsm7.ts";

export interface TextMeasure {
  encoding: MessageEncoding;
  /** Unicode code points. */
  characterCount: number;
  partCount: number;
}

/** The capacity of one part: septets in `Latin`, UTF-16 units in the others. */
export interface PartSizes {
  /** Capacity of a single-part message. */
  singleMax: number;
  /** Capacity of each of several parts, after the user data header. */
  partMax: number;
}

/** 140 octets, minus the six of a header with an 8-bit reference (3GPP TS 23.040, 9.2.3.24.1). */
export const septetPartSizes: PartSizes = { singleMax: 160, partMax: 153 };
export const unitPartSizes: PartSizes = { singleMax: 70, partMax: 67 };
/** With a 16-bit reference, whose header takes seven octets (9.2.3.24.8). */
export const septetPartSizesUdh16: PartSizes = { singleMax: 160, partMax: 152 };
export const unitPartSizesUdh16: PartSizes = { singleMax: 70, partMax: 66 };

const septetBits = 0x03;
const outsideGsm7 = 0x04;
const arabicLetter = 0x08;
const highSurrogate = 0x10;
const control = 0x20;

const isArabicLetter = /^(?=\p{L})\p{Script=Arabic}$/u;

/** Every letter of the script below U+10000 is in these blocks; a test compares them with the whole plane. */
const arabicBlocks = [
  [0x0600, 0x08ff],
  [0xfb50, 0xfdff],
  [0xfe70, 0xfeff],
] as const;

/** U+10C00 to U+10FFF and U+1EC00 to U+1EFFF: with the expression alone, a batch of a million emoji took 60 ms. */
const arabicHighSurrogates: ReadonlySet<number> = new Set([0xd803, 0xd83b]);

/** One octet of the flags above per UTF-16 unit: a single read decides what a unit costs. */
const unitFlags = new Uint8Array(0x10000).fill(outsideGsm7);
for (let unit = 0; unit <= 0x20ac; unit += 1) {
  const septets = septetCountOf(unit);
  if (septets > 0) unitFlags[unit] = septets;
}
for (const [first, last] of arabicBlocks) {
  for (let unit = first; unit <= last; unit += 1) {
    if (isArabicLetter.test(String.fromCharCode(unit))) unitFlags[unit] = outsideGsm7 | arabicLetter;
  }
}
unitFlags.fill(outsideGsm7 | highSurrogate, 0xd800, 0xdc00);
for (let unit = 0; unit < 0xa0; unit += 1) {
  const printable = (unit >= 0x20 && unit < 0x7f) || unit === 0x0a || unit === 0x0d;
  if (!printable) unitFlags[unit] = (unitFlags[unit] ?? 0) | control;
}

/** True if there is a low surrogate at `index`. */
function isLowSurrogate(text: string, index: number): boolean {
  return (text.charCodeAt(index) & 0xfc00) === 0xdc00;
}

/** Encoding, code points and parts of a text, with the part sizes for an 8-bit reference. An empty text is one part. */
export function measureText(text: string): TextMeasure {
  const length = text.length;
  let seen = 0;
  let septets = 0;
  let characterCount = length;
  for (let index = 0; index < length; index += 1) {
    const flags = unitFlags[text.charCodeAt(index)] ?? 0;
    seen |= flags;
    septets += flags & septetBits;
    if ((flags & highSurrogate) !== 0 && isLowSurrogate(text, index + 1)) {
      characterCount -= 1;
      if (arabicHighSurrogates.has(text.charCodeAt(index)) && isArabicLetter.test(text.slice(index, index + 2))) {
        seen |= arabicLetter;
      }
      index += 1;
    }
  }
  if ((seen & outsideGsm7) === 0) {
    const partCount = septets <= septetPartSizes.singleMax ? 1 : countParts(text, true);
    return { encoding: "Latin", characterCount, partCount };
  }
  const partCount = length <= unitPartSizes.singleMax ? 1 : countParts(text, false);
  return { encoding: (seen & arabicLetter) === 0 ? "Unicode" : "Persian", characterCount, partCount };
}

function countParts(text: string, latin: boolean): number {
  const { partMax } = latin ? septetPartSizes : unitPartSizes;
  let count = 0;
  for (let start = 0; start < text.length; count += 1) start = partEnd(text, start, latin, partMax);
  return count;
}

/** The index after the last complete character that fits into a part of `sizeMax` starting at `start`. */
function partEnd(text: string, start: number, latin: boolean, sizeMax: number): number {
  if (!latin) {
    const end = start + sizeMax;
    if (end >= text.length) return text.length;
    const splitsPair = isLowSurrogate(text, end) && (text.charCodeAt(end - 1) & 0xfc00) === 0xd800;
    return splitsPair ? end - 1 : end;
  }
  let septets = 0;
  for (let index = start; index < text.length; index += 1) {
    const cost = septetCountOf(text.charCodeAt(index));
    if (cost === 0) throw new NotInAlphabetError(index);
    septets += cost;
    if (septets > sizeMax) return index;
  }
  return text.length;
}

export interface SplitOptions extends Partial<PartSizes> {
  encoding: MessageEncoding;
}

/**
 * The texts of a message's parts, in order; joined, they give the original text. Escape pairs and surrogate pairs are
 * never split. With the default sizes there are as many as `measureText` counts. @throws NotInAlphabetError if the
 * encoding is `Latin` and the text is not. RangeError if a size is below 2: a pair would not fit.
 */
export function splitText(text: string, { encoding, singleMax, partMax }: SplitOptions): string[] {
  const latin = encoding === "Latin";
  const defaults = latin ? septetPartSizes : unitPartSizes;
  const sizes = { singleMax: singleMax ?? defaults.singleMax, partMax: partMax ?? defaults.partMax };
  if (sizes.partMax < 2) throw new RangeError(`partMax is ${sizes.partMax}, and a pair takes 2`);
  if (partEnd(text, 0, latin, sizes.singleMax) === text.length) return [text];
  const parts: string[] = [];
  for (let start = 0; start < text.length; ) {
    const end = partEnd(text, start, latin, sizes.partMax);
    parts.push(text.slice(start, end));
    start = end;
  }
  return parts;
}

/** UCS-2 big-endian, two octets per UTF-16 unit. */
export function encodeUcs2(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, "utf16le").swap16());
}

/** Messages contain no tabs: a tab becomes one space. */
export function withoutTabs(text: string): string {
  return text.includes("\t") ? text.replaceAll("\t", " ") : text;
}

/**
 * False if a text contains a lone surrogate, or a control character (C0, DEL, C1) other than line feed and carriage
 * return.
 */
export function isCleanText(text: string): boolean {
  let seen = 0;
  for (let index = 0; index < text.length; index += 1) seen |= unitFlags[text.charCodeAt(index)] ?? 0;
  return (seen & control) === 0 && text.isWellFormed();
}

/** The number of Unicode code points, which every length limit counts. */
export function codePointLength(text: string): number {
  let count = text.length;
  for (let index = 0; index < text.length - 1; index += 1) {
    if ((text.charCodeAt(index) & 0xfc00) !== 0xd800 || !isLowSurrogate(text, index + 1)) continue;
    count -= 1;
    index += 1;
  }
  return count;
}
