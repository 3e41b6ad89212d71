/** The GSM 7-bit alphabet and its extension table (3GPP TS 23.038, 6.2.1 and 6.2.1.1), as octets with one septet each. */
import { lockingShiftTables } from "./national-locking-shift.ts";
import { singleShiftTables } from "./national-single-shift.ts";

/** A space marks the position of the escape to the extension table, which is never looked up here. */
const basicAlphabet =
  "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞ ÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?" +
  "¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà";

/**
 * 0x0A is the table's page break. Its other two entries, 0x0D (control) and 0x1B (escape again), are not characters.
 */
const extension: Readonly<Record<number, string>> = {
  10: "\f",
  20: "^",
  40: "{",
  41: "}",
  47: "\\",
  60: "[",
  61: "~",
  62: "]",
  64: "|",
  101: "€",
};

const escapeSeptet = 0x1b;
const notInAlphabet = -1;
const escaped = 0x100;

/** By UTF-16 unit: the septet, plus `escaped` if an escape precedes it. The euro sign is the highest unit. */
const septetByUnit = new Int16Array(0x20ad).fill(notInAlphabet);
for (const [septet, character] of [...basicAlphabet].entries()) {
  if (septet !== escapeSeptet) septetByUnit[character.charCodeAt(0)] = septet;
}
for (const [septet, character] of Object.entries(extension)) {
  septetByUnit[character.charCodeAt(0)] = Number(septet) | escaped;
}

/** A text contains a character that is not in the GSM 7-bit alphabet. */
export class NotInAlphabetError extends Error {
  override readonly name = "NotInAlphabetError";
  constructor(readonly index: number) {
    super(`the character at index ${index} is not in the GSM 7-bit alphabet`);
  }
}

/** Septets needed for one UTF-16 unit: 1, 2 with the escape, 0 if it is not in the alphabet. */
export function septetCountOf(unit: number): 0 | 1 | 2 {
  const septet = septetByUnit[unit] ?? notInAlphabet;
  if (septet === notInAlphabet) return 0;
  return septet >= escaped ? 2 : 1;
}

/**
 * One septet per octet, with an escape before each extension character. @throws NotInAlphabetError if a character is in
 * neither table.
 */
export function encodeGsm7(text: string): Uint8Array {
  const octets = new Uint8Array(text.length * 2);
  let length = 0;
  for (let index = 0; index < text.length; index += 1) {
    const septet = septetByUnit[text.charCodeAt(index)] ?? notInAlphabet;
    if (septet === notInAlphabet) throw new NotInAlphabetError(index);
    if (septet >= escaped) octets[length++] = escapeSeptet;
    octets[length++] = septet & 0x7f;
  }
  return octets.slice(0, length);
}

/** National language identifiers (TS 23.038, 6.2.1.2.4) in a text's header; null for the default GSM table. */
export interface NationalShift {
  locking: number | null;
  single: number | null;
}

const noShift: NationalShift = { locking: null, single: null };

/** False for reserved identifiers, and for Spanish as a locking shift, which the standard does not define. */
export function isKnownShift({ locking, single }: NationalShift): boolean {
  return (locking === null || lockingShiftTables.has(locking)) && (single === null || singleShiftTables.has(single));
}

/**
 * Decodes any octets as TS 23.038 requires of a receiver: an unknown extension gives the character of the basic table
 * or the locking shift, and an escape followed by an escape or by nothing is a space. The high bit of an octet and
 * unknown shifts are ignored.
 */
export function decodeGsm7(octets: Uint8Array, shift = noShift): string {
  const basic = (shift.locking === null ? null : lockingShiftTables.get(shift.locking)) ?? basicAlphabet;
  const extended = shift.single === null ? undefined : singleShiftTables.get(shift.single);
  // Each character is one UTF-16 unit. Adding them to a string took five times as long.
  const units = new Uint16Array(octets.length);
  let length = 0;
  for (let index = 0; index < octets.length; index += 1) {
    const septet = (octets[index] ?? 0) & 0x7f;
    if (septet !== escapeSeptet) {
      units[length++] = basic.charCodeAt(septet);
      continue;
    }
    index += 1;
    const second = (octets[index] ?? escapeSeptet) & 0x7f;
    units[length++] = extensionOf(second, extended) ?? basic.charCodeAt(second);
  }
  return Buffer.from(units.buffer, 0, length * 2).toString("utf16le");
}

const space = 0x20;

function extensionOf(septet: number, extended: string | undefined): number | undefined {
  if (extended === undefined) return extension[septet]?.charCodeAt(0);
  const unit = extended.charCodeAt(septet);
  return unit === space ? undefined : unit;
}
